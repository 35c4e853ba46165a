"""Leaderboards and histories, as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.errors import InvalidError
from ladder.store import ratings

if TYPE_CHECKING:
    from tests.ladder.world import World


def test_a_leaderboard_is_best_first_and_counts(world: World) -> None:
    games = {
        game.id.removeprefix("g-0001-"): game for game in world.planned("alpha", "bravo", "charlie")
    }
    world.record(games["0-0-0"], (1, 2), seats=world.result(games["0-0-0"], scores=(90, -7)).seats)
    world.record(games["0-0-1"], (1, 1))  # bravo, alpha
    world.record(games["1-0-0"], (1, 2))  # alpha, charlie

    with world.database.read() as session:
        rows = ratings.get_leaderboard(session, "classic/2")

    assert [row.bot for row in rows] == ["alpha", "bravo", "charlie"]
    assert [row.rank for row in rows] == [1, 2, 3]
    assert [(row.games, row.wins, row.draws, row.losses) for row in rows] == [
        (3, 2, 1, 0),
        (2, 0, 1, 1),
        (1, 0, 0, 1),
    ]
    assert [row.mean_score for row in rows] == [90, (-7 + 90) / 2, 80]
    assert sum(row.rating for row in rows) == pytest.approx(3 * 1500, abs=1e-9)


def test_equal_ratings_share_a_rank_and_the_next_is_skipped(world: World) -> None:
    games = world.planned("bravo", "alpha", "charlie", table_size=3)
    world.record(games[0], (1, 1, 3))

    with world.database.read() as session:
        rows = ratings.get_leaderboard(session, "classic/multi")
        assert [(row.rank, row.bot) for row in rows] == [(1, "alpha"), (1, "bravo"), (3, "charlie")]
        assert [(row.wins, row.draws, row.losses) for row in rows] == [
            (0, 1, 0),
            (0, 1, 0),
            (0, 0, 1),
        ]
        for row in rows:
            assert ratings.get_rating(session, "classic/multi", row.bot) == row
        assert ratings.get_leaderboard(session, "classic/multi", limit=1) == rows[:1]


def test_a_history_is_the_last_steps_oldest_first(world: World) -> None:
    games = world.planned("alpha", "bravo", deals=3)
    for game in games:
        world.record(game, (1, 2))

    with world.database.read() as session:
        history = ratings.get_rating_history(session, "classic/2", "alpha")
        last = ratings.get_rating_history(session, "classic/2", "alpha", limit=2)
        now = ratings.get_rating(session, "classic/2", "alpha")

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
        assert ratings.get_leaderboard(session, "classic/2") == ()
        assert ratings.get_rating(session, "classic/2", "alpha") is None
        assert ratings.get_rating_history(session, "classic/2", "alpha") == ()


@pytest.mark.parametrize("pool", ["", "classic", "classic/3", "classic/multi/2", "Classic/2"])
def test_a_malformed_pool_is_refused(world: World, pool: str) -> None:
    with world.database.read() as session, pytest.raises(InvalidError, match="is not a pool"):
        ratings.get_leaderboard(session, pool)
