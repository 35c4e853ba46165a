"""A seat's clock: pure values, with the time passed in.

A moment is the time since an origin that never changes, read from one monotonic clock by whoever
calls. The semantics, which `docs/referee.md` explains at length:

* The clock starts when a decision is handed to the seat's stream and stops when its answer has
  been read. What lies between is *used*.
* The *limit* of a decision is the bank or the decision cap, whichever is smaller. It is what the
  bot is told.
* The *deadline* lies the margin behind the limit. An answer at the deadline counts; a moment later
  the flag has fallen, and nothing that arrives afterwards is accepted.
* What was used is taken from the bank in full. An overrun within the margin is forgiven: the bank
  never falls below zero.
* The increment is added after every answer. The bank may rise above where it began, as with
  Fischer's clock for chess: a bot is not punished for answering fast. The cap bounds what a single
  decision can make of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from roundhouse.timecontrol import TimeControl

NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Clock:
    """One seat's clock in one game: what its bank holds, and since when it runs, if it does."""

    control: TimeControl
    bank: timedelta
    running_since: timedelta | None = None

    @classmethod
    def full(cls, control: TimeControl) -> Self:
        """Return the clock with which a seat enters a game."""
        return cls(control, control.bank)

    @property
    def limit(self) -> timedelta:
        """Return how long an answer may take: what the bot is told, the margin left out."""
        return min(self.bank, self.control.decision_cap)

    @property
    def deadline(self) -> timedelta | None:
        """Return the last moment at which an answer counts; None while the clock stands."""
        if self.running_since is None:
            return None
        return self.running_since + self.limit + self.control.margin

    def start(self, now: timedelta) -> Clock:
        """Return the clock set going; it must be standing."""
        assert self.running_since is None, "the clock is running already"
        return replace(self, running_since=now)

    def used(self, now: timedelta) -> timedelta:
        """Return how long the clock has been running; zero while it stands."""
        return NOTHING if self.running_since is None else max(NOTHING, now - self.running_since)

    def has_flagged(self, now: timedelta) -> bool:
        """Say whether the deadline has passed."""
        deadline = self.deadline
        return deadline is not None and now > deadline

    def stop(self, now: timedelta) -> Clock:
        """Return the clock after an answer in time: charged, stopped and incremented."""
        assert not self.has_flagged(now), "an answer after the flag is not accepted"
        left = max(NOTHING, self.bank - self.used(now))
        return Clock(self.control, left + self.control.increment)

    def withdraw(self) -> Clock:
        """Return the clock stopped without a charge: the decision was taken back."""
        return replace(self, running_since=None)
