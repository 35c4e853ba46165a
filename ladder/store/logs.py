"""The logs of games, and what is said of forfeits."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.domain.game import ForfeitReport
from ladder.errors import NotFoundError, WrongMomentError
from ladder.models import DealGroupRow, ForfeitReportRow, GameRow, LogRow


def get_log(session: Session, game_id: str) -> bytes:
    """Return the log of a game, as the referee wrote it.

    Raises:
        NotFoundError: there is no such game.
        WrongMomentError: the log is not there yet, or still closed.
    """
    return session.get_one(LogRow, require_open(session, game_id)).data


def require_open(session: Session, game_id: str) -> int:
    """See to it that the log of a game may be read, and return the game's number.

    While another game of the same deal is unplayed the log is closed: it would show that game's
    cards.

    Raises:
        NotFoundError: there is no such game.
        WrongMomentError: the log is not there yet, or still closed.
    """
    row = session.execute(
        select(GameRow.recorded, DealGroupRow.unplayed, GameRow.number)
        .join(DealGroupRow, DealGroupRow.number == GameRow.deal_group_number)
        .where(GameRow.id == game_id)
    ).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no game {game_id!r}.")
    recorded, unplayed, number = row
    if recorded is None:
        raise WrongMomentError(f"Game {game_id} has not been played yet.")
    if unplayed:
        raise WrongMomentError(
            f"The log of game {game_id} is closed until every game of its deal has been played; "
            f"{unplayed} of them {'is' if unplayed == 1 else 'are'} still to come."
        )
    return number


def list_forfeit_reports(session: Session, game_id: str) -> tuple[ForfeitReport, ...]:
    """List a game's forfeits by seat.

    A sentence may name cards, and is open as soon as the log is. Output and evidence are for the
    owner of the bot alone.
    """
    query = (
        select(ForfeitReportRow)
        .join(GameRow, GameRow.number == ForfeitReportRow.game_number)
        .where(GameRow.id == game_id)
        .order_by(ForfeitReportRow.seat)
    )
    return tuple(
        ForfeitReport(row.seat, row.sentence, row.output_tail, row.evidence or b"")
        for row in session.scalars(query)
    )
