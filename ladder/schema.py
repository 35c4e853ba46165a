"""The schema of a database: bring it up to this version, or say why that cannot be."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from ladder.errors import SchemaError
from ladder.store.database import Database

_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x526F756E64  # "Round": one migration at a time on a shared PostgreSQL


def upgrade(database: Database) -> bool:
    """Bring the database to this version's schema, in one transaction.

    Returns whether anything was to be done.

    Raises:
        SchemaError: the database is of a newer version, or cannot be opened.
    """
    try:
        with database.connect() as connection:
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            before = _revision(connection)
            if before == _head():
                return False
            config = Config()
            config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            return True
    except DatabaseError as error:
        raise _unreachable(database, error) from error


def require_current(database: Database) -> None:
    """Check that the schema is this version's.

    Raises:
        SchemaError: it is older, newer, or it cannot be opened.
    """
    try:
        with database.connect() as connection:
            revision = _revision(connection)
    except DatabaseError as error:
        raise _unreachable(database, error) from error
    if revision != _head():
        raise SchemaError(
            f"The database {_shown(database)} has the schema {revision or '(none)'}, but this "
            f"version works with {_head()}; run `python -m ladder migrate` first."
        )


def _head() -> str:
    head = _scripts().get_current_head()
    assert head is not None  # the first migration ships with the package
    return head


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(_FOLDER))


def _revision(connection: Connection) -> str | None:
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None:
        try:
            _scripts().get_revision(revision)
        except CommandError:
            raise SchemaError(
                f"The database {connection.engine.url.render_as_string()} is of a newer version "
                f"(schema {revision}) than this program (schema {_head()}); "
                "install the newer version."
            ) from None
    return revision


def _shown(database: Database) -> str:
    return database.engine.url.render_as_string()  # hides the password


def _unreachable(database: Database, error: DatabaseError) -> SchemaError:
    reason = str(error.orig).strip().splitlines()[0]
    return SchemaError(
        f"The database {_shown(database)} cannot be opened ({reason}); "
        "check ROUNDHOUSE_DATABASE_URL."
    )
