"""The database: where it is, how it is opened, and what a transaction means on either kind."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DataError
from sqlalchemy.orm import Session

from ladder.errors import InvalidError

_WRITES = "roundhouse_writes"
_BUSY_MILLISECONDS = 30_000
"""How long a writer waits for the one before it. Transactions take milliseconds."""


class Database:
    """A SQLite file or a PostgreSQL database. Threads may share one; processes open their own."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            self._reader = engine
        else:
            self._reader = engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        self._writer = engine.execution_options(**{_WRITES: True})

    @classmethod
    def open(cls, url: URL | str) -> "Database":
        """Open a database; nothing is connected before the first transaction."""
        return cls(create_engine(make_url(url), pool_pre_ping=True))

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of this machine."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Read in one consistent snapshot; whatever is changed in it is dropped."""
        with _named(), Session(self._reader, autoflush=False) as session:
            yield session  # closing rolls back

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Write in one transaction: all of it at the end of the block, or nothing.

        On SQLite the lock is taken at the beginning (BEGIN IMMEDIATE): a transaction that reads
        first and writes then would otherwise fail when another one wrote in between.
        """
        with _named(), Session(self._writer) as session, session.begin():
            yield session

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Open a writing transaction without the mapping, for migrations."""
        with self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every pooled connection."""
        self.engine.dispose()


@contextmanager
def _named() -> Iterator[None]:
    """Name a value that the database cannot hold for what it is: wrong, whoever sent it."""
    try:
        yield
    except DataError as error:
        raise InvalidError(
            "The request has a value that no database holds: a NUL character in a text, or a "
            "number that is too large."
        ) from error


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions of its own accord
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    cursor.execute("PRAGMA journal_mode = WAL")  # readers do not wait for the writer
    cursor.execute("PRAGMA synchronous = FULL")  # a recorded game outlives a power cut
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
