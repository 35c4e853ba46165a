"""Whole deal groups, as they are read for statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.domain.deals import DealGroup, PlayedGame
from ladder.errors import NotFoundError
from ladder.store.deals import list_deal_groups

if TYPE_CHECKING:
    from tests.ladder.world import World


def test_groups_are_whole_and_in_the_order_of_their_rotations(world: World) -> None:
    games = {game.id.removeprefix("g-0001-"): game for game in world.planned("a1", "b1", deals=2)}
    world.record(games["0-0-1"], (2, 1))
    world.record(games["0-1-0"], (1, 2))  # its group stays open
    world.record(games["0-0-0"], (1, 1))

    with world.database.read() as session:
        groups = list_deal_groups(session, "t-0001")

    assert groups == (
        DealGroup(
            0,
            (
                PlayedGame(("a1", "b1"), (1, 1), (90, 90)),
                PlayedGame(("b1", "a1"), (2, 1), (80, 90)),
            ),
        ),
    )


def test_a_limit_takes_the_first_deals_of_every_pairing(world: World) -> None:
    for game in world.planned("a1", "b1", "c1", deals=3):
        world.record(game, (1, 2))

    with world.database.read() as session:
        assert len(list_deal_groups(session, "t-0001")) == 9
        groups = list_deal_groups(session, "t-0001", limit=6)

    assert sorted(group.pairing for group in groups) == [0, 0, 1, 1, 2, 2]


def test_a_tournament_that_is_not_there_is_not_found(world: World) -> None:
    with world.database.read() as session, pytest.raises(NotFoundError, match="none"):
        list_deal_groups(session, "none")
