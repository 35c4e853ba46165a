"""`roundhouse play`: let bots play here, and count."""

import secrets
from collections.abc import Callable
from pathlib import Path

import click

from roundhouse.arena import Entrant, GameResult, play_match, summarise
from roundhouse.cli.choice import (
    choose_rules,
    edition_option,
    tickets_option,
    variant_option,
)
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.cli.folders import HOUSE_BOTS, BotFolder, find_bots, load_bot
from roundhouse.cli.log import LOG_SUFFIX
from roundhouse.cli.referees import describe_host, host_sentence, open_referee
from roundhouse.cli.results import forfeit_lines, result_table
from roundhouse.cli.sandboxed import play_sandboxed
from roundhouse.cli.screen import progress, show
from roundhouse.replay import write_log
from roundhouse.rules import RuleSet, describe_title


@click.command(
    short_help="Let bots play here, and count.", epilog=f"House bots: {', '.join(HOUSE_BOTS)}."
)
@click.argument("bots", nargs=-1, metavar="A B [C...]")
@click.option(
    "--games", type=click.IntRange(min=1), default=10, show_default=True, help="How many games."
)
@click.option("--seed", help="Any word or number; the same seed deals the same cards.")
@edition_option
@variant_option
@tickets_option
@click.option(
    "--sandbox", is_flag=True, help="Play as the server does: referee, clocks, sandboxes."
)
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for the logs, one file a game.",
)
def play(  # noqa: PLR0913 - one argument an option
    bots: tuple[str, ...],
    games: int,
    seed: str | None,
    edition: str,
    variants: tuple[str, ...],
    tickets: Path | None,
    log_dir: Path | None,
    *,
    sandbox: bool,
) -> None:
    """Play games between bots: folders, or house bots by name.

    Each deal is played in every rotation of the seats, so --games is best a multiple of the number
    of bots. Without --sandbox the bots run in this process, fast and without clocks.
    """
    rules = choose_rules(edition, variants, tickets)
    least = min(2, rules.min_seats)  # what is missing at such a table is the user's slip
    if len(bots) < least:
        number = "two bots" if least > 1 else "one bot"
        raise CommandError(f"A game needs at least {number}; {len(bots)} named.", ExitCode.USAGE)
    rules.require_seats(len(bots))
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
        where = play_games(folders, games, chosen, rules, finished)
    show(result_table(summarise(results)))
    for line in forfeit_lines(results):
        show(line)
    again = "" if seed else f" (--seed {chosen} plays the same deals again)"
    show(f"{games} games of {describe_title(rules)}, seed {chosen}{again}.")
    if rules.notice:
        show(rules.notice)
    show(where)
    if log_dir:
        show(f"The logs are in {log_dir}.")


def _play_here(
    bots: list[BotFolder],
    games: int,
    seed: str,
    rules: RuleSet,
    finished: Callable[[GameResult], None],
) -> str:
    """Play in this process, hand over each game as it ends, and say where it was played."""
    entrants = [Entrant(bot.name, load_bot(bot)) for bot in bots]
    for result in play_match(entrants, games=games, seed=seed, rules=rules):
        finished(result)
    return "Played in this process, without clocks and isolation."


def _play_under_referee(
    bots: list[BotFolder],
    games: int,
    seed: str,
    rules: RuleSet,
    finished: Callable[[GameResult], None],
) -> str:
    """Do the same as `_play_here` under a referee."""
    with open_referee() as target:
        play_sandboxed(target, bots, games=games, seed=seed, rules=rules, finished=finished)
        return host_sentence(describe_host(target).host)
