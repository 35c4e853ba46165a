"""The pools of the live Elo and the histories in them, read."""

import re
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.domain.leaderboard import RatingPoint
from ladder.errors import InvalidError
from ladder.models import BotRow, GameRow, RatingChangeRow, RatingRow
from ladder.ratings import to_elo

DEFAULT_POOL = "classic/2"
_POOL = re.compile(r"[a-z0-9-]{1,32}/(2|multi)", re.ASCII)


def list_pools(session: Session) -> tuple[str, ...]:
    """List the pools that have a rating, by name."""
    return tuple(session.scalars(select(RatingRow.pool).distinct().order_by(RatingRow.pool)))


def get_rating_history(
    session: Session, pool: str, bot: str, *, limit: int = 1000
) -> tuple[RatingPoint, ...]:
    """Return the last steps of a bot's rating in a pool, the oldest first.

    Raises:
        InvalidError: the pool is not EDITION/2 or EDITION/multi.
    """
    require_pool(pool)
    query = (
        select(
            GameRow.id,
            RatingChangeRow.recorded,
            GameRow.finished_at,
            RatingChangeRow.before,
            RatingChangeRow.after,
        )
        .join(GameRow, GameRow.number == RatingChangeRow.game_number)
        .join(BotRow, BotRow.number == RatingChangeRow.bot_number)
        .where(RatingChangeRow.pool == pool, BotRow.name == bot)
        .order_by(RatingChangeRow.recorded.desc())
        .limit(limit)
    )
    points = [_point(*row) for row in session.execute(query)]
    return tuple(reversed(points))


def require_pool(pool: str) -> None:
    """Raise `InvalidError` when that does not name a pool, whether or not it has a rating."""
    if not _POOL.fullmatch(pool):
        raise InvalidError(
            f"{pool!r} is not a pool; write EDITION/2 or EDITION/multi, such as {DEFAULT_POOL}."
        )


def _point(
    game_id: str, recorded: int, finished_at: datetime | None, before: int, after: int
) -> RatingPoint:
    assert finished_at is not None  # set where the change was made
    return RatingPoint(game_id, recorded, finished_at, to_elo(before), to_elo(after))
