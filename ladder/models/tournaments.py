"""Tournaments and their plans: entrants, chunks and deal groups."""

from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from ladder.models.base import Base, Microseconds, Number, UtcDateTime

_OPEN = text("unplayed > 0")


class TournamentRow(Base):
    """A tournament."""

    __tablename__ = "tournaments"

    number: Mapped[int] = mapped_column(Number, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(120))
    edition: Mapped[str] = mapped_column(String(32))
    variants: Mapped[str] = mapped_column(String(255), server_default="")  # joined by commas
    table_size: Mapped[int]
    deals: Mapped[int]
    bank: Mapped[timedelta] = mapped_column(Microseconds)
    increment: Mapped[timedelta] = mapped_column(Microseconds)
    margin: Mapped[timedelta] = mapped_column(Microseconds)
    decision_cap: Mapped[timedelta] = mapped_column(Microseconds)
    start_up: Mapped[timedelta] = mapped_column(Microseconds)
    measure: Mapped[str] = mapped_column(String(8), server_default="wall")
    seed: Mapped[bytes] = mapped_column(LargeBinary, unique=True)  # it names the games
    is_rated: Mapped[bool]
    status: Mapped[str] = mapped_column(String(16), index=True)
    games: Mapped[int] = mapped_column(default=0)
    finished_games: Mapped[int] = mapped_column(default=0)
    plan_digest: Mapped[bytes | None] = mapped_column(LargeBinary)  # tells a repeated plan
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class EntrantRow(Base):
    """A version that takes part in a tournament."""

    __tablename__ = "entrants"
    __table_args__ = (Index(None, "version_number"),)

    tournament_number: Mapped[int] = mapped_column(
        ForeignKey("tournaments.number"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    version_number: Mapped[int] = mapped_column(ForeignKey("versions.number"))


class ChunkRow(Base):
    """A part of a lane that is dispatched at a time, and who plays it now."""

    __tablename__ = "chunks"
    __table_args__ = (
        # Holds what is still to be played, however many chunks have been.
        Index("ix_chunks_open", "number", sqlite_where=_OPEN, postgresql_where=_OPEN),
    )

    number: Mapped[int] = mapped_column(Number, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    tournament_number: Mapped[int] = mapped_column(ForeignKey("tournaments.number"), index=True)
    unplayed: Mapped[int]
    leased_by: Mapped[str | None] = mapped_column(String(200))
    leased_until: Mapped[datetime | None] = mapped_column(UtcDateTime)


class DealGroupRow(Base):
    """One deal in all its rotations. While a game of it is unplayed, its logs stay closed."""

    __tablename__ = "deal_groups"
    __table_args__ = (UniqueConstraint("tournament_number", "pairing", "deal"),)

    number: Mapped[int] = mapped_column(Number, primary_key=True)
    tournament_number: Mapped[int] = mapped_column(ForeignKey("tournaments.number"))
    pairing: Mapped[int]
    deal: Mapped[int]
    seed: Mapped[bytes] = mapped_column(LargeBinary)
    unplayed: Mapped[int]
