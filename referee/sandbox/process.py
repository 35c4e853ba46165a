"""A bot in a bubblewrap sandbox, from its first process to the last trace of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.sandbox.adoption import reap
from referee.sandbox.child import watch_exit
from referee.sandbox.custody import Custody
from referee.sandbox.spec import Exit, Usage
from referee.sandbox.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta

    from referee.sandbox.cgroup import Cgroup
    from referee.sandbox.child import Child
    from referee.sandbox.line import Line
    from referee.sandbox.uids import Uid

ANNOUNCE_SECONDS = 2.0
"""How long a kill waits for a sandbox that is just being made to name its first process."""
GONE_SECONDS = 5.0
"""How long the last process of a killed namespace may take; the kernel needs milliseconds."""


class SandboxedProcess:
    """The sandbox's outermost process, its control group, its uid, and the verdict at the end.

    Nothing of these outlives the end: `wait` returns only when all are given back.
    """

    def __init__(
        self,
        child: Child,
        status: int,
        cgroup: Cgroup | None,
        uid: Uid | None,
        line: Line | None = None,
        *,
        is_filtered: bool = False,
    ) -> None:
        """Take over a spawned sandbox; ``status`` is our end of its status pipe.

        Where there is a ``line``, what runs there is not the bot until that says so. Whether the
        sandbox filters system calls is what is to be found when somebody looks for breaches.
        """
        self._custody = Custody(None if uid is None else uid.number, is_filtered)
        self._line = line
        self._child = child
        self._cgroup = cgroup
        self._uid = uid
        self._pipe = status
        self._unread = b""
        self._status = Status()
        self._usage = Usage()
        self._is_killed = False
        self._has_begun = line is None
        self._announced = asyncio.Event()
        self._first_gone: asyncio.Future[int] | None = None
        asyncio.get_running_loop().add_reader(status, self._read_status)
        self._end = asyncio.ensure_future(self._see_it_end())

    @property
    def pid(self) -> int:
        """Return the process id of the sandbox's outermost process."""
        return self._child.pid

    async def wait(self) -> Exit:
        """Wait for the end of the bot and of all that it has started."""
        return await asyncio.shield(self._end)

    async def kill(self) -> Exit:
        """End the whole tree at once and wait until nothing is left."""
        if not self._end.done():
            # Before its first process is known we could not tell that it is gone.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._announced.wait(), ANNOUNCE_SECONDS)
            self._is_killed = True
            self._strike()
        return await self.wait()

    def stderr_tail(self) -> bytes:
        """Return the last 64 KiB of the bot's output."""
        return self._child.tail()

    def own(self, socket: Path) -> None:
        """Let this bot alone knock at a socket; raises `OSError`."""
        if self._uid is not None:
            give(socket, self._uid.number)

    def pin(self, core: int) -> None:
        """Keep all that runs here now, and what it starts, on one core; raises `OSError`."""
        for pid in _family(self._child.pid):
            os.sched_setaffinity(pid, (core,))

    def freeze(self) -> bool:
        """Hold every process of the sandbox still."""
        return self._cgroup is not None and self._cgroup.freeze()

    def thaw(self) -> None:
        """Let the processes go on."""
        if self._cgroup is not None:
            self._cgroup.thaw()

    def meter(self) -> timedelta | None:
        """Return the processor time of everything in the sandbox, its own part included."""
        return None if self._cgroup is None else self._cgroup.meter()

    def stalled(self) -> timedelta | None:
        """Return how long everything in the sandbox waited for a processor at once."""
        return None if self._cgroup is None else self._cgroup.stalled()

    def usage(self) -> Usage:
        """Return what the bot has used so far; the sandbox's own few milliseconds included."""
        if self._cgroup is not None and not self._end.done():
            self._usage = self._cgroup.usage()
        return self._usage

    def breaches(self) -> tuple[str, ...]:
        """Return what does not hold of what runs in the sandbox, which must be in its group."""
        first, pids = self._status.child_pid, list[int]()
        if first is None or self._end.done():
            return ()
        if self._cgroup is None:
            with contextlib.suppress(OSError):  # some of it has just ended
                pids.extend(_family(first))
            return self._custody.breaches(pids)
        pids = [pid for pid in self._cgroup.members() if pid != self.pid]
        clauses = self._custody.breaches(pids)
        is_inside = first in pids or not self._custody.is_alive(first)
        return clauses if is_inside else (*clauses, "it is outside of its control group")

    def _strike(self) -> None:
        """Send the end to every process, without waiting for it.

        The sandbox's first process does not yet die with its parent while mounts are made, and
        without a control group nothing else would reach it.
        """
        if self._cgroup is not None:
            self._cgroup.kill()
        first = self._status.child_pid
        if first is not None and self._first_gone is not None and not self._first_gone.done():
            with contextlib.suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)
        self._child.signal(signal.SIGKILL)

    async def _see_it_end(self) -> Exit:
        try:
            code = await self._child.exited()
        except asyncio.CancelledError:
            # The loop is going down around us, so nothing can be awaited any more.
            self._strike()
            self._child.reap()
            if self._cgroup is not None:
                self._cgroup.end_now()
            self._close()
            raise
        self._read_status()
        oom_kills = 0
        if self._cgroup is not None:
            oom_kills = self._cgroup.oom_kills()
            self._usage = self._cgroup.usage()
        self._strike()
        if self._first_gone is not None:
            await asyncio.wait((self._first_gone,), timeout=GONE_SECONDS)
        if self._status.child_pid is not None:
            reap(self._status.child_pid)  # ours if its parent was killed before it
        if self._cgroup is not None:
            await self._cgroup.end()
        self._close()
        end = verdict(code, self._status, oom_kills=oom_kills, is_killed=self._is_killed)
        return end if self._has_begun or end.is_killed else replace(end, is_ours=True)

    def _read_status(self) -> None:
        """Read what the sandbox says of itself; called when there is something, and at the end."""
        if self._pipe < 0:
            return
        try:
            chunk = os.read(self._pipe, 4096)
        except BlockingIOError:
            return
        if not chunk:
            self._close_pipe()
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        for line in lines:
            self._status = self._status.read(line)
        if self._status.child_pid is not None and self._first_gone is None:
            self._first_gone = watch_gone(self._status.child_pid)
        if self._status.child_pid is not None or not chunk:
            self._announced.set()

    def _close_pipe(self) -> None:
        asyncio.get_running_loop().remove_reader(self._pipe)
        os.close(self._pipe)
        self._pipe = -1

    def _close(self) -> None:
        self._announced.set()
        if self._line is not None:
            self._has_begun = self._line.end()
        if self._pipe >= 0:
            self._close_pipe()
        self._child.close()
        if self._uid is not None:
            self._uid.release()


def _family(pid: int) -> Iterator[int]:
    """Yield a process, its children and theirs; all of them must have but one thread."""
    yield pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    for child in children.split():
        yield from _family(int(child))


def give(socket: Path, uid: int) -> None:
    """Give a socket to a bot: no other uid of this machine may knock at it."""
    os.chown(socket, uid, -1)
    socket.chmod(0o600)


def watch_gone(pid: int) -> asyncio.Future[int]:
    """Return a future that is done when a process that is not our child has ended.

    It is done at once if the process is gone, or if we are out of descriptors: then the control
    group, which waits until it is empty, must do.
    """
    try:
        return watch_exit(pid, lambda: 0)
    except OSError:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        future.set_result(0)
        return future


def verdict(code: int, status: Status, *, oom_kills: int, is_killed: bool) -> Exit:
    """Say how the bot ended, from the sandbox's exit, its own words and the kernel's counters.

    ``code`` is the sandbox's: its exit code, or minus its signal. The order is that of trust:
    the bot's own end, then the memory limit, then our kill; what is left is a sandbox that
    never came to run the bot, and that is ours.
    """
    if status.exit_code is not None:
        number = status.exit_code - 128
        oom = oom_kills > 0 and status.exit_code != 0
        return Exit(None, number, oom) if number > 0 else Exit(status.exit_code, None, oom)
    if oom_kills > 0:
        return Exit(None, int(signal.SIGKILL), oom=True, is_killed=is_killed)
    if is_killed:
        return Exit(None, int(signal.SIGKILL), is_killed=True)
    if code < 0:
        return Exit(None, -code, is_ours=True)
    return Exit(code, None, is_ours=True)
