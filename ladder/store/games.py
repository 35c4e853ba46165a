"""Games, read: one, or a listing in which the last page costs as little as the first."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from ladder.domain.game import ForfeitReason, Game, GameSeat, GameStatus
from ladder.domain.page import Page
from ladder.errors import InvalidError, NotFoundError
from ladder.models import (
    BotRow,
    DealGroupRow,
    GameRow,
    RatingChangeRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from ladder.ratings import to_elo
from ladder.store.bots import bot_number
from ladder.store.paging import clamp_limit, decode_token, encode_token
from ladder.store.tournaments import find_row, named_variants

_GameQuery: TypeAlias = Select[GameRow, DealGroupRow, TournamentRow]

_LISTING = "games"
_POSITION = re.compile(r"(finished|planned)-([0-9]{1,18})", re.ASCII)


def get_game(session: Session, game_id: str) -> Game:
    """Return a game.

    Raises:
        NotFoundError: there is none with that identity.
    """
    games = _load(session, _games().where(GameRow.id == game_id))
    if not games:
        raise NotFoundError(f"There is no game {game_id!r}.")
    return games[0][1]


def list_games(
    session: Session,
    *,
    tournament: str | None = None,
    bot: str | None = None,
    status: GameStatus | None = None,
    limit: int = 0,
    token: str = "",
) -> Page[Game]:
    """List games: the finished ones, the latest first, then the others in the order of the plan.

    Raises:
        NotFoundError: there is no such tournament or bot.
        InvalidError: the token is not one of this listing's.
    """
    limit = clamp_limit(limit)
    after, number = _decode(token)
    conditions: list[ColumnElement[bool]] = []
    if tournament is not None:
        conditions.append(GameRow.tournament_number == find_row(session, tournament).number)
    query = _games()
    if bot is not None:
        query = query.join(SeatRow, SeatRow.game_number == GameRow.number)
        conditions.append(SeatRow.bot_number == bot_number(session, bot))
    query = query.where(*conditions)
    # With a bot, the index of its seats is walked, which repeats the numbers of the games.
    recorded = GameRow.recorded if bot is None else SeatRow.recorded
    planned_as = GameRow.number if bot is None else SeatRow.game_number
    found: list[tuple[str, Game]] = []
    if status is not GameStatus.PLANNED and after is not GameStatus.PLANNED:
        finished = query.where(recorded.is_not(None)).order_by(recorded.desc())
        if number is not None:
            finished = finished.where(recorded < number)
        found += _load(session, finished.limit(limit + 1))
    if status is not GameStatus.FINISHED and len(found) <= limit:
        planned = query.where(recorded.is_(None)).order_by(planned_as)
        if after is GameStatus.PLANNED:
            planned = planned.where(planned_as > number)
        found += _load(session, planned.limit(limit + 1 - len(found)))
    more = len(found) > limit
    return Page(
        tuple(game for _, game in found[:limit]),
        encode_token(_LISTING, found[limit - 1][0]) if more else "",
    )


def _decode(token: str) -> tuple[GameStatus | None, int | None]:
    position = decode_token(_LISTING, token)
    if not position:
        return None, None
    match = _POSITION.fullmatch(position)
    if match is None:
        raise InvalidError(f"{token!r} is not a page token of this listing.")
    return GameStatus(match[1]), int(match[2])


def _games() -> _GameQuery:
    return (
        select(GameRow, DealGroupRow, TournamentRow)
        .join(DealGroupRow, DealGroupRow.number == GameRow.deal_group_number)
        .join(TournamentRow, TournamentRow.number == GameRow.tournament_number)
    )


def _load(session: Session, query: _GameQuery) -> list[tuple[str, Game]]:
    """Return the games with their positions in the listing."""
    rows = session.execute(query).all()
    seats = _seats(session, [game.number for game, _, _ in rows])
    return [
        (_position(game), _game(game, group, tournament, tuple(seats[game.number])))
        for game, group, tournament in rows
    ]


def _position(game: GameRow) -> str:
    if game.recorded is None:
        return f"{GameStatus.PLANNED}-{game.number}"
    return f"{GameStatus.FINISHED}-{game.recorded}"


def _game(
    game: GameRow, group: DealGroupRow, tournament: TournamentRow, seats: tuple[GameSeat, ...]
) -> Game:
    return Game(
        id=game.id,
        tournament=tournament.id,
        pairing=group.pairing,
        deal=group.deal,
        rotation=game.rotation,
        status=GameStatus.PLANNED if game.recorded is None else GameStatus.FINISHED,
        seats=seats,
        is_rated=game.pool is not None,
        finished_at=game.finished_at,
        is_log_open=game.recorded is not None and group.unplayed == 0,
        edition=tournament.edition,
        variants=named_variants(tournament),
    )


def _seats(session: Session, games: Sequence[int]) -> defaultdict[int, list[GameSeat]]:
    query = (
        select(SeatRow, BotRow.name, VersionRow.hash, RatingChangeRow)
        .join(BotRow, BotRow.number == SeatRow.bot_number)
        .join(VersionRow, VersionRow.number == SeatRow.version_number)
        .outerjoin(
            RatingChangeRow,
            (RatingChangeRow.game_number == SeatRow.game_number)
            & (RatingChangeRow.seat == SeatRow.seat),
        )
        .where(SeatRow.game_number.in_(games))
        .order_by(SeatRow.game_number, SeatRow.seat)
    )
    seats: defaultdict[int, list[GameSeat]] = defaultdict(list)
    for row, bot, version, change in session.execute(query):
        seats[row.game_number].append(_seat(row, bot, version, change))
    return seats


def _seat(row: SeatRow, bot: str, version: str, change: RatingChangeRow | None) -> GameSeat:
    return GameSeat(
        bot=bot,
        version=version,
        placement=row.placement,
        score=row.score,
        forfeit=None if row.forfeit is None else ForfeitReason(row.forfeit),
        rating_before=None if change is None else to_elo(change.before),
        rating_change=None if change is None else to_elo(change.after - change.before),
    )
