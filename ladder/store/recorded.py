"""Recorded games with their logs and the rating changes stored for them, in recording order."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.models import (
    BotRow,
    GameRow,
    LogRow,
    RatingChangeRow,
    RatingRow,
    SeatRow,
    TournamentRow,
)

_BATCH = 200
"""Games at a time: logs have some 10 KB."""


@dataclass(frozen=True, slots=True)
class StoredChange:
    """What a game did to the rating of a seat, in units."""

    games_before: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """What the tables say about a recorded game, and its log."""

    id: str
    pool: str | None
    is_tournament_rated: bool
    seats: tuple[tuple[str, int | None, int | None], ...]
    """The bot, the placement and the score of each."""
    changes: tuple[StoredChange, ...]
    """By seat; none of an unrated game."""
    log: bytes


def read_recorded(session: Session) -> Iterator[RecordedGame]:
    """Yield every recorded game, in recording order."""
    last = 0
    while True:
        games = session.execute(
            select(GameRow, TournamentRow.is_rated, LogRow.data)
            .join(TournamentRow, TournamentRow.number == GameRow.tournament_number)
            .join(LogRow, LogRow.game_number == GameRow.number)
            .where(GameRow.recorded > last)
            .order_by(GameRow.recorded)
            .limit(_BATCH)
        ).all()
        if not games:
            return
        numbers = [game.number for game, _, _ in games]
        seats: dict[int, list[tuple[str, int | None, int | None]]] = {one: [] for one in numbers}
        for number, bot, placement, score in session.execute(
            select(SeatRow.game_number, BotRow.name, SeatRow.placement, SeatRow.score)
            .join(BotRow, BotRow.number == SeatRow.bot_number)
            .where(SeatRow.game_number.in_(numbers))
            .order_by(SeatRow.game_number, SeatRow.seat)
        ):
            seats[number].append((bot, placement, score))
        changes: dict[int, list[StoredChange]] = {one: [] for one in numbers}
        for row in session.scalars(
            select(RatingChangeRow)
            .where(RatingChangeRow.game_number.in_(numbers))
            .order_by(RatingChangeRow.game_number, RatingChangeRow.seat)
        ):
            changes[row.game_number].append(StoredChange(row.games_before, row.before, row.after))
        for game, is_rated, log in games:
            yield RecordedGame(
                game.id,
                game.pool,
                is_rated,
                tuple(seats[game.number]),
                tuple(changes[game.number]),
                log,
            )
        last = games[-1][0].recorded or 0
        session.expunge_all()


def list_ratings(session: Session) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the units and the games of every rating, by pool and bot."""
    query = select(RatingRow.pool, BotRow.name, RatingRow.rating, RatingRow.games).join(
        BotRow, BotRow.number == RatingRow.bot_number
    )
    return {(pool, bot): (rating, games) for pool, bot, rating, games in session.execute(query)}
