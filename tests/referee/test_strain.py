"""When a machine is too busy to hold a bot's time against it."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import TYPE_CHECKING, cast

import pytest

from referee.strain import Pulse, Strain, Watch

if TYPE_CHECKING:
    from referee.sandbox import BotProcess

SECOND = timedelta(seconds=1)
MARGIN = SECOND / 4
MILLISECOND = timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("strain", "part"),
    [
        (Strain(3 * SECOND), None),
        (Strain(10 * SECOND, 9 * SECOND), None),
        (
            Strain(10 * SECOND, 9 * SECOND + MILLISECOND),
            "kept waiting for a processor for 9.00 s of 10.00",
        ),
        (Strain(SECOND / 10, SECOND / 10), None),  # the margin covers it
        (Strain(15 * SECOND, None, MARGIN), None),
        (
            Strain(15 * SECOND, None, MARGIN + MILLISECOND),
            "the referee itself stood still for 0.25",
        ),
        (
            Strain(15 * SECOND, SECOND, 2 * SECOND),
            "the referee itself stood still for 2.00 s of 15",
        ),
    ],
)
def test_a_machine_is_overloaded_beyond_a_threshold(strain: Strain, part: str | None) -> None:
    clause = strain.overload(MARGIN)
    assert (clause is None) if part is None else (clause is not None and part in clause)


@pytest.mark.parametrize(
    ("strain", "kept"),
    [
        (Strain(3 * SECOND), 0 * SECOND),
        (Strain(3 * SECOND, SECOND), 0 * SECOND),
        (Strain(3 * SECOND, SECOND + MILLISECOND), SECOND + MILLISECOND),
        (Strain(SECOND / 10, SECOND / 10), 0 * SECOND),  # the margin covers it
        (Strain(3 * SECOND, 4 * SECOND), 3 * SECOND),
    ],
)
def test_a_bot_is_given_back_what_is_too_much_to_bear(strain: Strain, kept: timedelta) -> None:
    assert strain.kept(MARGIN) == kept


def test_a_loop_that_is_held_up_is_found_out() -> None:
    async def run() -> None:
        pulse = Pulse()
        loop = asyncio.get_running_loop()
        await asyncio.sleep(0.01)
        before = loop.time()
        time.sleep(0.3)  # noqa: ASYNC251 - this is the fault that is to be found
        # Before the pulse has beaten again, and afterwards.
        assert pulse.longest_delay(before) > timedelta(seconds=0.2)
        await asyncio.sleep(0.06)
        assert pulse.longest_delay(before) > timedelta(seconds=0.2)
        assert pulse.longest_delay(loop.time()) < timedelta(seconds=0.2)
        pulse.stop()

    asyncio.run(run())


class Stalling:
    """A process whose every look shows another second of waiting."""

    def __init__(self, stalled: timedelta | None) -> None:
        self._stalled = stalled

    def stalled(self) -> timedelta | None:
        if self._stalled is not None:
            self._stalled += SECOND
        return self._stalled


@pytest.mark.parametrize(("shown", "expected"), [(60 * SECOND, SECOND), (None, None)])
def test_a_watch_counts_from_where_the_time_began(
    shown: timedelta | None, expected: timedelta | None
) -> None:
    async def run() -> None:
        pulse = Pulse()
        watch = Watch(cast("BotProcess", Stalling(shown)), pulse)
        assert watch.strain().stalled == expected
        watch.begin()
        assert watch.strain().stalled == expected
        pulse.stop()

    asyncio.run(run())
