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
* Time for which an overloaded machine kept the seat's bot from running may be *excused*: it is
  not charged, and the deadline moves by it.
* Where the time control measures processor time, what a seat used is the time that its bot had
  the processor between request and answer, as its *meter* shows, and at least a fixed fraction of
  the time that passed, so that a bot that sleeps comes to its flag as well. That fraction is the
  wall clock's backstop: no answer counts that comes later than the limit times `BACKSTOP_FACTOR`,
  plus the margin.

A meter shows all processor time that a bot has used since its process began.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from roundhouse.timecontrol import BACKSTOP_FACTOR, Measure

if TYPE_CHECKING:
    from roundhouse.timecontrol import TimeControl

NOTHING = timedelta(0)
SHORTEST_LOOK = timedelta(milliseconds=10)
"""Least time between two looks at a meter: what a bot could overdraw unseen, and is charged for."""


@dataclass(frozen=True, slots=True)
class Clock:
    """One seat's clock in one game: what its bank holds, and since when it runs, if it does."""

    control: TimeControl
    bank: timedelta
    running_since: timedelta | None = None
    meter_since: timedelta = NOTHING
    """What the meter showed when the clock was started."""
    excused: timedelta = NOTHING
    """Of the time that has passed: what the machine kept from the seat, and what it is not charged
    for."""
    next_look: timedelta | None = None
    """The moment before which the flag cannot fall; None while the clock stands."""

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
        """Return the last moment at which an answer counts, whatever the meter shows.

        None while the clock stands.
        """
        if self.running_since is None:
            return None
        factor = BACKSTOP_FACTOR if self._has_meter else 1
        return self.running_since + self.limit * factor + self.control.margin + self.excused

    @property
    def _has_meter(self) -> bool:
        return self.control.measure is Measure.CPU

    def start(self, now: timedelta, meter: timedelta = NOTHING) -> Clock:
        """Return the clock set going; it must be standing."""
        assert self.running_since is None, "the clock is running already"
        # On one core no bot uses its limit up earlier than this, by either measure.
        look = now + self.limit + self.control.margin
        return replace(self, running_since=now, meter_since=meter, next_look=look)

    def passed(self, now: timedelta) -> timedelta:
        """Return how long the clock has been running; zero while it stands."""
        return NOTHING if self.running_since is None else max(NOTHING, now - self.running_since)

    def metered(self, meter: timedelta | None) -> timedelta:
        """Return what the meter has gone on by; zero while the clock stands or without a meter."""
        if self.running_since is None or meter is None:
            return NOTHING
        return max(NOTHING, meter - self.meter_since)

    def used(self, now: timedelta, meter: timedelta | None = None) -> timedelta:
        """Return what the seat is charged for; without a meter that is the least it can be."""
        charged = max(NOTHING, self.passed(now) - self.excused)
        if not self._has_meter:
            return charged
        return max(self.metered(meter), charged / BACKSTOP_FACTOR)

    def has_flagged(self, now: timedelta, meter: timedelta | None = None) -> bool:
        """Say whether the seat has used more than its limit and the margin."""
        deadline = self.deadline
        if deadline is None:
            return False
        return now > deadline or self.has_overdrawn(meter)

    def has_overdrawn(self, meter: timedelta | None) -> bool:
        """Say whether the meter alone shows that the seat has used too much."""
        return self._has_meter and self.metered(meter) > self.limit + self.control.margin

    def excuse(self, kept: timedelta) -> Clock:
        """Return the clock with the time given back that the machine kept from the seat so far."""
        if self.running_since is None:
            return self
        excused = replace(self, excused=kept)
        return excused if self._has_meter else replace(excused, next_look=excused.deadline)

    def looked(self, now: timedelta, meter: timedelta | None = None) -> Clock:
        """Return the clock with the moment of its next look, after one that found no flag."""
        deadline = self.deadline
        if deadline is None or not self._has_meter or self.next_look is None:
            return self
        if now < self.next_look:
            return self
        left = self.limit + self.control.margin - self.metered(meter)
        return replace(self, next_look=min(deadline, now + max(left, SHORTEST_LOOK)))

    def stop(self, now: timedelta, meter: timedelta | None = None) -> Clock:
        """Return the clock after an answer in time: charged, stopped and incremented."""
        assert not self.has_flagged(now, meter), "an answer after the flag is not accepted"
        left = max(NOTHING, self.bank - self.used(now, meter))
        return Clock(self.control, left + self.control.increment)

    def withdraw(self) -> Clock:
        """Return the clock stopped without a charge: the decision was taken back."""
        return Clock(self.control, self.bank)
