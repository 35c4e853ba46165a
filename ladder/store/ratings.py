"""The leaderboards and rating histories, read."""

import re
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ladder.domain.leaderboard import LeaderboardRow, RatingPoint
from ladder.errors import InvalidError
from ladder.models import BotRow, GameRow, RatingChangeRow, RatingRow
from ladder.ratings import to_elo

DEFAULT_POOL = "classic/2"
_POOL = re.compile(r"[a-z0-9-]{1,32}/(2|multi)", re.ASCII)


def list_pools(session: Session) -> tuple[str, ...]:
    """List the pools that have a rating, by name."""
    return tuple(session.scalars(select(RatingRow.pool).distinct().order_by(RatingRow.pool)))


def get_leaderboard(
    session: Session, pool: str, *, limit: int | None = None
) -> tuple[LeaderboardRow, ...]:
    """Return the rows of a pool, the best first; none for a pool in which nobody has played.

    Raises:
        InvalidError: the pool is not EDITION/2 or EDITION/multi.
    """
    require_pool(pool)
    query = (
        select(BotRow.name, RatingRow)
        .join(BotRow, BotRow.number == RatingRow.bot_number)
        .where(RatingRow.pool == pool)
        .order_by(RatingRow.rating.desc(), BotRow.name)
        .limit(limit)
    )
    rows: list[LeaderboardRow] = []
    rank, last = 0, None
    for position, (bot, row) in enumerate(session.execute(query), start=1):
        if row.rating != last:
            rank, last = position, row.rating
        rows.append(_row(rank, bot, row))
    return tuple(rows)


def get_rating(session: Session, pool: str, bot: str) -> LeaderboardRow | None:
    """Return a bot's row in a pool, or None when it has not played there.

    Raises:
        InvalidError: the pool is not EDITION/2 or EDITION/multi.
    """
    require_pool(pool)
    row = session.scalars(
        select(RatingRow)
        .join(BotRow, BotRow.number == RatingRow.bot_number)
        .where(RatingRow.pool == pool, BotRow.name == bot)
    ).one_or_none()
    if row is None:
        return None
    above = session.scalar(
        select(func.count())
        .select_from(RatingRow)
        .where(RatingRow.pool == pool, RatingRow.rating > row.rating)
    )
    return _row((above or 0) + 1, bot, row)


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


def _row(rank: int, bot: str, row: RatingRow) -> LeaderboardRow:
    return LeaderboardRow(
        rank=rank,
        bot=bot,
        rating=to_elo(row.rating),
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        mean_score=row.score_sum / row.games,
    )


def _point(
    game_id: str, recorded: int, finished_at: datetime | None, before: int, after: int
) -> RatingPoint:
    assert finished_at is not None  # set where the change was made
    return RatingPoint(game_id, recorded, finished_at, to_elo(before), to_elo(after))
