"""The commands of `python -m ladder`; `up` and `demo` run everything on one machine."""

import importlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import closing

import click

from ladder.errors import LadderError
from ladder.ratings_commands import ratings
from ladder.schema import upgrade
from ladder.settings import Settings
from ladder.store.database import Database

INTERRUPTED = 128 + signal.SIGINT
_PASS_ON = {"ignore_unknown_options": True, "help_option_names": []}
"""For commands that read their own arguments."""


@click.group()
def cli() -> None:
    """Run the ladder of Roundhouse. docs/ladder.md lists the settings."""


@cli.command()
def serve() -> None:
    """Serve gRPC and the web pages until Ctrl-C."""
    from ladder.serving import serve as run  # noqa: PLC0415 - `migrate` needs no servers

    run(Settings.from_environment(os.environ))


@cli.command()
def migrate() -> None:
    """Bring the database up to this version's schema."""
    settings = Settings.from_environment(os.environ)
    settings.make_state_dir()
    with closing(Database.open(settings.database_url)) as database:
        is_changed = upgrade(database)
    click.echo("The database is migrated." if is_changed else "The database is up to date.")


@cli.command(context_settings=_PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def up(arguments: Sequence[str]) -> None:
    """Run all parts on this machine until Ctrl-C."""
    _run("ladder.embedded", arguments)


@cli.command(context_settings=_PASS_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def demo(arguments: Sequence[str]) -> None:
    """Run all parts, submit the house bots, play, and show the result."""
    _run("ladder.demo", arguments)


cli.add_command(ratings)


def _run(module: str, arguments: Sequence[str]) -> None:
    try:
        main: Callable[[list[str]], int] = importlib.import_module(module).main
        code = main(list(arguments))
    except KeyboardInterrupt:  # before the signals are its own
        code = INTERRUPTED
    sys.exit(code)


def run() -> None:
    """Run the command line; what goes wrong is one sentence on standard error, and exit code 1."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    for chatty in ("alembic", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    try:
        cli(prog_name="python -m ladder")
    except LadderError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
