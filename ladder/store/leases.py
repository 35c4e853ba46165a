"""Who plays which chunk. A lease that has run out is as good as none: its worker has died."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, literal_column, or_, select
from sqlalchemy.orm import Session

from ladder.domain.game import PlannedGame
from ladder.domain.tournament import Tournament
from ladder.errors import NotFoundError, WrongMomentError
from ladder.models import (
    AbortRow,
    BotRow,
    ChunkRow,
    DealGroupRow,
    GameRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from ladder.store.tournaments import tournament_value

MOST_CHUNKS = 5_000
"""In one listing: more than all workers start before they ask again."""


@dataclass(frozen=True, slots=True)
class Lease:
    """What a worker needs in order to play a chunk."""

    tournament: Tournament
    games: tuple[PlannedGame, ...]
    """Those that are still to be played, in the order of the plan."""
    bots: tuple[str, ...]
    """The names, in seat order."""
    aborts: int
    """How often these games could not be played so far."""


def list_free_chunks(session: Session, now: datetime) -> tuple[str, ...]:
    """List the oldest chunks with unplayed games that nobody holds."""
    query = (
        select(ChunkRow.id)
        .where(
            ChunkRow.unplayed > literal_column("0"),  # not bound: as in the partial index
            or_(ChunkRow.leased_until.is_(None), ChunkRow.leased_until <= now),
        )
        .order_by(ChunkRow.number)
        .limit(MOST_CHUNKS)
    )
    return tuple(session.scalars(query))


def lease_chunk(
    session: Session, chunk_id: str, worker: str, now: datetime, duration: timedelta
) -> Lease:
    """Give a chunk to a worker until `now + duration`.

    The worker that holds it already gets it again: it has lost the first answer.

    Raises:
        NotFoundError: there is no such chunk.
        WrongMomentError: another worker holds it, or nothing of it is left to be played.
    """
    chunk = _lock(session, chunk_id)
    if chunk.unplayed == 0:
        raise WrongMomentError(f"Every game of chunk {chunk_id} has been played.")
    if chunk.leased_by != worker and _is_live(chunk, now):
        raise WrongMomentError(f"The chunk {chunk_id} is leased to {chunk.leased_by}.")
    chunk.leased_by = worker
    chunk.leased_until = now + duration
    session.flush()
    games, bots = _unplayed(session, chunk)
    tournament = session.get_one(TournamentRow, chunk.tournament_number)
    return Lease(tournament_value(session, tournament), games, bots, _count_aborts(session, chunk))


def renew_lease(
    session: Session, chunk_id: str, worker: str, now: datetime, duration: timedelta
) -> None:
    """Hold a lease until `now + duration`, even one that ran out while nobody wanted it.

    Raises:
        NotFoundError: there is no such chunk.
        WrongMomentError: the worker holds it no longer.
    """
    chunk = _lock(session, chunk_id)
    if chunk.leased_by != worker:
        holder = "nobody" if chunk.leased_by is None else chunk.leased_by
        raise WrongMomentError(f"The chunk {chunk_id} is leased to {holder}, not to {worker}.")
    chunk.leased_until = now + duration
    session.flush()


def release_lease(session: Session, chunk_id: str, worker: str) -> None:
    """Give a lease back; one that the worker does not hold stays as it is.

    Raises:
        NotFoundError: there is no such chunk.
    """
    chunk = _lock(session, chunk_id)
    if chunk.leased_by == worker:
        chunk.leased_by = chunk.leased_until = None
        session.flush()


def _lock(session: Session, chunk_id: str) -> ChunkRow:
    chunk = session.scalars(
        select(ChunkRow).where(ChunkRow.id == chunk_id).with_for_update()
    ).one_or_none()
    if chunk is None:
        raise NotFoundError(f"There is no chunk {chunk_id!r}.")
    return chunk


def _is_live(chunk: ChunkRow, now: datetime) -> bool:
    return chunk.leased_until is not None and chunk.leased_until > now


def _unplayed(session: Session, chunk: ChunkRow) -> tuple[tuple[PlannedGame, ...], tuple[str, ...]]:
    games = session.execute(
        select(GameRow, DealGroupRow)
        .join(DealGroupRow, DealGroupRow.number == GameRow.deal_group_number)
        .where(GameRow.chunk_number == chunk.number, GameRow.recorded.is_(None))
        .order_by(GameRow.number)
    ).all()
    seating = session.execute(  # the same in every game of a chunk
        select(BotRow.name, VersionRow.hash)
        .select_from(SeatRow)
        .join(BotRow, BotRow.number == SeatRow.bot_number)
        .join(VersionRow, VersionRow.number == SeatRow.version_number)
        .where(SeatRow.game_number == games[0][0].number)
        .order_by(SeatRow.seat)
    ).all()
    versions = tuple(version for _, version in seating)
    return (
        tuple(
            PlannedGame(
                id=game.id,
                chunk=chunk.id,
                pairing=group.pairing,
                deal=group.deal,
                rotation=game.rotation,
                seed=group.seed,
                versions=versions,
            )
            for game, group in games
        ),
        tuple(bot for bot, _ in seating),
    )


def _count_aborts(session: Session, chunk: ChunkRow) -> int:
    query = (
        select(func.count())
        .select_from(AbortRow)
        .join(GameRow, GameRow.number == AbortRow.game_number)
        .where(GameRow.chunk_number == chunk.number, GameRow.recorded.is_(None))
    )
    return session.scalar(query) or 0
