"""The referees that a worker may ask, the freest first."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import grpc

from roundhouse.api.referee.v1 import match_pb2, match_pb2_grpc
from roundhouse.channel import authorization
from worker.channels import open_referee
from worker.faults import Fault, describe, of_referee

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from types import TracebackType

    from roundhouse.channel import Metadata
    from worker.settings import WorkerSettings

DESCRIBE_SECONDS = 2
"""A referee that does not even say how busy it is within this time is asked last."""


class LaneFailedError(Exception):
    """A lane ended before its time; `fault` says whose it was, `details` what a referee said."""

    def __init__(self, fault: Fault, sentence: str, details: str = "") -> None:
        super().__init__(sentence)
        self.fault = fault
        self.details = details


class LaneCall(Protocol):
    """A lane that is being played."""

    def __iter__(self) -> Iterator[match_pb2.PlayLaneResponse]:
        """Yield what comes of it; raise `grpc.RpcError` when it ends before its time."""

    def cancel(self) -> bool:
        """Stop it and its bots."""


@dataclass(frozen=True, slots=True)
class Referee:
    """One referee."""

    target: str
    """Its address, for logs."""
    stub: match_pb2_grpc.MatchServiceStub
    metadata: Metadata

    def play_lane(self, request: match_pb2.PlayLaneRequest) -> LaneCall:
        """Start a lane. `messages` reads what comes of it."""
        return self.stub.PlayLane(request, metadata=self.metadata)


def messages(call: LaneCall) -> Iterator[match_pb2.PlayLaneResponse]:
    """Yield what a lane streams back. Raise `LaneFailedError` when it ends before its time."""
    try:
        yield from call
    except grpc.RpcError as error:
        raise LaneFailedError(of_referee(error), describe(error), error.details() or "") from error


class Referees:
    """Channels to all referees. Use it as a context manager, inside a task."""

    __slots__ = ("_channels", "_referees")

    def __init__(self, settings: WorkerSettings) -> None:
        self._channels = ExitStack()
        metadata = authorization(settings.service_token)
        self._referees = []
        for target in settings.referee_targets:
            channel = self._channels.enter_context(open_referee(target))
            stub = match_pb2_grpc.MatchServiceStub(channel)
            self._referees.append(Referee(target, stub, metadata))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._channels.close()

    def freest_first(self, rng: random.Random) -> list[Referee]:
        """Return the referees, those with most free lanes first and silent ones last.

        Equals are shuffled by `rng`, so that workers which ask at the same moment part.
        """
        if len(self._referees) == 1:
            return list(self._referees)
        calls = [
            (
                referee,
                referee.stub.DescribeHost.future(
                    match_pb2.DescribeHostRequest(),
                    metadata=referee.metadata,
                    timeout=DESCRIBE_SECONDS,
                ),
            )
            for referee in self._referees
        ]
        free = {}
        for referee, call in calls:
            try:
                host = call.result()
            except grpc.RpcError:
                free[referee.target] = -1
            else:
                free[referee.target] = host.lanes - host.busy
        order = rng.sample(self._referees, len(self._referees))
        return sorted(order, key=lambda referee: free[referee.target], reverse=True)
