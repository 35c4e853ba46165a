"""Headline ratings: what the last fit of each board found. All of it can be computed anew."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from ladder.models.base import Base, UtcDateTime


class FitRow(Base):
    """The last fit of a board."""

    __tablename__ = "fits"

    board: Mapped[str] = mapped_column(String(40), primary_key=True)
    recorded: Mapped[int] = mapped_column(BigInteger)  # it holds all games up to this one
    games: Mapped[int]
    deal_groups: Mapped[int]
    anchor: Mapped[str | None] = mapped_column(String(32))
    dispersion: Mapped[float]
    seat_terms: Mapped[str]  # JSON: the table, the seat, Elo, standard error of each
    doubtful: Mapped[str]  # JSON: bots whose margin two other estimates doubt
    checked: Mapped[int]  # how many bots' margins could be checked
    covariance: Mapped[bytes | None] = mapped_column(LargeBinary)  # in Elo^2; of small boards
    fitted_at: Mapped[datetime] = mapped_column(UtcDateTime)


class FitBotRow(Base):
    """A bot on a fitted board."""

    __tablename__ = "fit_bots"

    board: Mapped[str] = mapped_column(ForeignKey("fits.board"), primary_key=True)
    bot_number: Mapped[int] = mapped_column(ForeignKey("bots.number"), primary_key=True)
    position: Mapped[int]  # in the order of the board, from 0; the covariance has this order too
    rank: Mapped[int]
    best_rank: Mapped[int]
    worst_rank: Mapped[int]
    elo: Mapped[float]
    margin: Mapped[float]
    mean_margin: Mapped[float]
    superiority: Mapped[float | None]  # over the bot in the next position; None for the last
    is_provisional: Mapped[bool]
    deal_groups: Mapped[int]
    games: Mapped[int]
    wins: Mapped[int]
    draws: Mapped[int]
    score_sum: Mapped[int] = mapped_column(BigInteger)
