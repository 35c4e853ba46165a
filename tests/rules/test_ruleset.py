from __future__ import annotations

from dataclasses import replace

import pytest

from roundhouse.rules import (
    EDITIONS,
    ErrorCode,
    FaceUpLocomotive,
    RulesError,
    edition,
    start_game,
)
from tests.rules.games import CLASSIC, seed_of


def test_classic_is_the_column_of_the_edition_table() -> None:
    assert len(CLASSIC.tickets) == 30
    assert (CLASSIC.opening_offer, CLASSIC.opening_keep) == (3, 2)
    assert (CLASSIC.later_offer, CLASSIC.later_keep) == (3, 1)
    assert (CLASSIC.trains, CLASSIC.final_round_trains) == (45, 2)
    assert sum(CLASSIC.card_counts) == 110
    assert CLASSIC.variants == ()


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_is_one_value(name: str) -> None:
    assert edition(name) is edition(name)
    assert edition(name).edition == name
    edition(name).require_supported()


def test_an_unknown_edition_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        RulesError, match=r"no edition 'Classic'; the editions are classic"
    ) as caught:
        edition("Classic")
    assert caught.value.code is ErrorCode.UNKNOWN_EDITION


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("face_up_locomotive", FaceUpLocomotive.ORDINARY),
        ("open_tickets", True),
        ("unfinished_tickets_score_zero", True),
        ("ticket_market", True),
        ("route_protection", True),
        ("opening_exchange", True),
        ("teams", True),
        ("shared_network", True),
        ("solo", True),
        ("variants", ("open_tickets",)),
    ],
)
def test_rules_whose_name_does_not_say_what_they_are_are_refused(field: str, value: object) -> None:
    rules = replace(CLASSIC, **{field: value})  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="name other variants") as caught:
        start_game(rules, 2, seed_of(1))
    assert caught.value.code is ErrorCode.UNSUPPORTED_RULES


@pytest.mark.parametrize(
    ("name", "seats"), [("classic", 1), ("classic", 6), ("tiny", 4), ("classic", -2)]
)
def test_a_number_of_seats_that_cannot_play_is_refused(name: str, seats: int) -> None:
    with pytest.raises(RulesError, match=f"not {seats}") as caught:
        start_game(edition(name), seats, seed_of(1))
    assert caught.value.code is ErrorCode.BAD_SET_UP


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "0" * 32, bytearray(32)])
def test_a_seed_that_is_not_32_bytes_is_refused(seed: object) -> None:
    with pytest.raises(RulesError, match="A seed is 32 bytes") as caught:
        start_game(CLASSIC, 2, seed)  # type: ignore[arg-type]
    assert caught.value.code is ErrorCode.BAD_SET_UP
