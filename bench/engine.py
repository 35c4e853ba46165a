"""Measure the rules engine: games, decisions, observations, copies and samples per second.

    python bench/engine.py [--seconds 3]

Random players: all legal actions are listed and one is applied. Times are of this process alone,
so that other work on the machine disturbs them little. Every figure is also given as a ratio to a
fixed loop of plain Python that is measured in the same run; and to Catanatron's random games, the
nearest cousin among public engines, when it is installed (`pip install catanatron`).
"""

from __future__ import annotations

import argparse
import importlib
import random
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import TYPE_CHECKING

from roundhouse.rules import RuleSet, State, edition, start_game

if TYPE_CHECKING:
    from collections.abc import Callable


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


def reference_loops(seconds: float) -> float:
    """Return a second's rounds of a fixed loop over ints, lists and dicts: this Python's speed."""
    rounds = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        counts = [0] * 9
        seen: dict[int, int] = {}
        for number in range(1000):
            counts[number % 9] += number & 3
            seen[number & 63] = counts[number % 9]
        rounds += 1
    return rounds / spent


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


def catanatron_games(seconds: float, seats: int) -> float | str:
    """Return Catanatron's random games a second, or why there are none."""
    try:
        catanatron = importlib.import_module("catanatron")
    except ImportError:
        return "not installed (pip install catanatron)"
    colours = list(catanatron.Color)[:seats]
    players = [catanatron.RandomPlayer(colour) for colour in colours]
    games = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        catanatron.Game(players).play()
        games += 1
    return games / spent


def report(seconds: float) -> None:
    """Measure and print everything."""
    rules = edition("classic")
    reference = reference_loops(seconds / 3)
    print(f"reference loop: {reference:,.0f} rounds/s of 1,000 steps")
    for seats in (2, 4):
        cousin = catanatron_games(seconds, seats)
        plays: dict[str, Callable[[random.Random], int]] = {
            "random play": partial(play_game, rules, seats, observing=False),
            "random play on observations": partial(play_game, rules, seats, observing=True),
            "sample at decision 40 and play out": partial(play_out_samples, rules, seats),
        }
        print(f"\n{seats} seats")
        for name, play in plays.items():
            rate = measure(seconds, play)
            print(
                f"  {name:36} {rate.games_per_second:7.1f} games/s "
                f"{rate.decisions_per_second:9,.0f} decisions/s "
                f"{rate.games_per_second / reference:7.4f} of the reference"
                + (
                    f" {rate.games_per_second / cousin:5.1f} x Catanatron"
                    if isinstance(cousin, float)
                    else ""
                )
            )
        shown = f"{cousin:.1f} games/s" if isinstance(cousin, float) else cousin
        print(f"  {'Catanatron, random play':36} {shown}")
        states = middle_states(rules, seats)
        for name, act in (
            ("copy", State.copy),
            ("legal_actions", State.legal_actions),
            ("observe", lambda state: state.observe(state.turn_seat)),
            ("digest", State.digest),
            ("standings", State.standings),
        ):
            print(f"  {name:36} {microseconds(states, act):7.1f} µs")
        rng = random.Random(3)
        seen = [state.observe(state.turn_seat) for state in states]
        start = process_time()
        for observation in seen:
            observation.sample_state(rng)
        print(f"  {'sample_state':36} {(process_time() - start) / len(seen) * 1e6:7.1f} µs")


def main() -> None:
    """Read the command line and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each figure")
    report(parser.parse_args().seconds)


if __name__ == "__main__":
    main()
