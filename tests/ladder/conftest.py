"""A migrated database of either kind: what holds on one must hold on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url, text

from ladder.models import Base
from ladder.schema import upgrade
from ladder.settings import parse_database_url
from ladder.store.database import Database
from tests.ladder.world import World
from tests.servers import create_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.server)]


@pytest.fixture(params=KINDS)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without tables."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/ladder.sqlite3"
    else:
        url = request.getfixturevalue("empty_postgres_url")
    database = Database.open(parse_database_url(url))
    yield database
    database.close()


@pytest.fixture
def sqlite_database(tmp_path: Path) -> Iterator[Database]:
    """A migrated SQLite file, for what does not depend on the kind."""
    database = Database.open(parse_database_url(f"sqlite:///{tmp_path}/ladder.sqlite3"))
    upgrade(database)
    yield database
    database.close()


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str) -> Iterator[Database]:
    """One database for the session: emptying it is ten times as fast as making one."""
    url = create_database(make_url(postgres_url), "ladder_tests")
    database = Database.open(parse_database_url(url.render_as_string(hide_password=False)))
    upgrade(database)
    yield database
    database.close()


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> Database:
    """A migrated database without rows."""
    if request.param == "sqlite":
        found: Database = request.getfixturevalue("sqlite_database")
        return found
    database: Database = request.getfixturevalue("migrated_postgres")
    with database.connect() as connection:
        names = ", ".join(table.name for table in Base.metadata.sorted_tables)
        connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY"))
        connection.execute(text("INSERT INTO recording_order (number, last) VALUES (1, 0)"))
    return database


@pytest.fixture
def world(database: Database) -> World:
    return World(database)
