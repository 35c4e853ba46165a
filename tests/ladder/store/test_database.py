"""Transactions: what a reader sees, and what a writer leaves."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, StatementError

from ladder.errors import InvalidError, NotFoundError
from ladder.models import BotRow, VersionRow
from ladder.store import bots
from ladder.store.database import Database
from tests.ladder.world import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ladder.world import World


def test_a_failed_block_leaves_nothing(database: Database) -> None:
    bot = {"name": "alpha", "versions": 0, "created_at": NOW}

    with pytest.raises(IntegrityError), database.write() as session:
        session.execute(insert(BotRow), [bot, bot])  # the name is taken by then

    with database.read() as session:
        assert session.scalars(select(BotRow)).all() == []


def test_a_reader_sees_one_moment_while_others_write(world: World) -> None:
    world.add_bots("alpha")
    with world.database.read() as session:
        before = bots.list_bots(session)
        world.add_bots("bravo")
        assert bots.list_bots(session) == before
    with world.database.read() as session:
        assert len(bots.list_bots(session).items) == 2


def test_a_reader_changes_nothing(database: Database) -> None:
    with database.read() as session:
        session.add(BotRow(name="alpha", versions=0, created_at=NOW))

    with database.read() as session:
        assert session.scalars(select(BotRow)).all() == []


def test_foreign_keys_hold(database: Database) -> None:
    row = VersionRow(
        bot_number=99,
        position=1,
        hash="h",
        language="python",
        description="",
        size=1,
        submitted_at=NOW,
    )

    with pytest.raises(IntegrityError), database.write() as session:
        session.add(row)


def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises((StatementError, DBAPIError), match="no zone"), database.write() as session:
        session.add(BotRow(name="alpha", versions=0, created_at=datetime(2026, 1, 1)))  # noqa: DTZ001


def test_a_text_that_no_database_holds_is_wrong_and_no_fault_of_ours(database: Database) -> None:
    with pytest.raises((NotFoundError, InvalidError)), database.read() as session:
        bots.get_bot(session, "alpha\0")


def test_sqlite_is_set_up_to_last(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/ladder.sqlite3")
    with database.read() as session:
        found = {
            name: session.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    database.close()

    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
