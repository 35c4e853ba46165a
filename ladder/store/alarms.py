"""The games that alarms look at, read."""

from itertools import groupby
from operator import attrgetter

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.domain.alarm import WatchedGame
from ladder.models import BotRow, GameRow, SeatRow
from ladder.store.ratings import require_pool

MOST_GAMES = 10_000
"""The last rated games of a pool that are looked at: some seconds at tables of five."""


def last_watched_game(session: Session, pool: str) -> int:
    """Return the recording order of the last rated game of a pool; 0 when there is none.

    Raises:
        InvalidError: the pool is not EDITION/2 or EDITION/multi.
    """
    require_pool(pool)
    query = (
        select(GameRow.recorded)
        .where(GameRow.pool == pool, GameRow.recorded.is_not(None))
        .order_by(GameRow.recorded.desc())
        .limit(1)
    )
    return session.scalar(query) or 0


def list_watched_games(
    session: Session, pool: str, *, limit: int = MOST_GAMES
) -> tuple[WatchedGame, ...]:
    """Return the last rated games of a pool, in recording order.

    Raises:
        InvalidError: the pool is not EDITION/2 or EDITION/multi.
    """
    require_pool(pool)
    last = (
        select(GameRow.number)
        .where(GameRow.pool == pool, GameRow.recorded.is_not(None))
        .order_by(GameRow.recorded.desc())
        .limit(limit)
    )
    query = (
        select(
            GameRow.recorded,
            GameRow.deal_group_number,
            GameRow.host,
            BotRow.name,
            SeatRow.version_number,
            SeatRow.placement,
        )
        .join(SeatRow, SeatRow.game_number == GameRow.number)
        .join(BotRow, BotRow.number == SeatRow.bot_number)
        .where(GameRow.number.in_(last))
        .order_by(GameRow.recorded, SeatRow.seat)
    )
    games = []
    for order, seats in groupby(session.execute(query), attrgetter("recorded")):
        rows = list(seats)
        assert order is not None  # recorded
        games.append(
            WatchedGame(
                order=order,
                group=rows[0].deal_group_number,
                host=rows[0].host or "",
                bots=tuple(row.name for row in rows),
                versions=tuple(row.version_number for row in rows),
                placements=tuple(row.placement for row in rows),
            )
        )
    return tuple(games)
