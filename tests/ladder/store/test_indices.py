"""Every listing walks an index: no page sorts or scans a table that grows with the ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from ladder.domain.game import GameStatus
from ladder.store import bots, games, leases, ratings, tournaments
from tests.ladder.world import NOW, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from ladder.store.database import Database

IN_ORDER_OF_KEYS = "SCAN tournaments"  # from its end, as far as the page goes


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    return sqlite_database


def query_plan(database: Database, read: Callable[[Session], Any]) -> list[str]:
    """Return what SQLite says about each statement that `read` sends."""
    sent: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:  # noqa: ANN401
        sent.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    with database.read() as session:
        read(session)
    event.remove(database.engine, "before_cursor_execute", note)
    with database.engine.connect() as connection:
        return [
            row[-1]
            for statement, parameters in sent
            if statement.startswith("SELECT")
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]


@pytest.mark.parametrize(
    "read",
    [
        games.list_games,
        lambda session: games.list_games(session, bot="alpha"),
        lambda session: games.list_games(session, tournament="t-0001"),
        lambda session: games.list_games(session, bot="alpha", status=GameStatus.FINISHED),
        lambda session: games.list_games(session, bot="alpha", status=GameStatus.PLANNED),
        lambda session: games.get_game(session, "g-0001-0-0-0"),
        bots.list_bots,
        lambda session: bots.list_versions(session, "alpha"),
        tournaments.list_tournaments,
        lambda session: ratings.get_rating_history(session, "classic/2", "alpha"),
        lambda session: leases.list_free_chunks(session, NOW),
    ],
)
def test_a_page_is_read_through_an_index(world: World, read: Callable[[Session], Any]) -> None:
    for game in world.planned("alpha", "bravo", deals=3)[:4]:
        world.record(game)

    plan = query_plan(world.database, read)

    assert plan
    for line in plan:
        assert not line.startswith("SCAN ") or "INDEX" in line or line == IN_ORDER_OF_KEYS, plan
        assert "TEMP B-TREE FOR ORDER BY" not in line, plan
