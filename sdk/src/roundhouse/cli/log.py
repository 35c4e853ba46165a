"""`roundhouse log`: fetch the log of a game from the ladder."""

import re
from pathlib import Path

import click

from roundhouse.api.ladder.v1.ladder_pb2 import GetLogRequest
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show
from roundhouse.replay import load_log

LOG_SUFFIX = ".log.gz"
"""Ends the name of a log's file: a gzipped protobuf."""


@click.command(short_help="Fetch the log of a game from a ladder.")
@click.argument("game_id")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"The file to write; GAME_ID{LOG_SUFFIX} in this folder by default.",
)
@ladder_option
def log(game_id: str, output: Path | None, target: str) -> None:
    """Fetch the log of a game.

    A log can be read once its deal group has ended, when all rotations of its deal are played.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", game_id):
        raise CommandError(f"{game_id!r} is not the identity of a game.", ExitCode.USAGE)
    path = output or Path(game_id + LOG_SUFFIX)
    if path.exists():
        raise CommandError(f"{path} exists already; name another file with -o.")
    with open_ladder(target) as ladder:
        data = ladder.GetLog(GetLogRequest(game_id=game_id), timeout=CALL_SECONDS).log
    load_log(data)  # raises before a file is made that nobody could read
    path.write_bytes(data)
    show(f"{path}: read it with `roundhouse show`, check it with `roundhouse verify`.")
