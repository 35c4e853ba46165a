"""The process of one lane: a request comes in on stdin, and what came of it goes out on stdout."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from typing import TYPE_CHECKING, Self

from google.protobuf.message import DecodeError

from referee.framing import frame
from referee.lane import Lane
from referee.quarters import Quarters
from referee.request import InvalidRequestError, LaneRequest
from referee.sandbox import SandboxError
from referee.verdict import AbortReason
from roundhouse.api.referee.v1.match_pb2 import GameAborted, PlayLaneRequest, PlayLaneResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.sandbox import SandboxSettings


class LaneError(Exception):
    """A lane that cannot be read; the message is a sentence."""


async def run_lane(settings: SandboxSettings) -> None:
    """Make ready, wait for a lane on stdin, and play it.

    It stops when a signal asks for it or nobody reads stdout any more.

    Raises:
        LaneError: stdin holds no lane.
        asyncio.CancelledError: it was stopped. No bot is left.
    """
    playing = asyncio.current_task()
    assert playing is not None

    def stop() -> None:
        # Once: who stops us also stops reading, and again would hit the cleaning up.
        if not playing.cancelling():
            playing.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
    # Ctrl-C reaches every process of a terminal; whoever started us decides what it means for us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output = await Output.open(stop)
    quarters: Quarters | None = None
    try:
        try:
            quarters = await Quarters.prepare(settings)
        except (SandboxError, OSError) as error:
            await _abort(await _request(), error, output)
        else:
            await _play(await _request(), quarters, output)
    finally:
        if quarters is not None:
            await quarters.close()
    await output.close()


async def _play(request: LaneRequest, quarters: Quarters, output: Output) -> None:
    gc.freeze()
    gc.disable()  # a lane collects between games, where no bot's clock runs
    try:
        quarters.require(request)
        lane = Lane(request, quarters.driver, quarters.report, quarters.stage, output.write)
        await lane.play()
    except (SandboxError, OSError) as error:
        await _abort(request, error, output)


async def _abort(request: LaneRequest, error: Exception, output: Output) -> None:
    """Abort all games, before the first: afterwards a game aborts by itself."""
    for game in request.games:
        aborted = GameAborted(
            game_id=game.game_id, reason=AbortReason.SANDBOX.value, sentence=f"{error}."
        )
        await output.write(PlayLaneResponse(game_aborted=aborted))


async def _request() -> LaneRequest:
    """Wait for the request, which ends with stdin."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    try:
        return LaneRequest.parse(PlayLaneRequest.FromString(await reader.read()))
    except (DecodeError, InvalidRequestError) as error:
        raise LaneError(f"The lane cannot be read: {error}") from error


class Output(asyncio.BaseProtocol):
    """Our stdout, written without ever blocking the loop that keeps the clocks."""

    def __init__(self, on_lost: Callable[[], object]) -> None:
        """Call `on_lost` when nobody reads any more."""
        self._on_lost = on_lost
        self._transport: asyncio.WriteTransport | None = None
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._is_closed = asyncio.Event()

    @classmethod
    async def open(cls, on_lost: Callable[[], object]) -> Self:
        """Take over stdout, so that whatever else prints goes to stderr."""
        pipe = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        _, output = await asyncio.get_running_loop().connect_write_pipe(lambda: cls(on_lost), pipe)
        return output

    async def write(self, message: PlayLaneResponse) -> None:
        """Write a message, as soon as those before it are out."""
        await self._may_write.wait()
        if self._transport is not None:
            self._transport.write(frame(message.SerializeToString()))

    async def close(self) -> None:
        """Write what is left and close."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None
        await self._is_closed.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the pipe's transport."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def pause_writing(self) -> None:
        """Let writers wait: the reader is slow."""
        self._may_write.clear()

    def resume_writing(self) -> None:
        """Let writers go on."""
        self._may_write.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        """Note that the pipe is closed, by us or by its reader's end."""
        if self._transport is not None:
            self._transport = None
            self._on_lost()
        self._may_write.set()
        self._is_closed.set()
