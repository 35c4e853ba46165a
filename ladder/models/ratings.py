"""Ratings, their history, and the recording order."""

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from ladder.models.base import Base


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
    """One row: how many games are recorded. Recorders lock it first, and so stand in line."""

    __tablename__ = "recording_order"

    number: Mapped[int] = mapped_column(primary_key=True)
    last: Mapped[int] = mapped_column(BigInteger)
