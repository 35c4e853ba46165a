"""`roundhouse games`: the games of a ladder, with the identities that `roundhouse log` takes."""

import click

from roundhouse.api.ladder.v1.ladder_pb2 import ListGamesRequest
from roundhouse.api.ladder.v1.record_pb2 import GameRecord, GameSeat, GameStatus
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show, table
from roundhouse.verdict import REASON_NAMES


@click.command(short_help="List games of a ladder.")
@click.option("--tournament", default="", metavar="ID", help="Only those of this tournament.")
@click.option("--bot", default="", metavar="NAME", help="Only those of this bot.")
@click.option(
    "--limit", type=click.IntRange(1, 500), default=20, show_default=True, help="How many at most."
)
@ladder_option
def games(tournament: str, bot: str, limit: int, target: str) -> None:
    """List games, newest first: seats in turn order, each with its placement and score."""
    request = ListGamesRequest(tournament_id=tournament, bot=bot, page_size=limit)
    with open_ladder(target) as ladder:
        found = ladder.ListGames(request, timeout=CALL_SECONDS).games
    if not found:
        show("There is no such game.")
        return
    rows = [(game.game_id, game.tournament_id, _seats(game), _log(game)) for game in found]
    show(table(("game", "tournament", "seats", "log"), rows))


def _seats(game: GameRecord) -> str:
    if game.status != GameStatus.GAME_STATUS_FINISHED:
        return ", ".join(seat.bot for seat in game.seats) + " (to be played)"
    return ", ".join(f"{seat.bot} {seat.placement}. {_score(seat)}" for seat in game.seats)


def _score(seat: GameSeat) -> str:
    return f"{seat.score}" if not seat.forfeit else f"forfeit {REASON_NAMES[seat.forfeit]}"


def _log(game: GameRecord) -> str:
    if game.status != GameStatus.GAME_STATUS_FINISHED:
        return "-"
    return "open" if game.log_open else "closed"
