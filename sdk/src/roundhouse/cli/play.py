"""`roundhouse play`: let bots play here, and count."""

import secrets
from collections.abc import Callable
from pathlib import Path

import click

from roundhouse.arena import Entrant, GameResult, play_match, summarise
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.cli.folders import HOUSE_BOTS, BotFolder, find_bots, load_bot
from roundhouse.cli.log import LOG_SUFFIX
from roundhouse.cli.referees import describe_host, host_sentence, open_referee
from roundhouse.cli.results import forfeit_lines, result_table
from roundhouse.cli.sandboxed import play_sandboxed
from roundhouse.cli.screen import progress, show
from roundhouse.replay import write_log
from roundhouse.rules import edition as edition_rules


@click.command(
    short_help="Let bots play here, and count.", epilog=f"House bots: {', '.join(HOUSE_BOTS)}."
)
@click.argument("bots", nargs=-1, metavar="A B [C...]")
@click.option(
    "--games", type=click.IntRange(min=1), default=10, show_default=True, help="How many games."
)
@click.option("--seed", help="Any word or number; the same seed deals the same cards.")
@click.option("--edition", default="classic", show_default=True, help="The edition of the rules.")
@click.option(
    "--sandbox", is_flag=True, help="Play as the server does: referee, clocks, sandboxes."
)
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for the logs, one file a game.",
)
def play(
    bots: tuple[str, ...],
    games: int,
    seed: str | None,
    edition: str,
    log_dir: Path | None,
    *,
    sandbox: bool,
) -> None:
    """Play games between bots: folders, or house bots by name.

    Each deal is played in every rotation of the seats, so --games is best a multiple of the number
    of bots. Without --sandbox the bots run in this process, fast and without clocks.
    """
    if len(bots) < 2:
        raise CommandError(f"A game needs at least two bots; {len(bots)} named.", ExitCode.USAGE)
    edition_rules(edition).require_seats(len(bots))
    folders = find_bots(bots)
    if log_dir:
        log_dir.mkdir(parents=True, exist_ok=True)
    chosen = seed or secrets.token_hex(4)
    results: list[GameResult] = []
    with progress() as bar:
        task = bar.add_task("games", total=games)

        def finished(result: GameResult) -> None:
            if log_dir:
                write_log(log_dir / f"{result.log.game_id}{LOG_SUFFIX}", result.log)
            results.append(result)
            bar.advance(task)

        play_games = _play_under_referee if sandbox else _play_here
        where = play_games(folders, games, chosen, edition, finished)
    show(result_table(summarise(results)))
    for line in forfeit_lines(results):
        show(line)
    again = "" if seed else f" (--seed {chosen} plays the same deals again)"
    show(f"{games} games of {edition}, seed {chosen}{again}.")
    show(where)
    if log_dir:
        show(f"The logs are in {log_dir}.")


def _play_here(
    bots: list[BotFolder],
    games: int,
    seed: str,
    edition: str,
    finished: Callable[[GameResult], None],
) -> str:
    """Play in this process, hand over each game as it ends, and say where it was played."""
    entrants = [Entrant(bot.name, load_bot(bot)) for bot in bots]
    for result in play_match(entrants, games=games, seed=seed, rules=edition_rules(edition)):
        finished(result)
    return "Played in this process, without clocks and isolation."


def _play_under_referee(
    bots: list[BotFolder],
    games: int,
    seed: str,
    edition: str,
    finished: Callable[[GameResult], None],
) -> str:
    """Do the same as `_play_here` under a referee."""
    with open_referee() as target:
        play_sandboxed(target, bots, games=games, seed=seed, edition=edition, finished=finished)
        return host_sentence(describe_host(target).host)
