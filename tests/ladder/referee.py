"""A referee for tests: the real service on a real port, which answers as the test says."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc

from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.api.referee.v1 import match_pb2, match_pb2_grpc

if TYPE_CHECKING:
    from collections.abc import Iterator

CRASH = verdict_pb2.Forfeit(
    seat=1,
    reason=verdict_pb2.FORFEIT_REASON_CRASH,
    sentence="Its process ended with exit code 1.",
    output_tail=b"Traceback:\nImportError: no module named n\xc3\xa4chstes",
)


@dataclass
class FakeReferee(match_pb2_grpc.MatchServiceServicer):
    """Plays no cards. Every lane ends at once with `forfeits`, unless something else is set."""

    forfeits: list[verdict_pb2.Forfeit] = field(default_factory=list)
    aborts: bool = False
    refuses: grpc.StatusCode | None = None
    busy: int = 0
    """How many lanes are turned away before one is played."""
    hangs: bool = False
    lanes: list[match_pb2.PlayLaneRequest] = field(default_factory=list)
    metadata: list[dict[str, str | bytes]] = field(default_factory=list)
    started: threading.Event = field(default_factory=threading.Event)
    target: str = ""

    def PlayLane(  # noqa: N802 - the name of the RPC
        self, request: match_pb2.PlayLaneRequest, context: grpc.ServicerContext
    ) -> Iterator[match_pb2.PlayLaneResponse]:
        self.metadata.append(dict(context.invocation_metadata()))
        if self.busy:
            self.busy -= 1
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "All lanes are busy.")
        if self.refuses is not None:
            context.abort(self.refuses, "This referee refuses.")
        self.lanes.append(request)
        yield match_pb2.PlayLaneResponse(lane_started=match_pb2.LaneStarted())
        self.started.set()
        if self.hangs:
            ended = threading.Event()
            context.add_callback(ended.set)
            ended.wait()
            return
        for game in request.games:
            if self.aborts:
                yield match_pb2.PlayLaneResponse(
                    game_aborted=match_pb2.GameAborted(
                        game_id=game.game_id,
                        reason=verdict_pb2.ABORT_REASON_SANDBOX,
                        sentence="The sandbox did not start.",
                    )
                )
            else:
                yield match_pb2.PlayLaneResponse(
                    game_finished=match_pb2.GameFinished(
                        game_id=game.game_id, forfeits=self.forfeits
                    )
                )

    def DescribeHost(  # noqa: N802
        self,
        request: match_pb2.DescribeHostRequest,  # noqa: ARG002
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> match_pb2.DescribeHostResponse:
        return match_pb2.DescribeHostResponse(lanes=1, busy=min(self.busy, 1))

    @contextmanager
    def serve(self) -> Iterator[FakeReferee]:
        """Listen on a free port of this machine while the block runs."""
        server = grpc.server(ThreadPoolExecutor(12))
        match_pb2_grpc.add_MatchServiceServicer_to_server(self, server)
        self.target = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        server.start()
        try:
            yield self
        finally:
            server.stop(None).wait()
