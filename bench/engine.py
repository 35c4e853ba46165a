"""Measure the rules engine, plain and compiled, beside its peers, and print one table.

    python bench/engine.py [--seconds 2] [--rounds 3]

Random players: all legal actions are listed and one is applied. Both forms of the engine and the
peers take turns, round after round, and the best round of each counts; times are of the process
alone. So other work on the machine disturbs the ratios little, which are what is to be compared.

The compiled form is measured where `make compiled` has made it. The peers are Catanatron, the
nearest cousin among public engines, and backgammon of OpenSpiel, C++ behind a Python loop like
ours; both are left out where they are not installed (`pip install catanatron open_spiel`).
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from roundhouse.rules import RuleSet, State, edition, start_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "sdk" / "src"
COMPILED = ROOT / ".venv" / "compiled"


@dataclass(frozen=True, slots=True)
class Rate:
    """How much was done in how many seconds of this process's own time."""

    games: int
    decisions: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Return games a second."""
        return self.games / self.seconds

    @property
    def decisions_per_second(self) -> float:
        """Return decisions a second."""
        return self.decisions / self.seconds


def measure(seconds: float, play: Callable[[random.Random], int]) -> Rate:
    """Play games until the time is over; `play` returns its number of decisions."""
    rng = random.Random(1)
    play(rng)  # once unmeasured: tables are made at the first use
    games = decisions = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        decisions += play(rng)
        games += 1
    return Rate(games, decisions, spent)


def play_game(rules: RuleSet, seats: int, rng: random.Random, *, observing: bool) -> int:
    """Play one game with random players, score it, and return the number of decisions."""
    state, _ = start_game(rules, seats, rng.randbytes(32))
    decisions = 0
    while not state.is_over():
        if observing:
            seat = state.seats_to_act()[0]
            actions = state.observe(seat).legal_actions()
        else:
            actions = state.legal_actions()
        state.push(rng.choice(actions))
        decisions += 1
    state.standings()
    return decisions


def play_out_samples(rules: RuleSet, seats: int, rng: random.Random) -> int:
    """Sample one state from an observation and play it to its end: what a search does."""
    state, _ = start_game(rules, seats, rng.randbytes(32))
    for _ in range(40):
        state.push(rng.choice(state.legal_actions()))
    twin = state.observe(state.turn_seat).sample_state(rng)
    decisions = 0
    while not twin.is_over():
        twin.push(rng.choice(twin.legal_actions()))
        decisions += 1
    twin.standings()
    return decisions


def microseconds(states: list[State], act: Callable[[State], object]) -> float:
    """Return how long something takes on average over states, best of five rounds."""
    best = float("inf")
    for _ in range(5):
        start = process_time()
        for state in states:
            act(state)
        best = min(best, process_time() - start)
    return best / len(states) * 1e6


def middle_states(rules: RuleSet, seats: int) -> list[State]:
    """Return states from all over one random game."""
    rng = random.Random(2)
    state, _ = start_game(rules, seats, rng.randbytes(32))
    states = []
    while not state.is_over():
        states.append(state.copy())
        state.push(rng.choice(state.legal_actions()))
    return states


def observe_and_sample(rng: random.Random, state: State) -> State:
    """Sample a state from what the seat sees whose turn it is."""
    return state.observe(state.turn_seat).sample_state(rng)


def measure_all(seconds: float) -> dict[str, float]:
    """Measure this form of the engine: rates a second, and microseconds."""
    rules = edition("classic")
    found: dict[str, float] = {}
    for seats in (2, 4):
        plays: dict[str, Callable[[random.Random], int]] = {
            "random play": partial(play_game, rules, seats, observing=False),
            "random play on observations": partial(play_game, rules, seats, observing=True),
            "sample_state and playout": partial(play_out_samples, rules, seats),
        }
        for name, play in plays.items():
            rate = measure(seconds, play)
            found[f"{seats} seats, {name}, games/s"] = rate.games_per_second
            found[f"{seats} seats, {name}, decisions/s"] = rate.decisions_per_second
        states = middle_states(rules, seats)
        acts: dict[str, Callable[[State], object]] = {
            "copy": State.copy,
            "legal_actions": State.legal_actions,
            "observe": lambda state: state.observe(state.turn_seat),
            "digest": State.digest,
            "standings": State.standings,
            "observe and sample_state": partial(observe_and_sample, random.Random(3)),
        }
        for name, act in acts.items():
            found[f"{seats} seats, {name}, µs"] = microseconds(states, act)
    return found


def catanatron_games(seconds: float, seats: int) -> float:
    """Return Catanatron's random games a second; 0 when it is not installed."""
    try:
        catanatron = importlib.import_module("catanatron")
    except ImportError:
        return 0.0
    colours = list(catanatron.Color)[:seats]
    players = [catanatron.RandomPlayer(colour) for colour in colours]

    def play(_: random.Random) -> int:
        catanatron.Game(players).play()
        return 0

    return measure(seconds, play).games_per_second


def open_spiel_decisions(seconds: float) -> float:
    """Return OpenSpiel's decisions a second in random backgammon; 0 when it is not installed.

    The dice are thrown in the loop, as OpenSpiel wants it, and are not counted as decisions.
    """
    try:
        spiel = importlib.import_module("pyspiel")
    except ImportError:
        return 0.0
    game = spiel.load_game("backgammon")

    def play(rng: random.Random) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return measure(seconds, play).decisions_per_second


def measure_form(folder: Path, seconds: float) -> dict[str, float]:
    """Measure the form of the engine that lies in a folder, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--json", "--seconds", str(seconds)],
        env={**os.environ, "PYTHONPATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def better(name: str, one: float, other: float) -> float:
    """Return the better of two figures: the less disturbed."""
    return min(one, other) if name.endswith("µs") else max(one, other)


def report(seconds: float, rounds: int) -> None:
    """Measure everything in turns, and print the best of each and the ratios that are aimed at."""
    forms = {"plain": SOURCES, "compiled": COMPILED}
    if not COMPILED.is_dir():
        del forms["compiled"]
        print("The compiled form is not there; `make compiled` makes it.")
    best: dict[str, dict[str, float]] = {form: {} for form in forms}
    peers = {"OpenSpiel": 0.0, "Catanatron 2": 0.0, "Catanatron 4": 0.0}
    for _ in range(rounds):
        for form, folder in forms.items():
            for name, figure in measure_form(folder, seconds).items():
                best[form][name] = better(name, figure, best[form].get(name, figure))
        peers["OpenSpiel"] = max(peers["OpenSpiel"], open_spiel_decisions(seconds))
        for seats in (2, 4):
            games = catanatron_games(seconds, seats)
            peers[f"Catanatron {seats}"] = max(peers[f"Catanatron {seats}"], games)

    print_table(best, peers)


def print_table(best: dict[str, dict[str, float]], peers: dict[str, float]) -> None:
    """Print the figures of each form, those of the peers, and the ratios."""

    def row(label: str, figures: Iterable[float], spec: str = "12,.1f") -> None:
        print(f"{label:52}" + "".join(format(figure, spec) for figure in figures))

    print(f"{'':52}" + "".join(f"{form:>12}" for form in best))
    for name in best["plain"]:
        row(name, (figures[name] for figures in best.values()))
    print("\npeers, random play")
    row("OpenSpiel, backgammon, decisions/s", [peers["OpenSpiel"]])
    for seats in (2, 4):
        row(f"Catanatron, {seats} players, games/s", [peers[f"Catanatron {seats}"]])
    print("\nratios of random play")
    for seats in (2, 4):
        for peer, what, aim in (
            (f"Catanatron {seats}", "games", "aim: 10 and 40"),
            ("OpenSpiel", "decisions", "aim: 5 compiled"),
        ):
            if peers[peer]:
                name = f"{seats} seats, random play, {what}/s"
                label = f"{seats} seats, {what} to those of {peer.split()[0]} ({aim})"
                row(label, (figures[name] / peers[peer] for figures in best.values()))


def main() -> None:
    """Read the command line and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each figure")
    parser.add_argument("--rounds", type=int, default=3, help="how often all take their turn")
    parser.add_argument("--json", action="store_true", help="measure the form that is imported")
    options = parser.parse_args()
    if options.json:
        print(json.dumps(measure_all(options.seconds)))
    else:
        report(options.seconds, options.rounds)


if __name__ == "__main__":
    main()
