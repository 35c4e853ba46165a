"""The line in which recorders and submitters stand.

Ratings depend on the order of games, and that order is a number in the database. Whoever records
locks its row first and everything else afterwards, so that two of them never wait for each other,
and a number is given out only when the one before it is committed. A recording takes a millisecond
or two; games take seconds. On SQLite there is one writer at a time in any case.
"""

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.models import RecordingOrderRow


def stand_in_line(session: Session) -> RecordingOrderRow:
    """Wait for the recorders before this one, and keep the later ones waiting until the end."""
    return session.scalars(
        select(RecordingOrderRow).with_for_update().execution_options(populate_existing=True)
    ).one()
