"""A lane's process as the service sees it: started by exec, read message by message, ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
from typing import TYPE_CHECKING, Self

from referee.framing import FrameError, read_frame
from roundhouse.api.referee.v1.match_pb2 import PlayLaneResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from referee.sandbox import SandboxSettings
    from roundhouse.api.referee.v1.match_pb2 import PlayLaneRequest

STOP_SECONDS = 2.0
"""How long a lane may take to end its bots. After that it is killed, and they die with it."""
KEPT_BACK = ("ROUNDHOUSE_SERVICE_TOKEN", "ROUNDHOUSE_DATABASE_URL", "ROUNDHOUSE_BROKER_URL")
"""Secrets that a lane has no use for. Bots get nothing of its environment in any case."""


class LaneChild:
    """The process of one lane.

    It is a process of its own, begun by exec and not by fork: gRPC and fork do not mix, and a bot
    that brings its lane down touches no other game. `setpriv` makes the kernel kill it when we are
    killed.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Take a process that `start` has made."""
        self._process = process

    @classmethod
    async def start(cls, settings: SandboxSettings, *, ahead: int = 0) -> Self:
        """Start the process, with so many sandboxes prepared while it waits for its request.

        Raises:
            OSError: this machine starts no more processes.
        """
        # -P: a folder named `referee` in the working directory is not the referee.
        command = [sys.executable, "-P", "-m", "referee", "lane"]
        setpriv = shutil.which("setpriv")
        if setpriv is not None:
            command = [setpriv, "--pdeathsig", "KILL", *command]
        environment = {key: os.environ[key] for key in os.environ if key not in KEPT_BACK}
        environment["ROUNDHOUSE_SANDBOX"] = settings.driver
        environment["ROUNDHOUSE_SANDBOX_STATE"] = str(settings.state)
        environment["ROUNDHOUSE_SANDBOX_RUNTIME"] = settings.runtime or ""
        environment["ROUNDHOUSE_SANDBOX_UID_FIRST"] = str(settings.uid_first)
        environment["ROUNDHOUSE_SANDBOX_UID_COUNT"] = str(settings.uid_count)
        environment["ROUNDHOUSE_SANDBOX_PIN"] = "on" if settings.is_pinned else "off"
        environment["ROUNDHOUSE_SANDBOX_WARM"] = str(ahead)
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        )

    @property
    def pid(self) -> int:
        """Return the process's id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Say whether the process has not ended, as far as we have heard."""
        return self._process.returncode is None

    async def exited(self) -> int:
        """Wait until the process has ended, whenever that is."""
        return await self._process.wait()

    async def play(self, request: PlayLaneRequest) -> AsyncIterator[PlayLaneResponse]:
        """Hand the request over and yield what comes of it, until the process says no more."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with contextlib.suppress(ConnectionError):  # a lane that dies early is seen below
            stdin.write(request.SerializeToString())
            await stdin.drain()
            stdin.close()
        with contextlib.suppress(FrameError):
            while (message := await read_frame(stdout)) is not None:
                yield PlayLaneResponse.FromString(message)

    async def finished(self) -> int:
        """Wait for the end of a process that has said its last, and return its exit code."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                return await self._process.wait()
        return await self.end()

    async def end(self) -> int:
        """Stop the process, by force if need be, and return its exit code."""
        process = self._process
        if process.returncode is not None:
            return process.returncode
        process.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                return await process.wait()
        process.kill()
        return await process.wait()
