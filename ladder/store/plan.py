"""The plans of tournaments, which workers make and the database keeps."""

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from ladder.domain.game import PlannedGame
from ladder.domain.plan import check_plan, plan_digest
from ladder.domain.tournament import Tournament, TournamentStatus
from ladder.errors import InvalidError, WrongMomentError
from ladder.models import (
    ChunkRow,
    DealGroupRow,
    EntrantRow,
    GameRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from ladder.store.tournaments import find_row, tournament_value, tournament_values


def list_unplanned(session: Session) -> tuple[tuple[Tournament, bytes], ...]:
    """List the tournaments without a plan, the oldest first, each with its secret seed."""
    rows = session.scalars(
        select(TournamentRow)
        .where(TournamentRow.status == TournamentStatus.CREATED)
        .order_by(TournamentRow.number)
    ).all()
    values = tournament_values(session, rows)
    return tuple((value, row.seed) for value, row in zip(values, rows, strict=True))


def record_plan(session: Session, tournament_id: str, games: Sequence[PlannedGame]) -> bool:
    """Store the plan of a tournament; return whether it had been stored before.

    Raises:
        NotFoundError: there is no such tournament.
        InvalidError: the plan cannot be played.
        WrongMomentError: the tournament has another plan.
    """
    tournament = find_row(session, tournament_id, lock=True)
    digest = plan_digest(games)
    if tournament.plan_digest is not None:
        if tournament.plan_digest != digest:
            raise WrongMomentError(f"Tournament {tournament_id} has another plan already.")
        return True
    check_plan(tournament_value(session, tournament), games)
    _require_new(session, games)
    chunks = _insert_chunks(session, tournament.number, games)
    groups = _insert_groups(session, tournament.number, games)
    session.execute(
        insert(GameRow),
        [
            {
                "id": game.id,
                "tournament_number": tournament.number,
                "deal_group_number": groups[game.pairing, game.deal],
                "chunk_number": chunks[game.chunk],
                "rotation": game.rotation,
            }
            for game in games
        ],
    )
    _insert_seats(session, tournament.number, games)
    tournament.plan_digest = digest
    tournament.games = len(games)
    tournament.status = TournamentStatus.RUNNING
    session.flush()
    return False


def _require_new(session: Session, games: Sequence[PlannedGame]) -> None:
    """Check that no other tournament has a game of one of these names."""
    ids = [game.id for game in games]
    for start in range(0, len(ids), 500):  # databases limit the parameters of a statement
        taken = session.scalars(
            select(GameRow.id).where(GameRow.id.in_(ids[start : start + 500]))
        ).first()
        if taken is not None:
            raise InvalidError(f"The game {taken} belongs to another tournament.")


def _insert_chunks(
    session: Session, tournament: int, games: Sequence[PlannedGame]
) -> dict[str, int]:
    sizes = Counter(game.chunk for game in games)  # in the order of the plan
    session.execute(
        insert(ChunkRow),
        [
            {"id": chunk, "tournament_number": tournament, "unplayed": size}
            for chunk, size in sizes.items()
        ],
    )
    query = select(ChunkRow.id, ChunkRow.number).where(ChunkRow.tournament_number == tournament)
    return dict(session.execute(query).all())


def _insert_groups(
    session: Session, tournament: int, games: Sequence[PlannedGame]
) -> dict[tuple[int, int], int]:
    groups = {(game.pairing, game.deal): game for game in games}
    session.execute(
        insert(DealGroupRow),
        [
            {
                "tournament_number": tournament,
                "pairing": pairing,
                "deal": deal,
                "seed": game.seed,
                "unplayed": len(game.versions),
            }
            for (pairing, deal), game in groups.items()
        ],
    )
    query = select(DealGroupRow.pairing, DealGroupRow.deal, DealGroupRow.number).where(
        DealGroupRow.tournament_number == tournament
    )
    return {(pairing, deal): number for pairing, deal, number in session.execute(query)}


def _insert_seats(session: Session, tournament: int, games: Sequence[PlannedGame]) -> None:
    numbers = dict(
        session.execute(
            select(GameRow.id, GameRow.number).where(GameRow.tournament_number == tournament)
        ).all()
    )
    entrants = {
        row.hash: row
        for row in session.scalars(
            select(VersionRow)
            .join(EntrantRow, EntrantRow.version_number == VersionRow.number)
            .where(EntrantRow.tournament_number == tournament)
        )
    }
    session.execute(
        insert(SeatRow),
        [
            {
                "game_number": numbers[game.id],
                "seat": seat,
                "bot_number": entrants[version].bot_number,
                "version_number": entrants[version].number,
            }
            for game in games
            for seat, version in enumerate(game.versions)
        ],
    )
