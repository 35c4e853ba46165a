"""Migrations: from nothing to exactly the models, once, and never backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from ladder.errors import SchemaError
from ladder.models import Base
from ladder.schema import require_current, upgrade
from ladder.settings import parse_database_url
from ladder.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path


def test_an_empty_database_gets_the_tables_of_the_models(empty_database: Database) -> None:
    assert upgrade(empty_database)

    with empty_database.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
    require_current(empty_database)


def test_migrating_again_does_nothing(empty_database: Database) -> None:
    upgrade(empty_database)

    assert not upgrade(empty_database)


def test_a_database_of_a_newer_version_is_refused_in_a_sentence(database: Database) -> None:
    with database.connect() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    for attempt in (upgrade, require_current):
        with pytest.raises(SchemaError, match=r"newer version \(schema 9999\).*install the newer"):
            attempt(database)


def test_a_database_without_tables_is_named_before_serving(empty_database: Database) -> None:
    with pytest.raises(SchemaError, match=r"schema \(none\).*python -m ladder migrate"):
        require_current(empty_database)


def test_a_migration_that_fails_leaves_nothing(empty_database: Database) -> None:
    with empty_database.connect() as connection:
        connection.execute(text("CREATE TABLE games (number INTEGER)"))  # stands in the way

    with pytest.raises(Exception, match="games"):
        upgrade(empty_database)

    with empty_database.connect() as connection:
        assert not connection.dialect.has_table(connection, "bots")


def test_a_database_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    database = Database.open(parse_database_url(f"sqlite:///{tmp_path}/missing/ladder.sqlite3"))

    with pytest.raises(SchemaError, match=r"cannot be opened \(unable to open database file\)"):
        upgrade(database)


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ladder.sqlite3").write_text("Not a database, and long enough to be looked at." * 9)
    database = Database.open(parse_database_url(f"sqlite:///{tmp_path}/ladder.sqlite3"))

    for attempt in (upgrade, require_current):
        with pytest.raises(SchemaError, match=r"cannot be opened \(file is not a database\)"):
            attempt(database)


def test_the_sentence_hides_the_password() -> None:
    database = Database.open(parse_database_url("postgresql://u:secret@127.0.0.1:1/x"))

    with pytest.raises(SchemaError) as error:
        require_current(database)

    assert "secret" not in str(error.value)
    database.close()
