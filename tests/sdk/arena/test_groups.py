"""Deal groups are counted whole, and in the order of the deals."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from roundhouse.api.game.v1 import log_pb2
from roundhouse.arena import DealGroups, GameResult
from roundhouse.rules import Standing, edition, start_game

if TYPE_CHECKING:
    from collections.abc import Sequence


def standing(seat: int, placement: int) -> Standing:
    state, _ = start_game(edition("tiny"), 2, bytes(32))
    return replace(state.standings()[0], seat=seat, placement=placement)


def game(deal: int, rotation: int, placements: Sequence[int]) -> GameResult:
    seats = len(placements)
    return GameResult(
        deal=deal,
        rotation=rotation,
        entrants=tuple((seat + rotation) % seats for seat in range(seats)),
        log=log_pb2.GameLog(),
        standings=tuple(standing(seat, placement) for seat, placement in enumerate(placements)),
        forfeits=(),
    )


GAMES = [game(0, 0, (1, 2)), game(0, 1, (1, 2)), game(1, 0, (1, 2)), game(1, 1, (2, 1))]


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=str)
def test_the_groups_are_the_same_in_whatever_order_games_end(order: tuple[int, ...]) -> None:
    groups = DealGroups()
    counted = [points for number in order for points in groups.add(GAMES[number])]
    assert counted == [2, 4]  # a win and a loss; two wins


def test_a_group_waits_for_the_one_before() -> None:
    groups = DealGroups(entrant=1)
    assert groups.add(GAMES[2]) == []
    assert groups.add(GAMES[3]) == []
    assert groups.add(GAMES[0]) == []
    assert groups.add(GAMES[1]) == [2, 0]


def test_larger_tables_are_whole_after_all_rotations() -> None:
    groups = DealGroups()
    added = [groups.add(game(0, rotation, (1, 1, 3))) for rotation in range(3)]
    # Entrant 0 sits in seat 0, then 2, then 1: shares the first place, is last, shares again.
    assert added == [[], [], [3 + 0 + 3]]
