"""Bots and their versions."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ladder.models.base import Base, Number, UtcDateTime


class BotRow(Base):
    """A bot."""

    __tablename__ = "bots"

    number: Mapped[int] = mapped_column(Number, primary_key=True)
    name: Mapped[str] = mapped_column(String(32), unique=True)
    versions: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class VersionRow(Base):
    """An accepted upload. Rows are never changed."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("bot_number", "position"),)

    number: Mapped[int] = mapped_column(Number, primary_key=True)
    bot_number: Mapped[int] = mapped_column(ForeignKey("bots.number"))
    position: Mapped[int]  # among the bot's versions, from 1
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    language: Mapped[str]
    description: Mapped[str]
    size: Mapped[int]
    submitted_at: Mapped[datetime] = mapped_column(UtcDateTime)
    owner: Mapped[str | None] = mapped_column(String(64))  # the hash of a key; None: nobody's


class ArchiveRow(Base):
    """The bytes of a version, apart so that listings never touch them."""

    __tablename__ = "archives"

    version_number: Mapped[int] = mapped_column(ForeignKey("versions.number"), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
