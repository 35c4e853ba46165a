"""Whole deal groups, read."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.domain.deals import DealGroup, PlayedGame
from ladder.models import BotRow, DealGroupRow, GameRow, SeatRow
from ladder.store.tournaments import find_row

MOST_SEATS = 16_000
"""Seats of games read for one tournament: 4,000 deal groups of two, or 640 of five.

That is enough for an error of 3 %, and read in half a second.
"""


def list_deal_groups(
    session: Session, tournament_id: str, *, limit: int | None = None
) -> tuple[DealGroup, ...]:
    """Return whole deal groups of a tournament: the first deals of every pairing.

    Raises:
        NotFoundError: there is no such tournament.
    """
    tournament = find_row(session, tournament_id)
    chosen = (
        select(DealGroupRow.number)
        .where(DealGroupRow.tournament_number == tournament.number, DealGroupRow.unplayed == 0)
        .order_by(DealGroupRow.deal, DealGroupRow.pairing)
        .limit(limit or MOST_SEATS // tournament.table_size**2)
    )
    query = (
        select(
            DealGroupRow.number,
            DealGroupRow.pairing,
            GameRow.rotation,
            BotRow.name,
            SeatRow.placement,
            SeatRow.score,
        )
        .join(GameRow, GameRow.deal_group_number == DealGroupRow.number)
        .join(SeatRow, SeatRow.game_number == GameRow.number)
        .join(BotRow, BotRow.number == SeatRow.bot_number)
        .where(DealGroupRow.number.in_(chosen))
        .order_by(DealGroupRow.number, GameRow.rotation, SeatRow.seat)
    )
    return tuple(
        DealGroup(pairing, tuple(_game(seats) for _, seats in groupby(rows, itemgetter(2))))
        for (_, pairing), rows in groupby(session.execute(query), itemgetter(0, 1))
    )


def _game(seats: Iterable[Sequence[Any]]) -> PlayedGame:
    _, _, _, bots, placements, scores = zip(*seats, strict=True)
    return PlayedGame(bots, placements, scores)
