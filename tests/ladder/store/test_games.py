"""The listing of games: complete, without doubles, and steady while games are recorded."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from ladder.domain.game import GameStatus
from ladder.errors import InvalidError, NotFoundError
from ladder.store.games import get_game, list_games

if TYPE_CHECKING:
    from tests.ladder.world import World


def walk(
    world: World,
    limit: int,
    *,
    tournament: str | None = None,
    bot: str | None = None,
    status: GameStatus | None = None,
) -> list[str]:
    shown, token = [], ""
    while True:
        with world.database.read() as session:
            page = list_games(
                session, tournament=tournament, bot=bot, status=status, limit=limit, token=token
            )
        assert len(page.items) <= limit
        shown += [game.id for game in page.items]
        token = page.next_token
        if not token:
            return shown


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6, 7, 500])
def test_finished_games_come_latest_first_and_then_the_planned_ones(
    world: World, limit: int
) -> None:
    games = world.planned("alpha", "bravo", deals=3)
    planned = [game.id for game in games]
    recorded = [planned[4], planned[0], planned[2]]
    for game in world.plan(world.create("alpha", "bravo")):
        world.record(game)
    for number in (4, 0, 2):
        world.record(games[number])
    others = ["g-0002-0-0-1", "g-0002-0-0-0"]
    left = [planned[1], planned[3], planned[5]]

    assert walk(world, limit) == [*recorded[::-1], *others, *left]
    assert walk(world, limit, tournament="t-0001") == [*recorded[::-1], *left]
    assert walk(world, limit, bot="bravo") == [*recorded[::-1], *others, *left]
    assert walk(world, limit, status=GameStatus.FINISHED) == [*recorded[::-1], *others]
    assert walk(world, limit, status=GameStatus.PLANNED) == left
    assert walk(world, limit, status=GameStatus.PLANNED, bot="alpha", tournament="t-0002") == []


def test_a_bots_games_are_its_own(world: World) -> None:
    planned = world.planned("alpha", "bravo", "charlie")
    for game in planned:
        world.record(game)
    theirs = [game.id for game in planned if "charlie" in (world.names[v] for v in game.versions)]

    assert walk(world, 3, bot="charlie") == theirs[::-1]


def test_a_game_recorded_between_two_pages_is_not_shown_twice(world: World) -> None:
    planned = world.planned("alpha", "bravo", deals=3)
    for game in planned[:4]:
        world.record(game)
    with world.database.read() as session:
        first = list_games(session, limit=2)
    world.record(planned[4])
    with world.database.read() as session:
        second = list_games(session, limit=2, token=first.next_token)

    assert [game.id for game in first.items + second.items] == [game.id for game in planned[3::-1]]


def test_unknown_filters_are_not_found(world: World) -> None:
    with world.database.read() as session:
        with pytest.raises(NotFoundError, match="no tournament 't-none'"):
            list_games(session, tournament="t-none")
        with pytest.raises(NotFoundError, match="no bot 'nobody'"):
            list_games(session, bot="nobody")
        with pytest.raises(NotFoundError, match="no game 'g-none'"):
            get_game(session, "g-none")


@pytest.mark.parametrize("position", ["games:", "games:finished-", "games:lost-1", "bots:alpha"])
def test_a_foreign_page_token_is_refused(world: World, position: str) -> None:
    token = base64.urlsafe_b64encode(position.encode()).decode()

    with world.database.read() as session, pytest.raises(InvalidError, match="page token"):
        list_games(session, token=token)
