"""`roundhouse check`: run here what a submission runs on the ladder."""

import secrets
from pathlib import Path

import click

from roundhouse.arena import Entrant, GameResult, play_match
from roundhouse.cli.failure import CommandError
from roundhouse.cli.folders import BotFolder, find_bots, find_folder, load_bot
from roundhouse.cli.referees import NoRefereeError, describe_host, host_sentence, open_referee
from roundhouse.cli.results import forfeit_lines
from roundhouse.cli.sandboxed import play_sandboxed
from roundhouse.cli.screen import show, waiting
from roundhouse.package import pack, read_package
from roundhouse.plaintext import printable
from roundhouse.rules import edition

EDITION = "classic"
"""The smoke game is of the edition that every pool of the ladder starts with."""


@click.command(short_help="Run here what a submission runs.")
@click.argument("folder", metavar="DIR")
def check(folder: str) -> None:
    """Check the bot in the folder DIR: its manifest, its archive, and one game against itself.

    The game is played in the sandbox where a referee can be had, else, if the bot is in Python, in
    this process.
    """
    path = find_folder(folder)
    archive = pack(path)
    package = read_package(archive)
    show(
        f"{package.manifest.name}: {len(package.files)} files, {len(archive)} bytes, "
        f"version {package.hash[:12]}."
    )
    with waiting("playing one game against itself"):
        result, where = _play_once(path)
    show(where)
    for line in forfeit_lines([result]):
        show(line)
    for forfeit in result.forfeits:
        if forfeit.output_tail:
            show(f"What {result.log.seats[forfeit.seat].bot} printed:")
            show(printable(forfeit.output_tail.decode(errors="replace")).rstrip())
    if result.forfeits:
        raise CommandError(f"{package.manifest.name} would not be accepted: it forfeited its game.")
    scores = " to ".join(str(standing.total) for standing in result.standings)
    show(f"One game against itself: {scores}. {package.manifest.name} is ready to be submitted.")


def _play_once(path: Path) -> tuple[GameResult, str]:
    bots = find_bots([str(path), str(path)])
    try:
        with open_referee() as target:
            return _play_under_referee(target, bots)
    except NoRefereeError as error:
        # Caught around the referee alone: what goes wrong in the game itself is not that.
        if (language := bots[0].manifest.language) != "python":
            raise CommandError(
                f"{error} A bot in {language} plays under a referee only."
            ) from error
        entrants = [Entrant(bot.name, load_bot(bot)) for bot in bots]
        [result] = play_match(entrants, games=1, seed=secrets.token_hex(8))
        return result, f"{error} The game was played in this process, without clock and isolation."


def _play_under_referee(target: str, bots: list[BotFolder]) -> tuple[GameResult, str]:
    results: list[GameResult] = []
    play_sandboxed(
        target,
        bots,
        games=1,
        seed=secrets.token_hex(8),
        rules=edition(EDITION),
        finished=results.append,
    )
    if not results:
        raise CommandError(f"The referee at {target} ended the lane without a result.")
    return results[0], host_sentence(describe_host(target).host)
