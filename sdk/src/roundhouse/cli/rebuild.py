"""`roundhouse ratings rebuild`: the ladder's own command, for whoever runs one."""

import subprocess
import sys
from importlib.util import find_spec

import click

from roundhouse.cli.failure import CommandError
from roundhouse.cli.screen import show, waiting


@click.command(short_help="Recompute the live Elo from the logs.")
@click.option("--write", is_flag=True, help="Where they differ, store what the logs give.")
@click.option("--replay", is_flag=True, help="Play every game again as well (20 ms each).")
def rebuild(*, write: bool, replay: bool) -> None:
    """Compute every live Elo anew from the logs of the ladder on this machine.

    Each is compared bit by bit with what is stored. The first difference is printed, and the exit
    code is 1. The database is the one that ROUNDHOUSE_DATABASE_URL or ROUNDHOUSE_STATE_DIR names.
    """
    if find_spec("ladder") is None:
        raise CommandError(
            "`roundhouse ratings rebuild` runs where the ladder's database is, and this "
            "installation has no ladder."
        )
    options = [*(["--write"] if write else []), *(["--replay"] if replay else [])]
    with waiting("reading every log"):
        ended = subprocess.run(  # noqa: S603 - the words are ours
            # -P: a folder named `ladder` in the current one is not the ladder.
            [sys.executable, "-P", "-m", "ladder", "ratings", "rebuild", *options],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    if ended.stdout:
        show(ended.stdout.rstrip())
    if ended.returncode:
        said = ended.stderr.strip().splitlines()
        raise CommandError(
            said[-1] if said else f"The ladder's command ended with code {ended.returncode}."
        )
