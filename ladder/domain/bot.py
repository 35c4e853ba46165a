"""A bot and its versions."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One accepted upload. It never changes."""

    bot: str
    hash: str
    """SHA-256 of the archive, 64 hexadecimal digits."""
    number: int
    """From 1, among the bot's versions."""
    language: str
    description: str
    size: int
    """Bytes of the archive."""
    submitted_at: datetime


@dataclass(frozen=True, slots=True)
class Bot:
    """The identity under which versions are submitted."""

    name: str
    versions: int
    latest: BotVersion
    created_at: datetime
