"""`MatchService`: lanes for whoever may ask, as many at once as this machine can referee fairly."""

from __future__ import annotations

import asyncio
import signal
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import grpc

from referee.lane_pool import LanePool
from referee.request import InvalidRequestError, LaneRequest
from referee.verdict import AbortReason
from roundhouse.api.game.v1.clock_pb2 import TIME_MEASURE_CPU
from roundhouse.api.referee.v1.match_pb2 import (
    DescribeHostRequest,
    DescribeHostResponse,
    GameAborted,
    PlayLaneRequest,
    PlayLaneResponse,
)
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceServicer
from roundhouse.codec import encode_duration

if TYPE_CHECKING:
    from referee.isolation import Isolation
    from referee.lane_child import LaneChild
    from referee.settings import RefereeSettings

    LaneContext = grpc.aio.ServicerContext[PlayLaneRequest, PlayLaneResponse]
    HostContext = grpc.aio.ServicerContext[DescribeHostRequest, DescribeHostResponse]

TERMINATED = 128 + signal.SIGTERM
"""The exit code of a lane's process that was told to stop and has done so."""


class MatchService(MatchServiceServicer):
    """Check a lane, play it in a process of its own, and pass on what comes of it."""

    def __init__(self, settings: RefereeSettings, isolation: Isolation) -> None:
        """Serve under the isolation that was found on this machine."""
        self._settings = settings
        self._isolation = isolation
        self._started = time.monotonic()
        self._busy = 0
        self._children: set[LaneChild] = set()
        self._pool = LanePool(settings)
        if isolation.lack is None:
            self._pool.fill()
        self._is_stopping = False

    async def PlayLane(  # type: ignore[override]  # noqa: N802 - the name in the .proto file
        self, request: PlayLaneRequest, context: LaneContext
    ) -> None:
        """Play a lane; the caller's cancellation ends it and its bots.

        It writes instead of yielding: gRPC leaves a cancelled generator to the garbage collector,
        and the bots would live until then.
        """
        if self._is_stopping:
            await context.abort(
                grpc.StatusCode.UNAVAILABLE, "This referee is being stopped; ask another one."
            )
        if self._busy >= self._settings.lanes:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"All {self._settings.lanes} lanes of this referee are busy; ask again later.",
            )
        self._busy += 1
        try:
            await self._require_playable(request, context)
            await self._play(request, context)
        finally:
            self._busy -= 1

    async def DescribeHost(  # noqa: N802 - the name in the .proto file
        self, _request: DescribeHostRequest, _context: HostContext
    ) -> DescribeHostResponse:
        """Say which machine this is."""
        return DescribeHostResponse(
            host=self._isolation.host,
            lanes=self._settings.lanes,
            busy=self._busy,
            up=encode_duration(timedelta(seconds=time.monotonic() - self._started)),
            waiting=len(self._pool.idle),
            waiting_memory=await asyncio.to_thread(self._pool.memory),
        )

    async def _require_playable(self, request: PlayLaneRequest, context: LaneContext) -> None:
        refusal = self._isolation.refusal(
            is_rated=request.rated,
            needs_meter=request.time_control.measure == TIME_MEASURE_CPU,
        )
        if refusal is not None:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, refusal)
        try:
            # In a thread: archives are decompressed, and other lanes must not wait for that.
            await asyncio.to_thread(LaneRequest.parse, request)
        except InvalidRequestError as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))

    async def _play(self, request: PlayLaneRequest, context: LaneContext) -> None:
        left = [game.game_id for game in request.games]
        try:
            child = await self._pool.take()
        except OSError as error:
            await context.abort(
                grpc.StatusCode.UNAVAILABLE,
                f"This machine starts no more processes ({error.strerror}); ask another referee.",
            )
        self._children.add(child)
        try:
            if self._is_stopping:  # while the process was being made
                await child.end()
            async for response in child.play(request):
                _strike(left, response)
                await context.write(response)
            code = await child.finished()
            for game_id in left:
                await context.write(_aborted(game_id, code, is_stopping=self._is_stopping))
        finally:
            # Shielded, and awaited by `stop` as well: whoever cancels twice leaves no bots behind.
            await asyncio.shield(child.end())
            self._children.discard(child)

    async def stop(self) -> None:
        """End all lanes and their bots; the games that they were at are aborted as STOPPED."""
        self._is_stopping = True
        await asyncio.gather(self._pool.close(), *(child.end() for child in self._children))


def _strike(left: list[str], response: PlayLaneResponse) -> None:
    """Strike a game off the list of those that the caller has not heard the end of."""
    match response.WhichOneof("kind"):
        case "game_finished":
            left.remove(response.game_finished.game_id)
        case "game_aborted":
            left.remove(response.game_aborted.game_id)
        case _:
            pass


def _aborted(game_id: str, code: int, *, is_stopping: bool) -> PlayLaneResponse:
    # A supervisor may tell the lane's process to stop before it tells us.
    if is_stopping or code == TERMINATED:
        reason, sentence = AbortReason.STOPPED, "The referee was stopped before this game ended."
    else:
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        reason = AbortReason.INTERNAL
        sentence = f"The lane's process ended {how} before this game did."
    return PlayLaneResponse(
        game_aborted=GameAborted(game_id=game_id, reason=reason.value, sentence=sentence)
    )
