"""The body of a bot: its process, how it is held still, what it uses, and what its end says."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING, Self

from referee.freezer import Freezer
from referee.sandbox import SandboxError
from referee.strain import Watch
from referee.verdict import AbortError, AbortReason, Fault, ForfeitReason

if TYPE_CHECKING:
    from datetime import timedelta

    from referee.sandbox import BotProcess, Driver, Exit, SandboxSpec, Usage
    from referee.strain import Pulse

BEYOND_LIMIT = (signal.SIGXCPU, signal.SIGXFSZ)
"""What the kernel sends a process that has used up an rlimit."""


class Body:
    """A bot's process from its start to its end."""

    def __init__(self, name: str, process: BotProcess, pulse: Pulse) -> None:
        """Take a process that `start` has made; its time begins now."""
        self._name = name
        self._process = process
        self._freezer = Freezer(process)
        self._watch = Watch(process, pulse)

    @classmethod
    async def start(cls, driver: Driver, spec: SandboxSpec, pulse: Pulse) -> Self:
        """Start the process.

        Raises:
            AbortError: the sandbox could not be started.
        """
        try:
            return cls(spec.name, await driver.start(spec), pulse)
        except SandboxError as error:
            raise no_sandbox(spec.name, str(error)) from error

    @property
    def pid(self) -> int:
        """Return the outermost process."""
        return self._process.pid

    @property
    def output_tail(self) -> bytes:
        """Return the end of what the bot has printed."""
        return self._process.stderr_tail()

    @property
    def usage(self) -> Usage:
        """Return what the bot has used, in all once it has ended."""
        return self._process.usage()

    def meter(self) -> timedelta | None:
        """Return the processor time that the bot has used; None where nobody counts it."""
        return self._process.meter()

    def require_custody(self) -> None:
        """See to it that the bot is held as promised.

        Raises:
            AbortError: it is not, which is a fault of ours.
        """
        breaches = self._process.breaches()
        if breaches:
            raise no_sandbox(self._name, f"it is not held as it must be: {', '.join(breaches)}")

    def begin_time(self) -> None:
        """Note that the bot's time for a decision begins about now."""
        self._watch.begin()

    def kept_waiting(self, margin: timedelta) -> timedelta:
        """Return what of the time since then may not be held against the bot.

        Raises:
            AbortError: the machine has kept it or us waiting for too long to tell.
        """
        strain = self._watch.strain()
        clause = strain.overload(margin)
        if clause is not None:
            sentence = f"This machine is overloaded: {self._name} ran out of time, but {clause}."
            raise AbortError(AbortReason.OVERLOAD, sentence)
        return strain.kept(margin)

    async def is_in_time(
        self, event: asyncio.Future[None], limit: timedelta, margin: timedelta
    ) -> bool:
        """Wait for what must happen within the limit from now on; say whether it did.

        Raises:
            AbortError: the machine has kept the bot or us waiting for too long to tell.
        """
        self.begin_time()
        loop = asyncio.get_running_loop()
        began, left = loop.time(), limit.total_seconds()
        while left > 0:
            await asyncio.wait((event,), timeout=left)
            if event.done():
                return True
            kept = self.kept_waiting(margin)
            left = began + (limit + kept).total_seconds() - loop.time()
        return False

    def freeze(self) -> None:
        """Hold the bot still: it has nothing to decide."""
        self._freezer.freeze()

    def thaw(self) -> None:
        """Let the bot go on."""
        self._freezer.thaw()

    async def end(self) -> Exit:
        """Wait until the process and all that it has started are gone."""
        return await self._process.wait()

    async def kill(self) -> None:
        """End the process. May be called at any time and repeatedly."""
        self.thaw()
        await self._process.kill()


def no_sandbox(name: str, reason: str) -> AbortError:
    """Return the abort of a game whose bot could not be held."""
    return AbortError(AbortReason.SANDBOX, f"No sandbox for {name}: {reason}.")


def fault_of(ended: Exit) -> Fault:
    """Return what a bot did wrong whose process ended like that, when it should have played on."""
    code = ended.code if ended.signal is None else -ended.signal
    is_limit = ended.oom or ended.signal in BEYOND_LIMIT
    reason = ForfeitReason.RESOURCE if is_limit else ForfeitReason.CRASH
    return Fault(reason, f"Its process ended: {ended.describe()}.", code, ended.oom)
