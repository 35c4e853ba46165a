"""The seam between the referee and whatever holds a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import timedelta

    from referee.sandbox.policy import PolicyReport
    from referee.sandbox.spec import Exit, SandboxSpec, Usage


class SandboxError(Exception):
    """A bot could not be started through no fault of its own: an abort, retried elsewhere."""


class SandboxUnavailable(SandboxError):  # noqa: N818 - a state of the machine, and read as one
    """This machine cannot hold a bot as asked; the message says what to install or to set."""


class BotProcess(Protocol):
    """A running bot with everything that it has started.

    It belongs to the event loop, and to the thread, that started it.
    """

    @property
    def pid(self) -> int:
        """Return the process that the referee is parent of: the sandbox's outermost one."""

    async def wait(self) -> Exit:
        """Wait until the bot and all that it has started are gone; may be called repeatedly."""

    async def kill(self) -> Exit:
        """End the whole tree at once, wait until it is gone, and leave nothing behind.

        May be called at any time and repeatedly; a bot that had ended before keeps its own exit.
        """

    def stderr_tail(self) -> bytes:
        """Return the last 64 KiB that the bot wrote to stderr or stdout."""

    def freeze(self) -> bool:
        """Hold the bot and all that it has started still; say whether this machine can do that.

        It takes effect within moments, and a bot that has ended is not an error.
        """

    def thaw(self) -> None:
        """Let a frozen bot go on; nothing happens to one that runs."""

    def meter(self) -> timedelta | None:
        """Return the processor time that the bot and all that it started have used so far.

        It is read at every decision and must be quick; None where this machine does not count it.
        """

    def stalled(self) -> timedelta | None:
        """Return how long all of the bot that wanted to run had to wait for a processor so far.

        What it waited by its own limits is left out; None where this machine does not tell.
        """

    def usage(self) -> Usage:
        """Return what the bot has used so far, and in all once it has ended."""

    def breaches(self) -> tuple[str, ...]:
        """Return what the kernel does not hold of the bot as promised, as clauses: none, usually.

        It is told from outside and of the processes that run now. A bot that has ended breaches
        nothing, nor does one of which nothing was promised.
        """


class Driver(Protocol):
    """One way to hold bots.

    Its methods must be called in one long-lived thread: Linux sends a bot's parent-death signal
    when the *thread* that spawned it ends.
    """

    @property
    def name(self) -> str:
        """Return the name under which logs know this driver."""

    async def probe(self) -> PolicyReport:
        """Run a sandbox once and report what it enforces; sweep what dead referees left.

        Raises `SandboxUnavailable` where no bot can be held at all.
        """

    async def start(self, spec: SandboxSpec) -> BotProcess:
        """Start a bot whose socket is already being listened on.

        Raises `SandboxError` where this machine, and not the bot, is at fault. A command that
        does not exist is the bot's fault: it starts, and ends with exit code 127.
        """
