"""Recording: a game, its log, its ratings and all progress change together or not at all."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from ladder.domain.game import ForfeitReport, GameResult
from ladder.domain.tournament import TournamentStatus
from ladder.errors import InvalidError, NotFoundError
from ladder.models import (
    BotRow,
    ChunkRow,
    DealGroupRow,
    ForfeitReportRow,
    GameRow,
    LogRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from ladder.ratings import pool_of
from ladder.store.aborts import storable
from ladder.store.elo import RatedSeat, rate_game
from ladder.store.line import stand_in_line
from ladder.store.tournaments import tournament_value

_MAX_OUTPUT_BYTES = 64 * 1024
"""Of what a bot printed; the referee keeps as much."""


def record_game(
    session: Session,
    result: GameResult,
    log: bytes,
    reports: Sequence[ForfeitReport],
    now: datetime,
) -> bool:
    """Record a game that ended; return whether it had been recorded before.

    The first record stands: a second playing of the same game may have another outcome (clocks
    differ), and changes nothing.

    Raises:
        NotFoundError: no tournament has planned such a game.
        InvalidError: the log is of other rules, bots, seats or seed than was planned.
    """
    game = _find(session, result.game_id)
    if game.recorded is not None:
        return True
    tournament = session.get_one(TournamentRow, game.tournament_number)
    _require_planned(session, tournament, game, result)
    line = stand_in_line(session)
    session.refresh(game)
    if game.recorded is not None:  # by the recorder that stood before this one
        return True
    line.last += 1
    is_rated = tournament.is_rated and result.is_isolated
    game.recorded = line.last
    game.pool = pool_of(result.edition, len(result.seats)) if is_rated else None
    game.host = result.host
    game.started_at = result.started_at
    game.finished_at = result.finished_at
    session.add(LogRow(game_number=game.number, data=log))
    _add_reports(session, game, reports)
    seats = _record_seats(session, game, result)
    if game.pool is not None:
        rate_game(
            session,
            [
                RatedSeat(
                    recorded=line.last,
                    pool=game.pool,
                    game_number=game.number,
                    seat=row.seat,
                    bot_number=row.bot_number,
                    placement=seat.placement,
                    score=seat.score,
                )
                for row, seat in zip(seats, result.seats, strict=True)
            ],
        )
    _count_down(session, game, now)
    session.flush()
    return False


def _find(session: Session, game_id: str) -> GameRow:
    game = session.scalars(select(GameRow).where(GameRow.id == game_id)).one_or_none()
    if game is None:
        raise NotFoundError(f"No tournament has planned a game {game_id!r}.")
    return game


def _require_planned(
    session: Session, tournament: TournamentRow, game: GameRow, result: GameResult
) -> None:
    """Check a log against the plan, which nobody can change."""
    planned = tournament_value(session, tournament)
    seed = session.get_one(DealGroupRow, game.deal_group_number).seed
    seating = session.execute(
        select(BotRow.name, VersionRow.hash)
        .select_from(SeatRow)
        .join(BotRow, BotRow.number == SeatRow.bot_number)
        .join(VersionRow, VersionRow.number == SeatRow.version_number)
        .where(SeatRow.game_number == game.number)
        .order_by(SeatRow.seat)
    ).all()
    comparisons = (
        ("edition", result.edition, planned.edition),
        ("variants", result.variants, planned.variants),
        ("bots", result.bots, tuple(bot for bot, _ in seating)),
        ("versions", result.versions, tuple(version for _, version in seating)),
        ("time control", result.time_control, planned.time_control),
    )
    for what, found, wanted in comparisons:
        if found != wanted:
            raise InvalidError(
                f"The log of game {game.id} has the {what} {_shown(found)}, but the plan says "
                f"{_shown(wanted)}."
            )
    if result.seed != seed:  # neither is named: that of the plan is secret
        raise InvalidError(f"The log of game {game.id} has another seed than the plan.")


def _shown(value: object) -> str:
    return ", ".join(value) or "none" if isinstance(value, tuple) else str(value)


def _record_seats(session: Session, game: GameRow, result: GameResult) -> Sequence[SeatRow]:
    seats = session.scalars(
        select(SeatRow).where(SeatRow.game_number == game.number).order_by(SeatRow.seat)
    ).all()
    for row, seat in zip(seats, result.seats, strict=True):
        row.recorded = game.recorded
        row.placement = seat.placement
        row.score = seat.score
        row.forfeit = seat.forfeit
    return seats


def _add_reports(session: Session, game: GameRow, reports: Sequence[ForfeitReport]) -> None:
    by_seat = {report.seat: report for report in reports}
    session.add_all(
        ForfeitReportRow(
            game_number=game.number,
            seat=seat,
            sentence=storable(report.sentence),
            output_tail=report.output_tail[-_MAX_OUTPUT_BYTES:],
            evidence=report.evidence,
        )
        for seat, report in by_seat.items()
    )


def _count_down(session: Session, game: GameRow, now: datetime) -> None:
    """Move deal group, chunk and tournament on by one game; the last one ends the tournament."""
    session.execute(
        update(DealGroupRow)
        .where(DealGroupRow.number == game.deal_group_number)
        .values(unplayed=DealGroupRow.unplayed - 1)
    )
    session.execute(
        update(ChunkRow)
        .where(ChunkRow.number == game.chunk_number)
        .values(unplayed=ChunkRow.unplayed - 1)
    )
    session.execute(
        update(TournamentRow)
        .where(TournamentRow.number == game.tournament_number)
        .values(finished_games=TournamentRow.finished_games + 1)
    )
    session.execute(
        update(TournamentRow)
        .where(
            TournamentRow.number == game.tournament_number,
            TournamentRow.finished_games == TournamentRow.games,
        )
        .values(status=TournamentStatus.FINISHED, finished_at=now)
    )
