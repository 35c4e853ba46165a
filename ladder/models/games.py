"""Games, their seats, and what was recorded of them."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ladder.models.base import Base, Number, UtcDateTime


class GameRow(Base):
    """A game; its number is its place in the plan, `recorded` its place in the recording order."""

    __tablename__ = "games"
    __table_args__ = (
        UniqueConstraint("deal_group_number", "rotation"),
        Index(None, "tournament_number", "recorded"),
        Index(None, "chunk_number", "recorded"),
    )

    number: Mapped[int] = mapped_column(Number, primary_key=True)
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
    """One seat of a game. `recorded` repeats the game's: a bot's games are one index walk."""

    __tablename__ = "seats"
    __table_args__ = (
        Index(None, "bot_number", "recorded", "game_number"),
        Index(None, "version_number"),
    )

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
    evidence: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The referee's whole message but for the output; None for a game recorded before 0005."""


class AbortRow(Base):
    """A game that could not be played, by a fault of ours."""

    __tablename__ = "aborts"

    number: Mapped[int] = mapped_column(Number, primary_key=True)
    game_number: Mapped[int] = mapped_column(ForeignKey("games.number"), index=True)
    reason: Mapped[str] = mapped_column(String(20))
    sentence: Mapped[str]
    noted_at: Mapped[datetime] = mapped_column(UtcDateTime)
