"""How much a machine kept a bot waiting, and when that is too much to hold its time against it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.sandbox import BotProcess

NOTHING = timedelta(0)
LARGEST_SHARE = 1 / 3
"""Of the time that passed: what a bot may be kept waiting for a processor and bear itself. Half of
the time that an honest bot thinks it waits at a load of two for each core, and a quiet machine
shows a hundredth."""
HOPELESS_SHARE = 9 / 10
"""Of the time that passed: what may be given back. A bot on such a machine would need ten times as
long as it has."""
BEAT_SECONDS = 0.05
"""Between two looks at whether the referee itself gets to run when it should."""
WORTH_NOTING_SECONDS = 0.02
"""A delay that a busy event loop has of its own."""
MOST_DELAYS = 1000
"""Remembered; on the busiest machine those of the last minute."""


@dataclass(frozen=True, slots=True)
class Strain:
    """What a machine did to one bot while it had time to use."""

    passed: timedelta
    """How long that has been."""
    stalled: timedelta | None = None
    """How long all of the bot that wanted to run waited for a processor, its own limits left out;
    None where the machine does not tell."""
    delay: timedelta = NOTHING
    """The longest time for which the referee itself did not get to run."""

    def overload(self, margin: timedelta) -> str | None:
        """Say, as a clause, why nothing can be made of this time; None if something can.

        A referee that stood still for longer than the margin cannot know whether an answer came in
        time, or a decision out.
        """
        if self.delay > margin:
            return (
                f"the referee itself stood still for {_seconds(self.delay)} of"
                f" {_seconds(self.passed)}, and the margin is {_seconds(margin)}"
            )
        if self.kept(margin) > self.passed * HOPELESS_SHARE:
            return (
                f"the bot was kept waiting for a processor for {_seconds(self.kept(margin))} of"
                f" {_seconds(self.passed)}"
            )
        return None

    def kept(self, margin: timedelta) -> timedelta:
        """Return what of this time the bot must be given back.

        Given back and not a reason to abort at once: a bot that burns its time on a busy machine,
        because it is losing, must come to its flag there as well.
        """
        if self.stalled is None or self.stalled <= max(margin, self.passed * LARGEST_SHARE):
            return NOTHING
        return min(self.stalled, self.passed)


class Pulse:
    """Notes when the event loop does not get to run, by a timer that should fire regularly."""

    def __init__(self) -> None:
        """Begin; `stop` ends it."""
        self._loop = asyncio.get_running_loop()
        self._delays: deque[tuple[float, float]] = deque(maxlen=MOST_DELAYS)
        self._due = self._loop.time()
        self._timer = self._loop.call_soon(self._beat)

    def longest_delay(self, since: float) -> timedelta:
        """Return the longest delay that ended after `since`, by the loop's clock.

        One that still lasts counts as well.
        """
        delays = [delay for moment, delay in self._delays if moment >= since]
        return timedelta(seconds=max(0.0, self._loop.time() - self._due, *delays))

    def stop(self) -> None:
        """Note nothing more."""
        self._timer.cancel()

    def _beat(self) -> None:
        now = self._loop.time()
        delay = now - self._due
        if delay > WORTH_NOTING_SECONDS:
            self._delays.append((now, delay))
        self._due = now + BEAT_SECONDS
        self._timer = self._loop.call_at(self._due, self._beat)


def _seconds(time: timedelta) -> str:
    return f"{time.total_seconds():.2f} s"


class Watch:
    """Measures the strain on one bot from the moment at which its time begins."""

    def __init__(self, process: BotProcess, pulse: Pulse) -> None:
        """Begin; `begin` does so anew."""
        self._process = process
        self._pulse = pulse
        self._loop = asyncio.get_running_loop()
        self.begin()

    def begin(self) -> None:
        """Let the time begin now."""
        self._since = self._loop.time()
        self._stalled = self._process.stalled()

    def strain(self) -> Strain:
        """Return what the machine has done to the bot since."""
        stalled = self._process.stalled()
        return Strain(
            passed=timedelta(seconds=self._loop.time() - self._since),
            stalled=(None if stalled is None or self._stalled is None else stalled - self._stalled),
            delay=self._pulse.longest_delay(self._since),
        )
