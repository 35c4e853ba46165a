"""`roundhouse verify`: play logged games again and compare every state."""

from pathlib import Path

import click

from roundhouse.cli.failure import CommandError
from roundhouse.cli.log import LOG_SUFFIX
from roundhouse.cli.screen import progress, show
from roundhouse.errors import LogError
from roundhouse.replay import read_log
from roundhouse.replay import verify as verify_log


@click.command(short_help="Play logged games again and compare.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=click.Path(path_type=Path))
def verify(logs: tuple[Path, ...]) -> None:
    """Re-run the games in LOG files, or in all logs of a folder, from their seeds and actions.

    Names the first difference of each log that does not hold.
    """
    files = [file for path in logs for file in _files(path)]
    if len(files) == 1:  # its sentence is the whole report
        holds, sentence = _verify(files[0])
        if not holds:
            raise CommandError(sentence)
        show(sentence)
        return
    with progress() as bar:
        found = [(file, *_verify(file)) for file in bar.track(files, description="logs")]
    for file, _, sentence in found:
        show(f"{file}: {sentence}")
    failures = sum(not holds for _, holds, _ in found)
    if failures:
        raise CommandError(f"{failures} of {len(files)} logs failed.")


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob(f"*{LOG_SUFFIX}"))
    if not found:
        raise CommandError(f"The folder {path} holds no log (*{LOG_SUFFIX}).")
    return found


def _verify(file: Path) -> tuple[bool, str]:
    try:
        outcome = verify_log(read_log(file))
    except LogError as error:
        return False, str(error)
    return outcome.ok, outcome.sentence
