"""Aborts: games that could not be played, by a fault of ours. They stay to be played."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.domain.game import Abort
from ladder.errors import NotFoundError
from ladder.models import AbortRow, GameRow, TournamentRow

_MAX_SENTENCE = 2_000
"""Characters. A sentence is shorter; a runaway error text must not fill the database."""


def storable(sentence: str) -> str:
    """Return a sentence that every database holds, cut where it runs away.

    It may repeat what a bot sent, and PostgreSQL stores no NUL character.
    """
    return sentence.replace("\0", "\N{REPLACEMENT CHARACTER}")[:_MAX_SENTENCE]


def record_abort(session: Session, game_id: str, reason: str, sentence: str, now: datetime) -> None:
    """Note that a game could not be played.

    Raises:
        NotFoundError: no tournament has planned such a game.
    """
    number = session.scalar(select(GameRow.number).where(GameRow.id == game_id))
    if number is None:
        raise NotFoundError(f"No tournament has planned a game {game_id!r}.")
    session.add(
        AbortRow(game_number=number, reason=reason, sentence=storable(sentence), noted_at=now)
    )
    session.flush()


def find_obstacle(session: Session, tournament_id: str) -> str:
    """Return the sentence of the latest abort whose game is still to be played, or nothing."""
    query = (
        select(AbortRow.sentence)
        .join(GameRow, GameRow.number == AbortRow.game_number)
        .join(TournamentRow, TournamentRow.number == GameRow.tournament_number)
        .where(TournamentRow.id == tournament_id, GameRow.recorded.is_(None))
        .order_by(AbortRow.number.desc())
        .limit(1)
    )
    return session.scalar(query) or ""


def list_aborts(session: Session, tournament_id: str, *, limit: int = 50) -> tuple[Abort, ...]:
    """List the latest aborts of a tournament, the newest first."""
    query = (
        select(GameRow.id, AbortRow.reason, AbortRow.sentence, AbortRow.noted_at)
        .join(GameRow, GameRow.number == AbortRow.game_number)
        .join(TournamentRow, TournamentRow.number == GameRow.tournament_number)
        .where(TournamentRow.id == tournament_id)
        .order_by(AbortRow.number.desc())
        .limit(limit)
    )
    return tuple(Abort(*row) for row in session.execute(query))
