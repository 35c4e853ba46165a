"""A migrated database of either kind: what holds on one must hold on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.schema import upgrade
from ladder.settings import parse_database_url
from ladder.store.database import Database
from tests.ladder.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/ladder.sqlite3"
    else:
        url = request.getfixturevalue("empty_postgres_url")
    database = Database.open(parse_database_url(url))
    yield database
    database.close()


@pytest.fixture
def database(empty_database: Database) -> Database:
    upgrade(empty_database)
    return empty_database


@pytest.fixture
def world(database: Database) -> World:
    return World(database)
