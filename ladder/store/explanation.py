"""The history of ratings, read with all that each change was computed from."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from ladder.domain.explanation import RatingExplanation, RatingStep, WithoutGame
from ladder.errors import InvalidError, NotFoundError
from ladder.models import BotRow, GameRow, RatingChangeRow, RatingRow, SeatRow
from ladder.ratings import Standing, to_elo
from ladder.statistics.explanation import OtherHistory, RatedGame, explain_seat
from ladder.store.bots import bot_number
from ladder.store.paging import clamp_limit
from ladder.store.ratings import require_pool

MOST_LATER_GAMES = 10_000
"""Games that are rated again to leave one out; some seconds, at tables of five."""

_BATCH = 2_000


def explain_rating(
    session: Session, pool: str, bot: str, *, game_id: str | None = None, limit: int = 0
) -> RatingExplanation:
    """Explain where a bot stands: its last changes, or the one that a game made.

    Raises:
        InvalidError: the pool is not EDITION/2 or EDITION/multi.
        NotFoundError: there is no such bot, or it has not played there, or not that game.
    """
    rating = _rating(session, pool, bot)
    conditions: list[ColumnElement[bool]] = [
        RatingChangeRow.bot_number == rating.bot_number,
        RatingChangeRow.pool == pool,
    ]
    if game_id is not None:
        conditions.append(RatingChangeRow.game_number == _rated_game(session, pool, game_id).number)
    numbers = session.scalars(
        select(RatingChangeRow.game_number)
        .where(*conditions)
        .order_by(RatingChangeRow.recorded.desc())
        .limit(clamp_limit(limit))
    ).all()
    if not numbers:
        raise NotFoundError(f"The game {game_id!r} did not change the rating of {bot!r}.")
    steps = [step for step in _steps(session, numbers) if step.bot == bot]
    return RatingExplanation(pool, bot, to_elo(rating.rating), rating.games, tuple(steps))


def explain_game(session: Session, game_id: str) -> tuple[RatingStep, ...]:
    """Return what a game did to the rating of each seat, in their order; nothing if unrated.

    Raises:
        NotFoundError: there is no such game.
    """
    number = session.scalar(select(GameRow.number).where(GameRow.id == game_id))
    if number is None:
        raise NotFoundError(f"There is no game {game_id!r}.")
    return _steps(session, [number])


def rate_without(session: Session, pool: str, bot: str, game_id: str) -> WithoutGame:
    """Return where a bot would stand had a game of the pool never been played.

    Raises:
        InvalidError: the pool is not one, or more games came after it than are rated again.
        NotFoundError: there is no such bot or game, or it was not rated in this pool.
    """
    rating = _rating(session, pool, bot)
    game = _rated_game(session, pool, game_id)
    later = (GameRow.recorded > game.recorded) & (GameRow.pool == pool)
    count = session.scalar(select(func.count()).select_from(GameRow).where(later)) or 0
    if count > MOST_LATER_GAMES:
        raise InvalidError(
            f"{count} rated games came after {game_id!r}; a game can be left out while no more "
            f"than {MOST_LATER_GAMES} did."
        )
    (left_out,) = _rated_games(session, GameRow.number == game.number)
    history = OtherHistory(left_out)
    history.rate(_rated_games(session, later))
    other = history.rating(rating.bot_number)
    return WithoutGame(
        game_id=game_id,
        rating=to_elo(rating.rating),
        rating_without=to_elo(rating.rating if other is None else other),
        games_rated_again=history.games_rated_again,
    )


def _rating(session: Session, pool: str, bot: str) -> RatingRow:
    require_pool(pool)
    row = session.get(RatingRow, (pool, bot_number(session, bot)))
    if row is None:
        raise NotFoundError(f"{bot!r} has not played a rated game in {pool}.")
    return row


def _rated_game(session: Session, pool: str, game_id: str) -> GameRow:
    row = session.scalar(select(GameRow).where(GameRow.id == game_id))
    if row is None:
        raise NotFoundError(f"There is no game {game_id!r}.")
    if row.pool != pool:
        raise NotFoundError(f"The game {game_id!r} was not rated in {pool}.")
    return row


def _steps(session: Session, games: Sequence[int]) -> tuple[RatingStep, ...]:
    """Return all changes that some games made, in recording order and by seat."""
    query = (
        select(RatingChangeRow, SeatRow.placement, BotRow.name, GameRow.id, GameRow.finished_at)
        .join(
            SeatRow,
            (SeatRow.game_number == RatingChangeRow.game_number)
            & (SeatRow.seat == RatingChangeRow.seat),
        )
        .join(GameRow, GameRow.number == RatingChangeRow.game_number)
        .join(BotRow, BotRow.number == RatingChangeRow.bot_number)
        .where(RatingChangeRow.game_number.in_(games))
        .order_by(RatingChangeRow.recorded, RatingChangeRow.seat)
    )
    tables: defaultdict[int, list[tuple[RatingChangeRow, str, Standing]]] = defaultdict(list)
    facts = {}
    for change, placement, name, game_id, finished_at in session.execute(query):
        assert placement is not None  # set where the change was made
        assert finished_at is not None
        standing = Standing(change.before, change.games_before, placement)
        tables[change.game_number].append((change, name, standing))
        facts[change.game_number] = game_id, finished_at
    steps = []
    for number, rows in tables.items():
        game_id, finished_at = facts[number]
        names = [name for _, name, _ in rows]
        table = [standing for _, _, standing in rows]
        for seat, (change, name, _) in enumerate(rows):
            steps.append(
                RatingStep(
                    game_id=game_id,
                    bot=name,
                    order=change.recorded,
                    finished_at=finished_at,
                    games_before=change.games_before,
                    before=to_elo(change.before),
                    after=to_elo(change.after),
                    pairs=tuple(explain_seat(names, table, seat)),
                )
            )
    return tuple(steps)


def _rated_games(session: Session, condition: ColumnElement[bool]) -> Iterator[RatedGame]:
    """Yield games as they were rated, in recording order."""
    query = (
        select(
            RatingChangeRow.recorded,
            RatingChangeRow.bot_number,
            RatingChangeRow.before,
            RatingChangeRow.games_before,
            SeatRow.placement,
        )
        .join(GameRow, GameRow.number == RatingChangeRow.game_number)
        .join(
            SeatRow,
            (SeatRow.game_number == RatingChangeRow.game_number)
            & (SeatRow.seat == RatingChangeRow.seat),
        )
        .where(condition)
        .order_by(RatingChangeRow.recorded, RatingChangeRow.seat)
        .execution_options(yield_per=_BATCH)
    )
    for _, seats in groupby(session.execute(query), attrgetter("recorded")):
        rows = list(seats)
        yield RatedGame(
            tuple(row.bot_number for row in rows),
            tuple(Standing(row.before, row.games_before, row.placement) for row in rows),
        )
