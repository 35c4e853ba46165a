"""The tables: typed SQLAlchemy models. Nothing outside `ladder.store` and the migrations uses them.

Ratings are whole numbers of 1e-9 Elo (`ladder.ratings` says why). Times are UTC.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_Number = BigInteger().with_variant(Integer(), "sqlite")  # SQLite counts up INTEGER keys only


class UtcDateTime(TypeDecorator[datetime]):
    """Store an aware time; SQLite, which knows no zones, keeps it as naive UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the name is SQLAlchemy's
        """Refuse a naive time, which would be somebody's local one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"The time {value} has no zone.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the name is SQLAlchemy's
        """Give the zone back."""
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


class Microseconds(TypeDecorator[timedelta]):
    """Store a duration as a whole number of microseconds, on every database alike."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - the name is SQLAlchemy's
        """Count the microseconds."""
        return None if value is None else value // timedelta(microseconds=1)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> timedelta | None:  # noqa: ANN401, ARG002 - both are SQLAlchemy's
        """Make a duration of them."""
        return None if value is None else timedelta(microseconds=int(value))


class Base(DeclarativeBase):
    """The registry of all tables; the names of constraints are fixed so that migrations can."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class BotRow(Base):
    """A bot."""

    __tablename__ = "bots"

    number: Mapped[int] = mapped_column(_Number, primary_key=True)
    name: Mapped[str] = mapped_column(String(32), unique=True)
    versions: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class VersionRow(Base):
    """An accepted upload. Rows are never changed."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("bot_number", "position"),)

    number: Mapped[int] = mapped_column(_Number, primary_key=True)
    bot_number: Mapped[int] = mapped_column(ForeignKey("bots.number"))
    position: Mapped[int]  # among the bot's versions, from 1
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    language: Mapped[str]
    description: Mapped[str]
    size: Mapped[int]
    submitted_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ArchiveRow(Base):
    """The bytes of a version, apart so that listings never touch them."""

    __tablename__ = "archives"

    version_number: Mapped[int] = mapped_column(ForeignKey("versions.number"), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class TournamentRow(Base):
    """A tournament."""

    __tablename__ = "tournaments"

    number: Mapped[int] = mapped_column(_Number, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(120))
    edition: Mapped[str] = mapped_column(String(32))
    table_size: Mapped[int]
    deals: Mapped[int]
    bank: Mapped[timedelta] = mapped_column(Microseconds)
    increment: Mapped[timedelta] = mapped_column(Microseconds)
    margin: Mapped[timedelta] = mapped_column(Microseconds)
    decision_cap: Mapped[timedelta] = mapped_column(Microseconds)
    start_up: Mapped[timedelta] = mapped_column(Microseconds)
    seed: Mapped[bytes] = mapped_column(LargeBinary)
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
    __table_args__ = (Index(None, "unplayed", "leased_until"),)

    number: Mapped[int] = mapped_column(_Number, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    tournament_number: Mapped[int] = mapped_column(ForeignKey("tournaments.number"), index=True)
    unplayed: Mapped[int]
    leased_by: Mapped[str | None] = mapped_column(String(200))
    leased_until: Mapped[datetime | None] = mapped_column(UtcDateTime)


class DealGroupRow(Base):
    """One deal in all its rotations. While a game of it is unplayed, its logs stay closed."""

    __tablename__ = "deal_groups"
    __table_args__ = (UniqueConstraint("tournament_number", "pairing", "deal"),)

    number: Mapped[int] = mapped_column(_Number, primary_key=True)
    tournament_number: Mapped[int] = mapped_column(ForeignKey("tournaments.number"))
    pairing: Mapped[int]
    deal: Mapped[int]
    seed: Mapped[bytes] = mapped_column(LargeBinary)
    unplayed: Mapped[int]


class GameRow(Base):
    """A game; its number is its place in the plan, `recorded` its place in the recording order."""

    __tablename__ = "games"
    __table_args__ = (
        UniqueConstraint("deal_group_number", "rotation"),
        Index(None, "tournament_number", "recorded"),
        Index(None, "chunk_number", "recorded"),
    )

    number: Mapped[int] = mapped_column(_Number, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    tournament_number: Mapped[int] = mapped_column(ForeignKey("tournaments.number"))
    deal_group_number: Mapped[int] = mapped_column(ForeignKey("deal_groups.number"))
    chunk_number: Mapped[int] = mapped_column(ForeignKey("chunks.number"))
    rotation: Mapped[int]
    recorded: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    pool: Mapped[str | None] = mapped_column(String(40))  # where it is rated; None when it is not
    host: Mapped[str | None]
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SeatRow(Base):
    """One seat of a game. `recorded` repeats the game's, so that a bot's games are one index walk."""

    __tablename__ = "seats"
    __table_args__ = (Index(None, "bot_number", "recorded"), Index(None, "version_number"))

    game_number: Mapped[int] = mapped_column(ForeignKey("games.number"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    bot_number: Mapped[int] = mapped_column(ForeignKey("bots.number"))
    version_number: Mapped[int] = mapped_column(ForeignKey("versions.number"))
    recorded: Mapped[int | None] = mapped_column(BigInteger)
    placement: Mapped[int | None]
    score: Mapped[int | None]
    forfeit: Mapped[str | None] = mapped_column(String(20))


class LogRow(Base):
    """The log of a game, as the referee wrote it."""

    __tablename__ = "logs"

    game_number: Mapped[int] = mapped_column(ForeignKey("games.number"), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class ForfeitReportRow(Base):
    """The evidence of a forfeit. It is for the bot's owner, and so apart from the log."""

    __tablename__ = "forfeit_reports"

    game_number: Mapped[int] = mapped_column(ForeignKey("games.number"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    sentence: Mapped[str]
    output_tail: Mapped[bytes] = mapped_column(LargeBinary)


class AbortRow(Base):
    """A game that could not be played, by a fault of ours."""

    __tablename__ = "aborts"

    number: Mapped[int] = mapped_column(_Number, primary_key=True)
    game_number: Mapped[int] = mapped_column(ForeignKey("games.number"), index=True)
    reason: Mapped[str] = mapped_column(String(20))
    sentence: Mapped[str]
    noted_at: Mapped[datetime] = mapped_column(UtcDateTime)


class RatingRow(Base):
    """Where a bot stands in a pool, with the sums that the leaderboard shows."""

    __tablename__ = "ratings"
    __table_args__ = (Index(None, "pool", "rating"),)

    pool: Mapped[str] = mapped_column(String(40), primary_key=True)
    bot_number: Mapped[int] = mapped_column(ForeignKey("bots.number"), primary_key=True)
    rating: Mapped[int] = mapped_column(BigInteger)
    games: Mapped[int]
    wins: Mapped[int]
    draws: Mapped[int]
    losses: Mapped[int]
    score_sum: Mapped[int] = mapped_column(BigInteger)


class RatingChangeRow(Base):
    """What one game did to one seat's rating."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index(None, "bot_number", "pool", "recorded"),)

    game_number: Mapped[int] = mapped_column(ForeignKey("games.number"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    bot_number: Mapped[int] = mapped_column(ForeignKey("bots.number"))
    pool: Mapped[str] = mapped_column(String(40))
    recorded: Mapped[int] = mapped_column(BigInteger)
    games_before: Mapped[int]  # rated games of the bot in the pool, which decide its K
    before: Mapped[int] = mapped_column(BigInteger)
    after: Mapped[int] = mapped_column(BigInteger)


class RecordingOrderRow(Base):
    """One row: how many games are recorded. A recorder locks it first, and so they stand in line."""

    __tablename__ = "recording_order"

    number: Mapped[int] = mapped_column(primary_key=True)
    last: Mapped[int] = mapped_column(BigInteger)
