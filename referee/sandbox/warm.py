"""Starting bots in sandboxes that were prepared ahead, as far as there are any and they fit.

Most of what a Python bot's start takes is the sandbox, the interpreter and the import of gRPC,
which are the same for every bot. They are made before a bot is known, and its files, its socket and
its environment are put in when it comes. Each bot still gets an interpreter that was started by
exec and has run nothing else: no fork of a used one, with its hash seed and its random state.

A sandbox belongs to the process that made it, as its uid, its control group and its parent-death
signal do. So sandboxes are not handed from one process to another, but prepared in the very process
that will referee the lane, which is started ahead as well.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from referee.sandbox.ahead import Ahead
from referee.sandbox.driver import SandboxError
from referee.sandbox.order import Order

if TYPE_CHECKING:
    from referee.sandbox.ahead import AheadDriver
    from referee.sandbox.driver import BotProcess
    from referee.sandbox.policy import PolicyReport
    from referee.sandbox.spec import SandboxSpec
    from referee.sandbox.stage import Stage

MOST_LOST = 4
"""Prepared sandboxes that ended unused and are replaced. A machine on which they go on ending has a
fault, which a bot's own start will name."""
READY_SECONDS = 10.0
"""What is not ready by then is stuck."""


class WarmDriver:
    """A driver in front of another one, with sandboxes of that one prepared ahead."""

    def __init__(self, driver: AheadDriver, stage: Stage) -> None:
        """Prepare nothing yet; slots will stand below the stage."""
        self._driver = driver
        self._stage = stage
        self._idle: list[Ahead] = []
        self._watchers: set[asyncio.Task[None]] = set()
        self._lost = 0
        self.name = driver.name

    @property
    def idle(self) -> int:
        """Return how many prepared sandboxes are ready for a bot."""
        return len(self.ready())

    def ready(self) -> list[Ahead]:
        """Return the prepared sandboxes that are ready for a bot."""
        return [ahead for ahead in self._idle if ahead.is_ready]

    async def probe(self) -> PolicyReport:
        """Probe the other driver."""
        return await self._driver.probe()

    def prepare(self, count: int) -> None:
        """Start sandboxes; they become ready by and by. What cannot be prepared is left out."""
        for _ in range(count):
            try:
                ahead = Ahead(self._driver, self._stage)
            except (SandboxError, OSError):  # a bot's own start will say what is wrong
                return
            self._idle.append(ahead)
            watcher = asyncio.create_task(self._watch(ahead))
            self._watchers.add(watcher)
            watcher.add_done_callback(self._watchers.discard)

    async def start(self, spec: SandboxSpec) -> BotProcess:
        """Start a bot in a prepared sandbox if it fits, else in one of its own.

        One that is not ready yet is waited for: it is ahead of what would be begun now.
        """
        if Order.of(spec, ()) is not None and self._idle:
            ahead = (self.ready() or self._idle)[0]
            self._idle.remove(ahead)
            process = await self._employ(ahead, spec)
            if process is not None:
                return process
        return await self._driver.start(spec)

    async def close(self) -> None:
        """End what is left unused."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(ahead.process.kill() for ahead in idle))

    async def _employ(self, ahead: Ahead, spec: SandboxSpec) -> BotProcess | None:
        """Give a sandbox its bot; put it back if the bot does not fit, end it if that fails."""
        try:
            async with asyncio.timeout(READY_SECONDS):
                order = await ahead.order(spec)
            if order is not None:
                return ahead.employ(spec, order)
            if ahead.is_ready:  # it does not fit this bot
                self._idle.append(ahead)
        except OSError:  # it has just ended, or is stuck: TimeoutError is one as well
            await ahead.process.kill()
        except asyncio.CancelledError:
            await ahead.process.kill()
            raise
        return None

    async def _watch(self, ahead: Ahead) -> None:
        """Replace a sandbox that ends unused."""
        await ahead.process.wait()
        if ahead in self._idle:
            self._idle.remove(ahead)
            self._lost += 1
            if self._lost <= MOST_LOST:
                self.prepare(1)
