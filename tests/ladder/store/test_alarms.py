"""The games that alarms look at, as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.errors import InvalidError
from ladder.store.alarms import last_watched_game, list_watched_games

if TYPE_CHECKING:
    from tests.ladder.world import World


def test_games_are_read_as_they_were_played(world: World) -> None:
    games = world.planned("alpha", "bravo", "charlie", table_size=3)
    world.record(games[0], (2, 1, 2), host="one")
    world.record(games[1], (1, 2, 3), host="two")

    with world.database.read() as session:
        first, second = list_watched_games(session, "classic/multi")
        assert list_watched_games(session, "classic/multi", limit=1) == (second,)
        assert list_watched_games(session, "classic/2") == ()
        assert last_watched_game(session, "classic/multi") == second.order == 2
        assert last_watched_game(session, "classic/2") == 0
        with pytest.raises(InvalidError, match="is not a pool"):
            list_watched_games(session, "classic")

    assert (first.order, first.host, first.placements) == (1, "one", (2, 1, 2))
    assert first.bots == ("alpha", "bravo", "charlie")
    assert second.bots == ("bravo", "charlie", "alpha")
    assert first.group == second.group
    assert first.versions == (second.versions[2], *second.versions[:2])
    assert [first.rank(seat) for seat in range(3)] == [0.25, 1, 0.25]
    assert [second.rank(seat) for seat in range(3)] == [1, 0.5, 0]


def test_unrated_games_are_not_looked_at(world: World) -> None:
    world.record(world.planned("alpha", "bravo", is_rated=False)[0])
    with world.database.read() as session:
        assert list_watched_games(session, "classic/2") == ()
