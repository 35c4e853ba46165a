"""Whole games as text: every event and every digest. `--update-golden` writes them anew."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from roundhouse.rules import (
    EDITIONS,
    VARIANTS,
    Action,
    State,
    TakeCard,
    format_action,
    format_event,
    start_game,
    stream,
)
from tests.rules.games import seed_of
from tests.rules.tables import named

FOLDER = Path(__file__).parent / "golden"

# One game of every edition, and one of every variant, at tables of every size.
ONE_OF_EACH = [
    ("refresh-2025", 3),
    ("family-3", 2),
    ("usa-1910", 4),
    ("mega", 5),
    ("big-cities", 2),
    ("classic+open_tickets", 3),
    ("classic+unfinished_tickets_score_zero", 2),
    ("classic+relaxed_locomotives", 2),
    ("classic+ticket_market", 3),
    ("classic+route_protection", 4),
    ("classic+quick", 2),
    ("classic+opening_exchange+quick", 3),
    ("classic+long", 2),
    ("classic+teams", 4),
    ("classic+shared_network+teams", 4),
    ("classic+solo", 1),
]

GAMES = [
    ("classic", 2, "any"),
    ("classic", 3, "any"),
    ("classic", 4, "drawing"),
    ("classic", 5, "any"),
    ("classic", 5, "leaving"),
    ("tiny", 2, "any"),
    ("tiny", 3, "drawing"),
    *((label, seats, "any") for label, seats in ONE_OF_EACH),
]


def choose(state: State, style: str, turn: int) -> Action:
    """Choose an action by a stream of the engine's own chance, which every Python shares."""
    actions = state.legal_actions()
    if style == "drawing":
        actions = [action for action in actions if isinstance(action, TakeCard)] or actions
    return actions[next(stream(state.seed, b"golden game", turn)) % len(actions)]


def write_game(name: str, seats: int, style: str) -> str:
    """Play a game and write all of it down."""
    rules = named(name)
    state, events = start_game(rules, seats, seed_of(seats))
    lines = [f"# {name}, {seats} seats, style {style}, seed {state.seed.hex()}"]
    lines += [format_event(event, rules.board) for event in events]
    for number in count():
        if state.is_over():
            break
        seat = state.seats_to_act()[0]
        if style == "leaving" and number % 60 == 40 and len(state.seats_to_act()) == 1:
            lines.append(f"> seat {seat} is made to leave")
            events = state.forfeit(seat)
        else:
            action = choose(state, style, number)
            lines.append(f"> seat {seat}: {format_action(action, rules.board)}")
            events = state.apply(action, seat)
        lines += [format_event(event, rules.board) for event in events]
        lines.append(f"= {state.digest().hex()[:16]}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("name", "seats", "style"), GAMES)
def test_a_golden_game_is_played_as_it_always_was(
    name: str, seats: int, style: str, request: pytest.FixtureRequest
) -> None:
    path = FOLDER / f"{name}-{seats}-{style}.txt"
    game = write_game(name, seats, style)
    if request.config.getoption("--update-golden"):
        path.write_text(game, encoding="utf-8")
    assert game.splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_every_golden_file_belongs_to_a_game() -> None:
    names = {f"{name}-{seats}-{style}.txt" for name, seats, style in GAMES}
    assert {path.name for path in FOLDER.iterdir()} == names


def test_every_edition_and_every_variant_has_a_golden_game() -> None:
    rules = [named(label) for label, _, _ in GAMES]
    assert {one.edition for one in rules} == set(EDITIONS)
    assert {name for one in rules for name in one.variants} == set(VARIANTS)
