"""Every law, in whole random games of every edition, variant and number of seats."""

from __future__ import annotations

from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roundhouse.rules import EDITIONS, VARIANTS
from tests.rules.games import PLAYERS
from tests.rules.laws import check_laws
from tests.rules.tables import ALONE, ELSEWHERE, ON_CLASSIC, TABLES, TOGETHER, named

STYLES = sorted(PLAYERS)
numbers = st.integers(0, 10**6)


def games(count: int) -> settings:
    """Return how many games are played at each table: whole ones, and so few."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check_game(label: str, seats: int, number: int, share: float) -> None:
    """Check one game; the simplest example of hypothesis is another game at every table."""
    number += crc32(f"{label}/{seats}".encode()) % 1000
    check_laws(named(label), seats, number, STYLES[number % len(STYLES)], share)


@pytest.mark.parametrize(("label", "seats"), ALONE + TOGETHER)
@games(2)
@given(number=numbers)
def test_every_law_holds_in_every_edition_at_every_table(
    label: str, seats: int, number: int
) -> None:
    check_game(label, seats, number, share=0.5)


@pytest.mark.parametrize(("label", "seats"), ON_CLASSIC)
@games(1)
@given(number=numbers)
def test_every_law_holds_in_every_variant_at_every_table(
    label: str, seats: int, number: int
) -> None:
    check_game(label, seats, number, share=0.25)


@pytest.mark.parametrize(("label", "seats"), ELSEWHERE)
@games(1)
@given(number=numbers)
def test_every_law_holds_in_every_variant_of_every_edition(
    label: str, seats: int, number: int
) -> None:
    check_game(label, seats, number, share=0.25)


def test_every_law_holds_at_every_decision_of_some_games() -> None:
    for number, (label, seats) in enumerate(TOGETHER):
        check_game(label, seats, number, share=1)


def test_the_tables_leave_nothing_out() -> None:
    rules = [named(label) for label, _ in TABLES]
    assert {one.edition for one in rules} == set(EDITIONS)
    assert {name for one in rules for name in one.variants} == set(VARIANTS)
    assert {seats for _, seats in TABLES} == {1, 2, 3, 4, 5}
