"""`roundhouse gate`: is a bot stronger than the one it would replace? Play until that is clear."""

import re
import secrets
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

import click

from roundhouse.arena import Entrant, GameResult, play_match
from roundhouse.cli.choice import choose_rules, tickets_option, variant_option
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.cli.folders import BotFolder, find_bots, load_bot
from roundhouse.cli.referees import describe_host, host_sentence, open_referee
from roundhouse.cli.results import forfeit_lines
from roundhouse.cli.sandboxed import play_sandboxed
from roundhouse.cli.screen import progress, show
from roundhouse.cli.trial import Trial, VerdictReached
from roundhouse.rules import EDITIONS, RuleSet, describe_title
from roundhouse.statistics import Gate, Hypotheses, Verdict

ROUND_DEALS = 16
"""Deals asked of a referee at a time: what is still in play at the verdict is thrown away."""

_MULTI_SEATS = 4
"""The table that stands for a pool of tables of three to five."""

_POOL = re.compile(r"([a-z0-9-]+)/([2-5]|multi)", re.ASCII)
_DEFAULT_EDITION = "classic"


class GateCode(IntEnum):
    """Name the exit codes of a gate that was played."""

    STRONGER = 0
    NOT_STRONGER = 1
    UNDECIDED = 3


@click.command(short_help="Test whether a bot is stronger than another.")
@click.argument("new", metavar="NEW")
@click.option(
    "--against",
    "old",
    multiple=True,
    required=True,
    metavar="OLD",
    help="The bot to beat. At larger tables it sits in all other seats, or name one for each.",
)
@click.option(
    "--pool",
    metavar="EDITION/SEATS",
    help=f"The game: seats are 2 to 5, or multi for {_MULTI_SEATS}.  "
    "[default: two seats of the edition]",
)
@click.option(
    "--edition",
    metavar="EDITION",
    help=f"The edition, where no pool names it: {', '.join(EDITIONS)}.  "
    f"[default: {_DEFAULT_EDITION}]",
)
@variant_option
@tickets_option
@click.option("--elo0", default=0.0, show_default=True, help="H0: stronger by this much at most.")
@click.option("--elo1", default=15.0, show_default=True, help="H1: stronger by this much.")
@click.option("--alpha", default=0.05, show_default=True, help="How often H1 may be wrong.")
@click.option("--beta", default=0.05, show_default=True, help="How often H0 may be wrong.")
@click.option(
    "--max-games",
    type=click.IntRange(min=1),
    default=20_000,
    show_default=True,
    help="Give up after so many games.",
)
@click.option("--seed", help="Any word or number; the same seed deals the same cards.")
@click.option(
    "--sandbox", is_flag=True, help="Play as the server does: referee, clocks, sandboxes."
)
def gate(  # noqa: PLR0913, PLR0917 - one argument an option
    new: str,
    old: tuple[str, ...],
    pool: str | None,
    edition: str | None,
    variants: tuple[str, ...],
    tickets: Path | None,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    max_games: int,
    seed: str | None,
    *,
    sandbox: bool,
) -> None:
    """Play NEW against OLD until it is clear whether NEW is stronger.

    A sequential probability ratio test over deal groups: each deal is played in every rotation, and
    play stops as soon as one of the hypotheses is accepted. Bots are folders, or house bots by
    name. Exit code 0: H1 is accepted, NEW is stronger. 1: H0 is accepted. 3: undecided.
    """
    name, seats = _read_pool(pool, edition)
    rules = choose_rules(name, variants, tickets)
    rules.require_seats(seats)
    bots = find_bots([new, *_others(old, seats)])
    try:
        trial = Trial(Gate(Hypotheses(elo0, elo1, alpha, beta)), seats)
    except ValueError as error:
        raise CommandError(str(error), ExitCode.USAGE) from error
    games = max_games - max_games % seats
    if games == 0:
        raise CommandError(
            f"--max-games {max_games} does not hold one deal group of {seats} games.",
            ExitCode.USAGE,
        )
    chosen = seed or secrets.token_hex(4)
    where = _play(trial, bots, games, chosen, rules, sandbox=sandbox)
    _report(trial, bots, f"{describe_title(rules)} with {seats} players", chosen, where)
    if rules.notice:
        show(rules.notice)
    raise SystemExit(
        {
            Verdict.H1: GateCode.STRONGER,
            Verdict.H0: GateCode.NOT_STRONGER,
            Verdict.OPEN: GateCode.UNDECIDED,
        }[trial.judgement.verdict]
    )


def _read_pool(pool: str | None, edition: str | None) -> tuple[str, int]:
    """Return the edition and the seats."""
    if pool is None:
        return edition or _DEFAULT_EDITION, 2
    found = _POOL.fullmatch(pool)
    if not found:
        raise CommandError(
            f"{pool!r} is not a pool; write EDITION/SEATS, such as classic/2 or classic/multi.",
            ExitCode.USAGE,
        )
    name, word = found.groups()
    if edition not in {None, name}:
        raise CommandError(
            f"--pool {pool} is a game of {name}, and --edition says {edition}: name one of them.",
            ExitCode.USAGE,
        )
    return name, _MULTI_SEATS if word == "multi" else int(word)


def _others(old: tuple[str, ...], seats: int) -> tuple[str, ...]:
    if len(old) == 1:
        return old * (seats - 1)
    if len(old) == seats - 1:
        return old
    raise CommandError(
        f"A table of {seats} has {seats - 1} other seats, and --against names {len(old)} bots: "
        f"name one, or {seats - 1}.",
        ExitCode.USAGE,
    )


def _play(
    trial: Trial, bots: list[BotFolder], games: int, seed: str, rules: RuleSet, *, sandbox: bool
) -> str:
    """Play until the verdict or the last game, and say where it was played."""
    with progress() as bar:
        task = bar.add_task(trial.line(), total=games)

        def finished(result: GameResult) -> None:
            trial.take(result)
            bar.update(task, advance=1, description=trial.line())

        play_games = _play_under_referee if sandbox else _play_here
        return play_games(bots, games, seed, rules, finished)


def _play_here(
    bots: list[BotFolder],
    games: int,
    seed: str,
    rules: RuleSet,
    finished: Callable[[GameResult], None],
) -> str:
    entrants = [Entrant(bot.name, load_bot(bot)) for bot in bots]
    try:
        for result in play_match(entrants, games=games, seed=seed, rules=rules):
            finished(result)
    except VerdictReached:
        pass
    return "Played in this process, without clocks and isolation."


def _play_under_referee(
    bots: list[BotFolder],
    games: int,
    seed: str,
    rules: RuleSet,
    finished: Callable[[GameResult], None],
) -> str:
    size = ROUND_DEALS * len(bots)
    with open_referee() as target:
        try:
            for first in range(0, games, size):
                play_sandboxed(
                    target,
                    bots,
                    games=min(size, games - first),
                    seed=seed,
                    rules=rules,
                    finished=finished,
                    first=first,
                )
        except VerdictReached:
            pass
        return host_sentence(describe_host(target).host)


def _report(trial: Trial, bots: list[BotFolder], what: str, seed: str, where: str) -> None:
    new, rivals = bots[0].name, ", ".join(dict.fromkeys(bot.manifest.name for bot in bots[1:]))
    tested = trial.gate.hypotheses
    groups = trial.scores.groups
    for line in forfeit_lines(trial.results):
        show(line)
    show(f"{new} against {rivals}, {what}: {groups} deal groups of {len(bots)} games, seed {seed}.")
    show(f"{trial.line()}.")
    if len(bots) == 2:
        show(f"Pairs by points 0, 1/2, 1, 3/2, 2: {', '.join(map(str, trial.scores.counts))}.")
    show(where)
    rates = f"alpha {tested.alpha:g}, beta {tested.beta:g}"
    match trial.judgement.verdict:
        case Verdict.H1:
            show(f"H1 is accepted: {tested.elo1:+g} Elo rather than {tested.elo0:+g} ({rates}).")
        case Verdict.H0:
            show(f"H0 is accepted: {tested.elo0:+g} Elo rather than {tested.elo1:+g} ({rates}).")
        case Verdict.OPEN:
            show(f"Undecided between {tested.elo0:+g} and {tested.elo1:+g} Elo ({rates}).")
