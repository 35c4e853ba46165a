"""A bot in a container, from its runtime's first process to the last trace of it."""

from __future__ import annotations

import asyncio
import shutil
import signal
from typing import TYPE_CHECKING

from referee.sandbox.adoption import orphans_of, reap
from referee.sandbox.engine import LOST_CODE
from referee.sandbox.process import verdict
from referee.sandbox.spec import Exit, Usage
from referee.sandbox.status import Status

if TYPE_CHECKING:
    from datetime import timedelta
    from pathlib import Path

    from referee.sandbox.cgroup import Cgroup
    from referee.sandbox.child import Child
    from referee.sandbox.custody import Custody
    from referee.sandbox.herald import HeraldedTail
    from referee.sandbox.uids import Uid

KILLED_CODE = 128 + signal.SIGKILL
"""What a runtime exits with when its container's first process was killed."""


class ContainerProcess:
    """The runtime's process, its bundle, its control group, its uid, and the verdict at the end.

    Nothing of these outlives the end: `wait` returns only when all are given back.
    """

    def __init__(
        self,
        child: Child,
        output: HeraldedTail,
        bundle: Path,
        cgroup: Cgroup,
        uid: Uid,
        custody: Custody | None,
    ) -> None:
        """Take over a runtime that has been spawned, with the folder that is its own.

        There is no ``custody`` where the guest's processes are none of this kernel's.
        """
        self._custody = custody
        self._child = child
        self._output = output
        self._bundle = bundle
        self._cgroup = cgroup
        self._uid = uid
        self._usage = Usage()
        self._is_killed = False
        self._struck: set[int] = set()
        self._end = asyncio.ensure_future(self._see_it_end())

    @property
    def pid(self) -> int:
        """Return the process id of the runtime."""
        return self._child.pid

    async def wait(self) -> Exit:
        """Wait for the end of the bot and of all that it has started."""
        return await asyncio.shield(self._end)

    async def kill(self) -> Exit:
        """End the whole tree at once and wait until nothing is left."""
        if not self._end.done():
            self._is_killed = True
            self._strike()
        return await self.wait()

    def stderr_tail(self) -> bytes:
        """Return the last 64 KiB of the bot's output."""
        return self._child.tail()

    def freeze(self) -> bool:
        """Hold every process of the container still."""
        return self._cgroup.freeze()

    def thaw(self) -> None:
        """Let the processes go on."""
        self._cgroup.thaw()

    def meter(self) -> timedelta | None:
        """Return the processor time of everything in the container, its making included."""
        return self._cgroup.meter()

    def stalled(self) -> timedelta | None:
        """Return how long everything in the container waited for a processor at once."""
        return self._cgroup.stalled()

    def usage(self) -> Usage:
        """Return what the bot has used so far, with what making its container took."""
        if not self._end.done():
            self._usage = self._cgroup.usage()
        return self._usage

    def breaches(self) -> tuple[str, ...]:
        """Return what does not hold of what runs in the container, as far as it can be seen."""
        if self._custody is None or self._end.done():
            return ()
        return self._custody.breaches(pid for pid in self._cgroup.members() if pid != self.pid)

    def _strike(self) -> None:
        """Send the end to every process, without waiting for it.

        A container that is just being made dies of the runtime's end, of which it hears through
        its pipes, or in its group.
        """
        self._struck.update(self._cgroup.members())
        self._struck.discard(self._child.pid)
        self._cgroup.kill()
        self._child.signal(signal.SIGKILL)

    async def _see_it_end(self) -> Exit:
        try:
            code = await self._child.exited()
        except asyncio.CancelledError:
            # The loop is going down around us, so nothing can be awaited any more.
            self._strike()
            self._child.reap()
            self._cgroup.end_now()
            self._close()
            raise
        oom_kills = self._cgroup.oom_kills()
        self._usage = self._cgroup.usage()
        self._strike()
        await self._cgroup.end()
        # gVisor leaves the processes that stood for the guest's to whoever comes.
        for pid in self._struck | orphans_of(self._bundle.name):
            reap(pid)
        self._close()
        status = own_end(
            code,
            is_heralded=self._output.is_heralded,
            is_killed=self._is_killed,
            is_oom=oom_kills > 0,
        )
        return verdict(code, status, oom_kills=oom_kills, is_killed=self._is_killed)

    def _close(self) -> None:
        self._child.close()
        shutil.rmtree(self._bundle, ignore_errors=True)
        self._uid.release()


def own_end(code: int, *, is_heralded: bool, is_killed: bool, is_oom: bool) -> Status:
    """Return what is known of the bot's own end, from the exit code of its runtime.

    Nothing is where the container never stood, where the runtime was killed, or where our kill or
    the memory limit explains the end. A guest that gVisor loses for any other reason while the bot
    runs is the bot's doing.
    """
    explained = {KILLED_CODE, LOST_CODE} if is_killed else {LOST_CODE} if is_oom else set()
    if not is_heralded or code < 0 or code in explained:
        return Status()
    return Status(exit_code=code)
