"""What an organiser may ask for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ladder.errors import InvalidError
from ladder.organising import new_tournament_id, plan_tournament
from roundhouse.rules import RulesError
from roundhouse.timecontrol import TimeControl
from tests.ladder.world import NOW

REQUEST: dict[str, Any] = {
    "name": "",
    "bots": ["alpha", "bravo", "charlie"],
    "edition": "",
    "variants": [],
    "table_size": 2,
    "deals": 1,
    "time_control": None,
    "seed": b"",
    "is_unrated": False,
    "now": NOW,
}


def test_what_is_left_open_is_filled_in() -> None:
    new, other = plan_tournament(**REQUEST), plan_tournament(**REQUEST)

    assert new.name == "Round-robin of 30 November 2026, 12:00 UTC"
    assert new.edition == "classic"
    assert new.time_control == TimeControl()
    assert len(new.seed) == 32
    assert new.seed != other.seed
    assert new.is_rated


@pytest.mark.parametrize("changes", [{"is_unrated": True}, {"seed": b"s" * 32}])
def test_a_known_seed_is_as_unrated_as_a_wish(changes: dict[str, Any]) -> None:
    assert not plan_tournament(**REQUEST | changes).is_rated


@pytest.mark.parametrize(
    ("variants", "table_size"),
    [
        (["quick", "open_tickets"], 2),
        (["teams"], 4),
        (["solo"], 1),
    ],
)
def test_variants_are_kept_in_order_and_never_rated(variants: list[str], table_size: int) -> None:
    bots = ["alpha", "bravo", "charlie", "delta"]
    changes = {"variants": variants, "table_size": table_size, "bots": bots}

    new = plan_tournament(**REQUEST | changes)

    assert new.variants == tuple(sorted(variants))
    assert not new.is_rated


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bots": ["alpha"]}, "A table of 2 needs at least 2 bots, not 1"),
        ({"bots": ["alpha", "bravo", "alpha"]}, "The bot 'alpha' is named twice"),
        ({"deals": 0}, "at least 1 deal"),
        ({"deals": 20_000}, "are 120000 games; a tournament has 50000 at most"),
        ({"table_size": 0}, "is for 2 to 5 players, not 0"),
        ({"table_size": 6}, "is for 2 to 5 players, not 6"),
        ({"edition": "none"}, "no edition 'none'"),
        ({"variants": ["chess"]}, "There is no variant 'chess'"),
        ({"variants": ["long", "quick"]}, "quick and long contradict each other"),
        ({"variants": ["teams"], "table_size": 3}, "is for 4 players, not 3"),
        ({"variants": ["solo"], "table_size": 2}, "is for 1 player, not 2"),
        ({"name": "x" * 121}, "one line of at most 120"),
        ({"name": "a\nb"}, "one line"),
        ({"seed": b"short"}, "The seed has 5 bytes; it needs 32"),
        ({"time_control": TimeControl(bank=timedelta(hours=2))}, "The bank of a time control"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises((InvalidError, RulesError), match=sentence):
        plan_tournament(**REQUEST | changes)


def test_identities_are_short_and_fresh() -> None:
    ids = {new_tournament_id() for _ in range(100)}

    assert len(ids) == 100
    assert {len(name) for name in ids} == {10}
