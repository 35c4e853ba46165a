"""What holds the bots of one lane: a driver, what it enforces here, and a place for their files."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from referee.sandbox import (
    PinnedDriver,
    SandboxUnavailable,
    Stage,
    WarmDriver,
    can_pin,
    can_prepare,
    choose_driver,
)
from referee.sandbox.adoption import adopt_orphans
from roundhouse.timecontrol import Measure

if TYPE_CHECKING:
    from referee.request import LaneRequest
    from referee.sandbox import Driver, PolicyReport, SandboxSettings


@dataclass(frozen=True, slots=True)
class Quarters:
    """All that can be made ready before it is known which bots will play."""

    driver: Driver
    report: PolicyReport
    stage: Stage
    _undo: AsyncExitStack

    @classmethod
    async def prepare(cls, settings: SandboxSettings) -> Self:
        """Probe the driver and have sandboxes prepared; `close` ends what nobody needed.

        Raises:
            SandboxError: this machine cannot hold a bot.
            OSError: nor can it write files.
        """
        driver = inner = choose_driver(settings)
        async with AsyncExitStack() as undo:
            stage = undo.enter_context(Stage(settings.state))
            warm = None
            if settings.warm and can_prepare(inner):
                driver = warm = WarmDriver(inner, stage)
                undo.push_async_callback(warm.close)
            if settings.is_pinned and can_pin(inner):
                driver = pinned = PinnedDriver(driver, settings.state / "cores")
                undo.callback(pinned.close)
            report = await driver.probe()
            if report.is_isolated:  # plain processes may leave anything behind, and init takes it
                adopt_orphans()
            if warm is not None:
                warm.prepare(settings.warm)
            return cls(driver, report, stage, undo.pop_all())

    def require(self, request: LaneRequest) -> None:
        """See to it that the lane may be played here.

        Raises:
            SandboxUnavailable: it may not.
        """
        if request.is_rated and not self.report.is_isolated:
            raise SandboxUnavailable("rated games need a sandbox, and this lane has none")
        if request.control.measure is Measure.CPU and not self.report.has_meter:
            raise SandboxUnavailable("this lane cannot count the processor time of its bots")

    async def close(self) -> None:
        """End what is left and remove all files."""
        await self._undo.aclose()
