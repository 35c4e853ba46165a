"""What a seat is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import timedelta

    from roundhouse.rules import Action, Event, Observation


@dataclass(frozen=True, slots=True)
class Decision:
    """A request to one seat, answered by one action."""

    seat: int
    decision_id: int
    events: list[Event]
    """What happened since the seat's last decision, as far as it may see it."""
    observation: Observation
    legal_actions: list[Action]
    time_left: timedelta
    """How long the answer may take; the margin is not promised."""
    bank: timedelta
