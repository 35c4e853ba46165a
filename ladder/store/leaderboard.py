"""Leaderboards: ordered by the headline rating, with the live Elo beside it."""

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from ladder.domain.board import pool_of_board, require_board
from ladder.domain.leaderboard import Headline, LeaderboardRow
from ladder.models import BotRow, FitBotRow, RatingRow
from ladder.ratings import to_elo
from ladder.store.fits import list_superiorities


def get_leaderboard(
    session: Session, board: str, *, limit: int | None = None
) -> tuple[LeaderboardRow, ...]:
    """Return the rows of a board, the best first; none where nobody has played.

    On a board that is a pool as well, bots that have played since the last fit only come last, by
    their live Elo; other boards show what was fitted.

    Raises:
        InvalidError: there can be no such board.
    """
    require_board(board)
    query = _rows(board).order_by(
        FitBotRow.position.is_(None), FitBotRow.position, RatingRow.rating.desc(), BotRow.name
    )
    return tuple(_row(board, *columns) for columns in session.execute(query.limit(limit)))


def get_standing(session: Session, board: str, bot: str) -> LeaderboardRow | None:
    """Return a bot's row on a board, or None when it has not played there.

    Raises:
        InvalidError: there can be no such board.
    """
    require_board(board)
    columns = session.execute(_rows(board).where(BotRow.name == bot)).one_or_none()
    return None if columns is None else _row(board, *columns)


def list_neighbours(
    session: Session, board: str, bot: str, count: int
) -> tuple[tuple[str, float], ...]:
    """List so many bots above and below one, with its likelihood of superiority over each."""
    position = session.scalar(
        select(FitBotRow.position)
        .join(BotRow, BotRow.number == FitBotRow.bot_number)
        .where(FitBotRow.board == board, BotRow.name == bot)
    )
    if position is None:
        return ()
    around = range(max(position - count, 0), position + count + 1)
    names, chances = list_superiorities(session, board, around)
    if bot not in names:
        return ()
    own = chances[names.index(bot)]
    return tuple((name, chance) for name, chance in zip(names, own, strict=True) if name != bot)


def _rows(board: str) -> Select[str, FitBotRow, RatingRow]:
    fitted = (FitBotRow.bot_number == BotRow.number) & (FitBotRow.board == board)
    live = (RatingRow.bot_number == BotRow.number) & (RatingRow.pool == pool_of_board(board))
    is_fitted, is_rated = FitBotRow.board.is_not(None), RatingRow.pool.is_not(None)
    return (
        select(BotRow.name, FitBotRow, RatingRow)
        .select_from(BotRow)
        .outerjoin(FitBotRow, fitted)
        .outerjoin(RatingRow, live)
        .where(is_fitted | is_rated if _is_pool(board) else is_fitted)
    )


def _is_pool(board: str) -> bool:
    return board == pool_of_board(board)


def _row(board: str, bot: str, fitted: FitBotRow | None, live: RatingRow | None) -> LeaderboardRow:
    # A pool counts every game at once; the other boards count at their fits.
    counted = live if live is not None and _is_pool(board) else fitted
    assert counted is not None  # by the condition of the query
    return LeaderboardRow(
        rank=0 if fitted is None else fitted.rank,
        bot=bot,
        headline=None if fitted is None else _headline(fitted),
        rating=None if live is None else to_elo(live.rating),
        games=counted.games,
        wins=counted.wins,
        draws=counted.draws,
        losses=counted.games - counted.wins - counted.draws,
        mean_score=counted.score_sum / counted.games,
    )


def _headline(fitted: FitBotRow) -> Headline:
    return Headline(
        elo=fitted.elo,
        margin=fitted.margin,
        mean_margin=fitted.mean_margin,
        best_rank=fitted.best_rank,
        worst_rank=fitted.worst_rank,
        superiority=fitted.superiority,
        is_provisional=fitted.is_provisional,
        deal_groups=fitted.deal_groups,
    )
