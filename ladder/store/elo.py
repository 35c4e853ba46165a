"""Live Elo in the database: changed where a game is recorded, and made anew in the same order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from ladder.models import GameRow, RatingChangeRow, RatingRow, SeatRow
from ladder.ratings import START, Standing, rating_changes
from ladder.store.line import stand_in_line

_BATCH = 2_000
"""Games that a rebuild reads and writes at a time; it bounds the memory."""

_SeatColumns = tuple[int, str, int, int, int, int, int]
"""What a `RatedSeat` is made of; in a recorded, rated game none of it is NULL."""


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """How a seat of a rated game ended."""

    recorded: int
    """The place of the game in the recording order."""
    pool: str
    game_number: int
    seat: int
    bot_number: int
    placement: int
    score: int


def rate_game(session: Session, seats: Sequence[RatedSeat]) -> None:
    """Apply one game to the ratings of its pool. The caller stands in line."""
    bots = [seat.bot_number for seat in seats]
    ratings = {
        row.bot_number: row
        for row in session.scalars(
            select(RatingRow).where(RatingRow.pool == seats[0].pool, RatingRow.bot_number.in_(bots))
        )
    }
    for bot in bots:
        if bot not in ratings:
            ratings[bot] = new = _new_rating(seats[0].pool, bot)
            session.add(new)
    changes = _apply([ratings[bot] for bot in bots], seats)
    session.flush()
    session.execute(insert(RatingChangeRow), changes)


def rebuild_ratings(session: Session) -> int:
    """Make every rating anew from the recorded games, in recording order; return their number.

    The result is the same to the last digit as what recording made: the same function is applied
    to the same integers in the same order.
    """
    stand_in_line(session)
    session.execute(delete(RatingChangeRow))
    session.execute(delete(RatingRow))
    session.expunge_all()  # rows that the session remembers are gone
    ratings: dict[tuple[str, int], RatingRow] = {}
    games = 0
    for batch in _rated_games(session):
        changes: list[dict[str, Any]] = []
        for _, group in groupby(batch, attrgetter("recorded")):
            seats = list(group)
            for seat in seats:
                key = (seat.pool, seat.bot_number)
                if key not in ratings:
                    ratings[key] = _new_rating(*key)
            changes += _apply([ratings[seat.pool, seat.bot_number] for seat in seats], seats)
            games += 1
        session.execute(insert(RatingChangeRow), changes)
    session.add_all(ratings.values())
    session.flush()
    return games


def _rated_games(session: Session) -> Iterator[list[RatedSeat]]:
    """Yield the seats of all rated games in recording order, some games at a time."""
    last = 0
    while True:
        numbers = session.scalars(
            select(GameRow.recorded)
            .where(GameRow.recorded > last, GameRow.pool.is_not(None))
            .order_by(GameRow.recorded)
            .limit(_BATCH)
        ).all()
        if not numbers:
            return
        query = (
            select(
                GameRow.recorded,
                GameRow.pool,
                SeatRow.game_number,
                SeatRow.seat,
                SeatRow.bot_number,
                SeatRow.placement,
                SeatRow.score,
            )
            .join(SeatRow, SeatRow.game_number == GameRow.number)
            .where(
                GameRow.recorded > last,
                GameRow.recorded <= numbers[-1],
                GameRow.pool.is_not(None),
            )
            .order_by(GameRow.recorded, SeatRow.seat)
        )
        rows = cast("Sequence[_SeatColumns]", session.execute(query).all())
        yield [RatedSeat(*row) for row in rows]
        assert numbers[-1] is not None
        last = numbers[-1]


def _new_rating(pool: str, bot_number: int) -> RatingRow:
    return RatingRow(
        pool=pool,
        bot_number=bot_number,
        rating=START,
        games=0,
        wins=0,
        draws=0,
        losses=0,
        score_sum=0,
    )


def _apply(ratings: Sequence[RatingRow], seats: Sequence[RatedSeat]) -> list[dict[str, Any]]:
    """Change the ratings by one game; return the rows of the history."""
    changes = rating_changes(
        [
            Standing(rating.rating, rating.games, seat.placement)
            for rating, seat in zip(ratings, seats, strict=True)
        ]
    )
    first = sum(seat.placement == 1 for seat in seats)
    history = []
    for rating, seat, change in zip(ratings, seats, changes, strict=True):
        history.append(
            {
                "game_number": seat.game_number,
                "seat": seat.seat,
                "bot_number": seat.bot_number,
                "pool": seat.pool,
                "recorded": seat.recorded,
                "games_before": rating.games,
                "before": rating.rating,
                "after": rating.rating + change,
            }
        )
        rating.rating += change
        rating.games += 1
        rating.wins += seat.placement == 1 and first == 1
        rating.draws += seat.placement == 1 and first > 1
        rating.losses += seat.placement != 1
        rating.score_sum += seat.score
    return history
