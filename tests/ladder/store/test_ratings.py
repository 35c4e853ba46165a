"""Pools and histories of the live Elo, as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.errors import InvalidError
from ladder.store import leaderboard, ratings

if TYPE_CHECKING:
    from tests.ladder.world import World


def test_a_history_is_the_last_steps_oldest_first(world: World) -> None:
    games = world.planned("alpha", "bravo", deals=3)
    for game in games:
        world.record(game, (1, 2))

    with world.database.read() as session:
        history = ratings.get_rating_history(session, "classic/2", "alpha")
        last = ratings.get_rating_history(session, "classic/2", "alpha", limit=2)
        now = leaderboard.get_standing(session, "classic/2", "alpha")

    assert [point.game_id for point in history] == [game.id for game in games]
    assert [point.order for point in history] == [1, 2, 3, 4, 5, 6]
    assert [point.before for point in history[1:]] == [point.after for point in history[:-1]]
    assert last == history[-2:]
    assert now is not None
    assert now.rating == history[-1].after


def test_who_has_not_played_has_no_rating(world: World) -> None:
    world.add_bots("alpha")

    with world.database.read() as session:
        assert ratings.list_pools(session) == ()
        assert leaderboard.get_leaderboard(session, "classic/2") == ()
        assert leaderboard.get_standing(session, "classic/2", "alpha") is None
        assert ratings.get_rating_history(session, "classic/2", "alpha") == ()


@pytest.mark.parametrize("pool", ["", "classic", "classic/3", "classic/multi/2", "Classic/2"])
def test_a_malformed_pool_is_refused(world: World, pool: str) -> None:
    with world.database.read() as session, pytest.raises(InvalidError, match="is not a pool"):
        ratings.get_rating_history(session, pool, "alpha")
