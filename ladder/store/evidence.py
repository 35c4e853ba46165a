"""The evidence of forfeits, for the owners of the bots and nobody else."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.domain.game import ForfeitReport
from ladder.errors import NotFoundError
from ladder.models import GameRow, SeatRow, VersionRow
from ladder.store.logs import list_forfeit_reports, require_open


def list_evidence(session: Session, game_id: str, owner: str | None) -> tuple[ForfeitReport, ...]:
    """List those of a game's forfeits, by seat, that are of bots that the owner submitted.

    It is open when the log is: what a seat was asked last shows its cards, which another rotation
    of the same deal may still deal to an opponent.

    Raises:
        NotFoundError: there is no such game, or no forfeit of it is the owner's.
        WrongMomentError: the log is not there yet, or still closed.
    """
    require_open(session, game_id)
    theirs = set(
        session.scalars(
            select(SeatRow.seat)
            .join(GameRow, GameRow.number == SeatRow.game_number)
            .join(VersionRow, VersionRow.number == SeatRow.version_number)
            .where(GameRow.id == game_id, VersionRow.owner == owner, VersionRow.owner.is_not(None))
        )
    )
    reports = list_forfeit_reports(session, game_id)
    found = tuple(report for report in reports if report.seat in theirs)
    if not found:
        raise NotFoundError(
            f"No bot that was submitted with this owner key has forfeited game {game_id}."
        )
    return found
