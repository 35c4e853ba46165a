"""The calls that a worker makes to the ladder, which knows what is still to be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import grpc

from roundhouse.api.ladder.v1 import (
    dispatch_pb2,
    dispatch_pb2_grpc,
    ladder_pb2,
    ladder_pb2_grpc,
)
from roundhouse.channel import authorization
from roundhouse.codec import encode_duration
from worker.channels import open_ladder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta
    from types import TracebackType

    from roundhouse.api.referee.v1.match_pb2 import GameAborted, GameFinished
    from worker.planning import PlannedGame
    from worker.settings import WorkerSettings

CALL_SECONDS = 30
"""The longest that a call may take, waiting for the ladder to come back included."""
RECORD_SECONDS = 120
"""The same for a finished game: what was played is worth waiting for."""


class LeaseTakenError(Exception):
    """The chunk is not ours to play: somebody else holds it, or nothing of it is left."""


class LadderClient:
    """One channel to the ladder. Use it as a context manager, inside a task.

    Every method raises `grpc.RpcError` when the ladder can't be reached or refuses.
    """

    __slots__ = ("_channel", "_dispatch", "_ladder", "_metadata")

    def __init__(self, settings: WorkerSettings) -> None:
        self._channel = open_ladder(settings.ladder_target)
        self._dispatch = dispatch_pb2_grpc.DispatchServiceStub(self._channel)
        self._ladder = ladder_pb2_grpc.LadderServiceStub(self._channel)
        self._metadata = authorization(settings.service_token)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._channel.close()

    def list_work(self) -> dispatch_pb2.ListWorkResponse:
        """Return the tournaments without a plan and the chunks that nobody plays."""
        return self._dispatch.ListWork(
            dispatch_pb2.ListWorkRequest(), metadata=self._metadata, timeout=CALL_SECONDS
        )

    def record_plan(self, tournament_id: str, games: Iterable[PlannedGame]) -> None:
        """Store a plan."""
        request = dispatch_pb2.RecordPlanRequest(
            tournament_id=tournament_id,
            games=[
                dispatch_pb2.PlannedGame(
                    game_id=game.game_id,
                    chunk_id=game.chunk_id,
                    pairing=game.pairing,
                    deal=game.deal,
                    rotation=game.rotation,
                    seed=game.seed,
                    versions=game.versions,
                )
                for game in games
            ],
        )
        self._dispatch.RecordPlan(request, metadata=self._metadata, timeout=RECORD_SECONDS)

    def lease(
        self, chunk_id: str, worker: str, length: timedelta
    ) -> dispatch_pb2.LeaseChunkResponse:
        """Take a chunk. Raise `LeaseTakenError` when it is not to be had."""
        request = dispatch_pb2.LeaseChunkRequest(
            chunk_id=chunk_id, worker=worker, duration=encode_duration(length)
        )
        try:
            return self._dispatch.LeaseChunk(request, metadata=self._metadata, timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.FAILED_PRECONDITION:
                raise LeaseTakenError(error.details()) from error
            raise

    def renew(self, chunk_id: str, worker: str, length: timedelta) -> None:
        """Hold a chunk for longer. Raise `LeaseTakenError` when it has been lost."""
        request = dispatch_pb2.RenewLeaseRequest(
            chunk_id=chunk_id, worker=worker, duration=encode_duration(length)
        )
        try:
            self._dispatch.RenewLease(request, metadata=self._metadata, timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.FAILED_PRECONDITION:
                raise LeaseTakenError(error.details()) from error
            raise

    def release(self, chunk_id: str, worker: str) -> None:
        """Give a chunk back."""
        request = dispatch_pb2.ReleaseLeaseRequest(chunk_id=chunk_id, worker=worker)
        self._dispatch.ReleaseLease(request, metadata=self._metadata, timeout=CALL_SECONDS)

    def archive(self, version: str) -> bytes:
        """Return the archive of a version."""
        request = dispatch_pb2.GetArchiveRequest(hash=version)
        response = self._dispatch.GetArchive(request, metadata=self._metadata, timeout=CALL_SECONDS)
        return response.archive

    def record_game(self, game: GameFinished) -> bool:
        """Record a finished game; say whether it is new. The ladder may be away for a while."""
        response = self._ladder.RecordGame(
            ladder_pb2.RecordGameRequest(log=game.log, forfeits=game.forfeits),
            metadata=self._metadata,
            timeout=RECORD_SECONDS,
            wait_for_ready=True,
        )
        return not response.already_recorded

    def record_abort(self, game: GameAborted) -> None:
        """Note that a game could not be played."""
        request = ladder_pb2.RecordAbortRequest(
            game_id=game.game_id, reason=game.reason, sentence=game.sentence
        )
        self._ladder.RecordAbort(request, metadata=self._metadata, timeout=CALL_SECONDS)
