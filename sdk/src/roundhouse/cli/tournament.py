"""`roundhouse tournament`: create round-robins, list them, and follow them."""

import time
from datetime import timedelta

import click
from rich.table import Table

from roundhouse.api.ladder.v1.ladder_pb2 import (
    CreateTournamentRequest,
    GetTournamentRequest,
    GetTournamentResponse,
    ListTournamentsRequest,
)
from roundhouse.api.ladder.v1.ladder_pb2_grpc import LadderServiceStub
from roundhouse.api.ladder.v1.tournament_pb2 import Crosstable, Tournament, TournamentStatus
from roundhouse.cli.choice import edition_option, variant_option
from roundhouse.cli.deals import deal_line, seat_table
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import progress, show, table
from roundhouse.cli.time_options import read_time_control, time_options
from roundhouse.codec import encode_time_control
from roundhouse.plaintext import one_line
from roundhouse.rules import EDITIONS
from roundhouse.rules import edition as rules_of

WATCH_SECONDS = 0.5
"""How often `--watch` asks: often enough for the eye, and nothing for a ladder to answer."""

STATUS_WORDS = {
    TournamentStatus.TOURNAMENT_STATUS_CREATED: "created",
    TournamentStatus.TOURNAMENT_STATUS_RUNNING: "running",
    TournamentStatus.TOURNAMENT_STATUS_FINISHED: "finished",
}

watch_option = click.option(
    "--watch", is_flag=True, help="Follow it until its last game has ended."
)


@click.group()
def tournament() -> None:
    """Create round-robins on a ladder, and follow them."""


@tournament.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--name", default="", help="What people call it; made from the date by default.")
@click.option(
    "--table-size",
    type=click.IntRange(1, 5),
    default=2,
    show_default=True,
    help="Seats at a table. Every table of that size meets.",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Deals per table; each is played once in every rotation of the seats.",
)
@edition_option
@variant_option
@click.option("--unrated", is_flag=True, help="Leave the ratings alone.")
@click.option(
    "--seed",
    metavar="HEX",
    help="64 hexadecimal digits. Deals that are known beforehand are never rated.",
)
@time_options
@watch_option
@ladder_option
def create(  # noqa: PLR0913, PLR0917 - one argument an option
    bots: tuple[str, ...],
    name: str,
    table_size: int,
    deals: int,
    edition: str,
    variants: tuple[str, ...],
    seed: str | None,
    target: str,
    *,
    bank: timedelta | None,
    increment: timedelta | None,
    decision_cap: timedelta | None,
    measure: str | None,
    unrated: bool,
    watch: bool,
) -> None:
    """Create a round-robin between bots of the ladder; their latest versions play."""
    if len(set(bots)) < len(bots):
        twice = next(bot for bot in bots if bots.count(bot) > 1)
        raise CommandError(f"{twice} is named twice; name each bot once.", ExitCode.USAGE)
    if len(bots) < table_size:
        raise CommandError(
            f"Tables of {table_size} need at least {table_size} bots; {len(bots)} named.",
            ExitCode.USAGE,
        )
    control = read_time_control(bank, increment, decision_cap, measure)
    request = CreateTournamentRequest(
        name=name,
        bots=bots,
        edition=edition,
        variants=variants,
        table_size=table_size,
        deals=deals,
        time_control=None if control is None else encode_time_control(control),
        seed=_read_seed(seed),
        unrated=unrated,
    )
    with open_ladder(target) as ladder:
        made = ladder.CreateTournament(request, timeout=CALL_SECONDS).tournament
        rated = "rated" if made.rated else "unrated"
        show(f"Tournament {made.id} ({made.name}) is created: {_title(made)}, {rated}.")
        if made.edition in EDITIONS and (notice := rules_of(made.edition).notice):
            show(notice)
        if watch:
            _follow(ladder, made.id)
            _report(_get(ladder, made.id, measure_deals=True))


@tournament.command(name="list")
@click.option(
    "--limit", type=click.IntRange(1, 500), default=20, show_default=True, help="How many at most."
)
@ladder_option
def list_command(limit: int, target: str) -> None:
    """List the tournaments, newest first."""
    with open_ladder(target) as ladder:
        request = ListTournamentsRequest(page_size=limit)
        found = ladder.ListTournaments(request, timeout=CALL_SECONDS).tournaments
    if not found:
        show("There is no tournament yet; `roundhouse tournament create` makes one.")
        return
    rows = [
        (
            one.id,
            one.name,
            f"{_title(one)}, {one.table_size} seats",
            len(one.bots),
            STATUS_WORDS.get(one.status, "?"),
            f"{one.finished_games}/{one.games}",
        )
        for one in found
    ]
    show(table(("id", "name", "edition", ">bots", "status", ">games"), rows))


@tournament.command(name="show")
@click.argument("tournament_id", metavar="ID")
@watch_option
@ladder_option
def show_command(tournament_id: str, target: str, *, watch: bool) -> None:
    """Show the progress and the crosstable of a tournament."""
    with open_ladder(target) as ladder:
        if watch:
            _follow(ladder, tournament_id)
        _report(_get(ladder, tournament_id, measure_deals=True))


def _get(
    ladder: LadderServiceStub, tournament_id: str, *, measure_deals: bool
) -> GetTournamentResponse:
    request = GetTournamentRequest(id=tournament_id, measure_deals=measure_deals)
    return ladder.GetTournament(request, timeout=CALL_SECONDS)


def _follow(ladder: LadderServiceStub, tournament_id: str) -> None:
    """Show a bar until the tournament has finished."""
    with progress() as bar:
        task = bar.add_task("games", total=None)
        said = ""
        while True:
            answer = _get(ladder, tournament_id, measure_deals=False)
            now = answer.tournament
            if answer.obstacle not in {"", said}:
                said = answer.obstacle
                show(_obstacle_line(answer))
            bar.update(task, completed=now.finished_games, total=now.games or None)
            if now.status == TournamentStatus.TOURNAMENT_STATUS_FINISHED:
                return
            time.sleep(WATCH_SECONDS)


def _title(one: Tournament) -> str:
    """Name edition and variants."""
    return " + ".join((one.edition, *one.variants))


def _report(answer: GetTournamentResponse) -> None:
    one: Tournament = answer.tournament
    rated = "rated" if one.rated else "unrated"
    show(
        f"{one.name} ({one.id}): {STATUS_WORDS.get(one.status, '?')}, "
        f"{one.finished_games} of {one.games} games, {_title(one)}, tables of {one.table_size}, "
        f"{one.deals} deals each, {rated}."
    )
    if answer.obstacle:
        show(_obstacle_line(answer))
    if answer.crosstable.cells:
        show(_crosstable(answer.crosstable))
    if answer.HasField("deals"):
        show(deal_line(answer.deals))
        show(seat_table(answer.deals))


def _obstacle_line(answer: GetTournamentResponse) -> str:
    return f"Games wait: {one_line(answer.obstacle)}"


def _crosstable(results: Crosstable) -> Table:
    """Lay out bot against bot: wins/draws/losses, and the mean margin in points."""
    cells = {
        (cell.bot, cell.opponent): (
            f"{cell.wins}/{cell.draws}/{cell.losses} {cell.mean_margin:+.0f}"
        )
        for cell in results.cells
    }
    rows = [
        (bot, *(cells.get((bot, other), "-") for other in results.bots)) for bot in results.bots
    ]
    columns = ("wins/draws/losses, margin", *(f">{bot}" for bot in results.bots))
    return table(columns, rows)


def _read_seed(text: str | None) -> bytes:
    if text is None:
        return b""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise CommandError(
            f"The seed of a tournament is 64 hexadecimal digits, not {text!r}.", ExitCode.USAGE
        )
    return seed
