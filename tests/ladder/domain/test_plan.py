"""What makes a plan whole: a table of one fault each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ladder.domain.plan import check_plan, plan_digest
from ladder.domain.tournament import Entrant, Tournament, TournamentStatus
from ladder.errors import InvalidError
from roundhouse.timecontrol import TimeControl
from tests.ladder.world import NOW, round_robin

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.domain.game import PlannedGame

TOURNAMENT = Tournament(
    id="t-1",
    name="",
    edition="classic",
    table_size=3,
    deals=2,
    time_control=TimeControl(),
    is_rated=True,
    entrants=tuple(Entrant(name, name * 64) for name in "abcd"),
    status=TournamentStatus.CREATED,
    games=0,
    finished_games=0,
    seed_commitment=b"",
    created_at=NOW,
    finished_at=None,
)
PLAN = round_robin(TOURNAMENT)


def with_first(**changes: object) -> list[PlannedGame]:
    return [replace(PLAN[0], **changes), *PLAN[1:]]  # type: ignore[arg-type]


def test_a_round_robin_is_whole() -> None:
    check_plan(TOURNAMENT, PLAN)


def test_a_gauntlet_is_as_good_as_a_round_robin() -> None:
    check_plan(TOURNAMENT, [game for game in PLAN if game.pairing == 2])


@pytest.mark.parametrize(
    ("games", "sentence"),
    [
        (list, "has no games"),
        (lambda: with_first(id="G 1"), "'G 1' cannot name a game"),
        (lambda: with_first(chunk="t-1-" + "c" * 61), "cannot name a game or a chunk"),
        (lambda: with_first(chunk="t-2-p0-r0-c0"), "must start with its tournament, 't-1'"),
        (lambda: with_first(seed=b"short"), "has 5 bytes; it needs 32"),
        (lambda: with_first(seed=b"s" * 32), "has more than one seed"),
        (lambda: with_first(versions=("a" * 64, "b" * 64)), "has 2 seats, but the tables"),
        (lambda: with_first(versions=("a" * 64,) * 3), "sits in two seats"),
        (lambda: with_first(versions=("a" * 64, "b" * 64, "e" * 64)), "has not entered t-1"),
        (lambda: with_first(id=PLAN[1].id), "same identity"),
        (lambda: PLAN[1:], "not planned once in each of its rotations"),
        (lambda: with_first(rotation=1), "not planned once in each of its rotations"),
        (
            lambda: with_first(versions=("a" * 64, "b" * 64, "d" * 64)),
            "not played by the same",
        ),
        (lambda: with_first(chunk=PLAN[-1].chunk), "more than one seating"),
    ],
)
def test_a_fault_is_named(games: Callable[[], list[PlannedGame]], sentence: str) -> None:
    with pytest.raises(InvalidError, match=sentence):
        check_plan(TOURNAMENT, games())


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "g"},
        {"chunk": "c"},
        {"pairing": 9},
        {"deal": 9},
        {"rotation": 9},
        {"seed": b"s" * 32},
        {"versions": PLAN[0].versions[::-1]},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_every_part_of_a_plan_is_in_its_digest(changes: dict[str, object]) -> None:
    assert plan_digest(with_first(**changes)) != plan_digest(PLAN)
