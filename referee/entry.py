"""What a log keeps of a game: one entry for everything that changed the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import timedelta

    from referee.verdict import Forfeit
    from roundhouse.rules import Action, Event


@dataclass(frozen=True, slots=True)
class Acted:
    """The log's entry of an answered decision."""

    at: timedelta
    """Since the start of the game."""
    seat: int
    decision_id: int
    action: Action
    used: timedelta
    bank: timedelta
    """What the bank held afterwards, increment included."""
    events: list[Event]
    digest: bytes


@dataclass(frozen=True, slots=True)
class Left:
    """The log's entry of a forfeit."""

    at: timedelta
    forfeit: Forfeit
    events: list[Event]
    digest: bytes
