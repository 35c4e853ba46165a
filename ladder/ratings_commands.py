"""`python -m ladder ratings`: compare the live Elo with the logs, and fit the boards by hand."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

import click

from ladder.errors import LadderError
from ladder.schema import require_current
from ladder.settings import Settings
from ladder.store.database import Database


@click.group()
def ratings() -> None:
    """Recompute what can be recomputed. docs/ratings.md has the formulas."""


@ratings.command()
@click.option("--write", is_flag=True, help="Where they differ, store what the logs give.")
@click.option("--replay", is_flag=True, help="Play every game again as well (20 ms each).")
def rebuild(*, write: bool, replay: bool) -> None:
    """Compute every live Elo anew from the logs, and compare it bit by bit.

    All logs are read in recording order. The first difference is printed, and the exit code is 1,
    also where --write has mended it.
    """
    # Imported here, since it reads logs and the other commands do not.
    from ladder.recomputation import compare_with_logs, mend  # noqa: PLC0415

    with _open() as (database, _):
        if write:
            with database.write() as session:
                found = mend(session, is_replayed=replay)
        else:
            with database.read() as session:
                found = compare_with_logs(session, is_replayed=replay)
    if found.difference is not None:
        if write and found.is_mendable:
            click.echo("The ratings are stored as the logs give them.")
        raise LadderError(found.difference)
    click.echo(
        f"{found.games} logs, {found.rated} of rated games: every rating is the same to the last "
        "bit."
    )


@ratings.command()
def fit() -> None:
    """Fit all boards of the headline rating, as `serve` does by itself after each tournament."""
    from ladder.fitting import fit_boards  # noqa: PLC0415 - `rebuild` needs no numerics
    from ladder.service.server import utc_now  # noqa: PLC0415 - nor servers

    with _open() as (database, settings):
        names = fit_boards(database, settings.anchor_bot, utc_now)
    click.echo(f"Fitted: {', '.join(names) or 'nothing, since there are no rated games'}.")


@contextmanager
def _open() -> Iterator[tuple[Database, Settings]]:
    settings = Settings.from_environment(os.environ)
    with closing(Database.open(settings.database_url)) as database:
        require_current(database)
        yield database, settings
