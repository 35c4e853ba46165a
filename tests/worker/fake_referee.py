"""A referee that plays by a script, and speaks the real protocol."""

from __future__ import annotations

import gzip
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc

from roundhouse.api.game.v1.log_pb2 import GameLog
from roundhouse.api.game.v1.verdict_pb2 import ABORT_REASON_SANDBOX
from roundhouse.api.referee.v1 import match_pb2, match_pb2_grpc

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Refuse:
    """Refuse the lane with a code."""

    code: grpc.StatusCode
    sentence: str = "Not now."


@dataclass
class Play:
    """Finish games; abort those at `aborts`; break off after `breaks_after` or hang after it."""

    aborts: tuple[int, ...] = ()
    breaks_after: int | None = None
    hangs_after: int | None = None


@dataclass
class FakeReferee(match_pb2_grpc.MatchServiceServicer):
    """Follow the script, one step a lane; after its end, play."""

    script: list[Refuse | Play] = field(default_factory=list)
    lanes: int = 2
    busy: int = 0
    requests: list[match_pb2.PlayLaneRequest] = field(default_factory=list)
    tokens: list[str | bytes | None] = field(default_factory=list)
    hanging: threading.Event = field(default_factory=threading.Event)
    """A lane hangs now."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    """A lane that hung was cancelled."""

    def PlayLane(  # noqa: N802 - the protocol's name
        self, request: match_pb2.PlayLaneRequest, context: grpc.ServicerContext
    ) -> Iterator[match_pb2.PlayLaneResponse]:
        self.requests.append(request)
        self.tokens.append(dict(context.invocation_metadata()).get("authorization"))
        step = self.script.pop(0) if self.script else Play()
        if isinstance(step, Refuse):
            context.abort(step.code, step.sentence)
            return
        yield match_pb2.PlayLaneResponse(lane_started=match_pb2.LaneStarted())
        for number, game in enumerate(request.games):
            if number == step.breaks_after:
                context.abort(grpc.StatusCode.UNAVAILABLE, "The machine goes down.")
            if number == step.hangs_after:
                ended = threading.Event()
                context.add_callback(ended.set)
                self.hanging.set()
                ended.wait(30)
                self.cancelled.set()
                return
            yield _abort(game) if number in step.aborts else _finish(game)

    def DescribeHost(  # noqa: N802
        self,
        request: match_pb2.DescribeHostRequest,  # noqa: ARG002
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> match_pb2.DescribeHostResponse:
        return match_pb2.DescribeHostResponse(lanes=self.lanes, busy=self.busy)


def _finish(game: match_pb2.LaneGame) -> match_pb2.PlayLaneResponse:
    log = GameLog(format=1, game_id=game.game_id, seed=game.seed)
    return match_pb2.PlayLaneResponse(
        game_finished=match_pb2.GameFinished(
            game_id=game.game_id, log=gzip.compress(log.SerializeToString())
        )
    )


def _abort(game: match_pb2.LaneGame) -> match_pb2.PlayLaneResponse:
    return match_pb2.PlayLaneResponse(
        game_aborted=match_pb2.GameAborted(
            game_id=game.game_id, reason=ABORT_REASON_SANDBOX, sentence="No sandbox today."
        )
    )
