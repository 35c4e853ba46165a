"""The driver that isolates nothing, for bots of one's own."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.sandbox.child import Child
from referee.sandbox.driver import SandboxError
from referee.sandbox.orphans import end_orphans, mark
from referee.sandbox.policy import PolicyReport
from referee.sandbox.spec import Exit, Usage

if TYPE_CHECKING:
    from datetime import timedelta

    from referee.sandbox.spec import SandboxSpec

INHERITED = ("HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SSL_CERT_FILE", "LD_LIBRARY_PATH")
"""What a plain process may need of our environment; our settings and secrets are not in it."""


class TrustedProcess:
    """A bot as a plain process, and whatever has stayed in its process group."""

    __slots__ = ("_child", "_end", "_is_killed")

    def __init__(self, child: Child) -> None:
        self._child = child
        self._is_killed = False
        self._end = asyncio.ensure_future(self._see_it_end())

    @property
    def pid(self) -> int:
        """Return the bot's process id."""
        return self._child.pid

    async def wait(self) -> Exit:
        """Wait for the bot's end."""
        return await asyncio.shield(self._end)

    async def kill(self) -> Exit:
        """End the bot's process group; what has left the group is beyond this driver."""
        if not self._end.done():
            self._is_killed = True
            self._child.signal(signal.SIGKILL)
        return await self.wait()

    def stderr_tail(self) -> bytes:
        """Return the last 64 KiB of the bot's output."""
        return self._child.tail()

    def freeze(self) -> bool:
        """Do nothing: a bot of one's own may be looked at with a debugger."""
        return False

    def thaw(self) -> None:
        """Do nothing."""

    def meter(self) -> timedelta | None:
        """Return None: a plain process may have left its group, so that its time is anybody's."""
        return None

    def stalled(self) -> None:
        """Return None: a machine tells that of control groups only."""

    def usage(self) -> Usage:
        """Return an empty usage: nothing is counted here."""
        return Usage()

    def breaches(self) -> tuple[str, ...]:
        """Return nothing, for nothing was promised."""
        return ()

    async def _see_it_end(self) -> Exit:
        try:
            code = await self._child.exited()
        except asyncio.CancelledError:
            # The loop is going down around us, so nothing can be awaited any more.
            self._child.signal_group(signal.SIGKILL)
            self._child.reap()
            self._child.close()
            raise
        self._child.signal_group(signal.SIGKILL)
        self._child.close()
        if code < 0:
            return Exit(None, -code, is_killed=self._is_killed)
        return Exit(code, None)


class TrustedDriver:
    """Run bots as plain processes of our own user."""

    name = "trusted"

    async def probe(self) -> PolicyReport:
        """Report that nothing is isolated; sweep what dead referees left."""
        if sys.platform == "linux":
            end_orphans()
        return PolicyReport(
            driver=self.name,
            is_isolated=False,
            enforced=(),
            missing=("all isolation: bots are plain processes of the referee's own user",),
        )

    async def start(self, spec: SandboxSpec) -> TrustedProcess:
        """Start a bot in its folder with a clean environment."""
        environment = mark() | {key: os.environ[key] for key in INHERITED if key in os.environ}
        # A bot that says `python3` means the interpreter that has the SDK: ours.
        search = (str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))
        environment["PATH"] = os.pathsep.join(search)
        environment.update(spec.environment)
        environment["ROUNDHOUSE_SOCKET"] = str(spec.socket)
        # The shell turns a missing program into exit code 127, the bot's own fault.
        command = ["/bin/sh", "-c", 'exec "$@"', "sh", *spec.command]
        setpriv = shutil.which("setpriv")
        if setpriv is not None:
            command = [setpriv, "--pdeathsig", "KILL", *command]
        try:
            child = Child(command, environment=environment, folder=spec.folder)
        except OSError as error:
            raise SandboxError(f"{spec.name}: cannot start a process: {error}") from error
        return TrustedProcess(child)
