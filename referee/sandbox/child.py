"""One child process of ours: spawned, watched and drained, without threads."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from typing import TYPE_CHECKING

from referee.sandbox.tail import Tail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

TAIL_BYTES = 64 * 1024
"""How much of a bot's output is kept as evidence."""
DRAIN_PAUSE_SECONDS = 0.01
"""Least time between two reads. With 64 KiB a read this lets a bot log 6 MB/s, far more than any
honest one writes, and a flood then waits in its own write instead of eating our processor."""


class Child:
    """A process in a session of its own whose output ends up in a bounded tail.

    `subprocess.Popen` is used rather than asyncio's because it forks in this very thread, which
    `--die-with-parent` depends on, and because asyncio in Python 3.11 starts a thread per child.
    There is no ``preexec_fn``: no Python may run between fork and exec beside gRPC's threads.
    """

    __slots__ = ("_drainer", "_exited", "_output", "_popen", "_tail")

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: Path | None = None,
        stdin: int = subprocess.DEVNULL,
        pass_fds: Sequence[int] = (),
        tail: Tail | None = None,
    ) -> None:
        """Spawn ``command``; raises `OSError` if not even its first program can be run."""
        self._tail = Tail(TAIL_BYTES) if tail is None else tail
        self._output, writer = os.pipe2(os.O_CLOEXEC)
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - running bots is what we are for
                command,
                stdin=stdin,
                stdout=writer,
                stderr=writer,
                cwd=folder,
                env=dict(environment),
                pass_fds=pass_fds,
                start_new_session=True,
            )
        except BaseException:
            os.close(self._output)
            raise
        finally:
            os.close(writer)
        os.set_blocking(self._output, False)
        try:
            self._exited = watch_exit(self._popen.pid, self._popen.wait)
        except OSError:  # out of descriptors: nothing may run that nobody watches
            self._popen.kill()
            self._popen.wait()
            os.close(self._output)
            raise
        self._drainer: asyncio.TimerHandle | None = None
        self._resume()

    @property
    def pid(self) -> int:
        """Return the process id, which stays ours until `exited` is done."""
        return self._popen.pid

    async def exited(self) -> int:
        """Wait for the end: the exit code, or minus the signal, as `subprocess` has it."""
        return await asyncio.shield(self._exited)

    def reap(self) -> None:
        """Wait for the end of a killed process without the event loop."""
        self._popen.wait()

    def signal(self, number: int) -> None:
        """Send a signal to the process if it has not ended."""
        self._popen.send_signal(number)

    def signal_group(self, number: int) -> None:
        """Send a signal to what is left of the process's group, its leader alive or not."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)

    def tail(self) -> bytes:
        """Return the last bytes of the output."""
        return self._tail.read()

    def close(self) -> None:
        """Read what the pipe still holds and close it, whoever else holds the other end."""
        if self._output < 0:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._output)
        if self._drainer is not None:
            self._drainer.cancel()
        with contextlib.suppress(BlockingIOError):
            # One pipe's worth and no more: a survivor may be writing faster than we read.
            self._tail.feed(os.read(self._output, 2 * TAIL_BYTES))
        os.close(self._output)
        self._output = -1

    def _resume(self) -> None:
        asyncio.get_running_loop().add_reader(self._output, self._drain)

    def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._output)
        chunk = os.read(self._output, TAIL_BYTES)
        if chunk:
            self._tail.feed(chunk)
            self._drainer = loop.call_later(DRAIN_PAUSE_SECONDS, self._resume)


def watch_exit(pid: int, reap: Callable[[], int]) -> asyncio.Future[int]:
    """Return a future with the result of ``reap``, called once the process has ended.

    A pidfd needs no thread; where the system has none (it is Linux's), a thread waits.
    """
    loop = asyncio.get_running_loop()
    if not hasattr(os, "pidfd_open"):
        return asyncio.ensure_future(asyncio.to_thread(reap))
    future: asyncio.Future[int] = loop.create_future()
    descriptor = os.pidfd_open(pid)

    def on_exit() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        code = reap()
        if not future.done():
            future.set_result(code)

    loop.add_reader(descriptor, on_exit)
    return future
