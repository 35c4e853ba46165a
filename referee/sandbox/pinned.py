"""Keeping all bots of a lane on one core, so that they are in no other lane's way."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.sandbox.bubblewrap import BubblewrapDriver
from referee.sandbox.cores import take_core

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox.cores import Core
    from referee.sandbox.driver import BotProcess, Driver
    from referee.sandbox.policy import PolicyReport
    from referee.sandbox.spec import SandboxSpec


PROMISE = "one core for all bots of a lane, which they cannot leave"


def can_pin(driver: Driver) -> bool:
    """Say whether a driver keeps bots on a core, and whether this machine has more than one.

    A bot that may make any system call could leave it.
    """
    is_held = isinstance(driver, BubblewrapDriver) and driver.seccomp is not None
    return is_held and len(os.sched_getaffinity(0)) > 1


class PinnedDriver:
    """A driver in front of another one, whose bots all run on one core.

    One core for all seats and not one for each: but for the opening, the seats of a game wait for
    each other, so that a second core would stand idle, and lanes on cores of their own never meet.
    The core is taken when the first bot starts, and so by no lane that merely waits for a request.
    """

    def __init__(self, driver: Driver, folder: Path) -> None:
        """Take no core yet; ``folder`` is where lanes agree on who has which."""
        self._driver = driver
        self._folder = folder
        self._core: Core | None = None
        self._has_looked = False
        self.name = driver.name

    async def probe(self) -> PolicyReport:
        """Probe the other driver, and report that bots are kept on a core as well."""
        report = await self._driver.probe()
        return replace(report, enforced=(*report.enforced, PROMISE))

    async def start(self, spec: SandboxSpec) -> BotProcess:
        """Start a bot on the lane's core."""
        if not self._has_looked:
            self._has_looked = True
            with contextlib.suppress(OSError):  # a bot on any core is better than none
                self._core = take_core(self._folder)
        if self._core is not None and spec.limits.cpu_cores <= 1:
            spec = replace(spec, core=self._core.number)
        return await self._driver.start(spec)

    def close(self) -> None:
        """Let another lane have the core."""
        if self._core is not None:
            self._core.release()
