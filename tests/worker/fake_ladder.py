"""A ladder that keeps its book in memory, and speaks the real protocol."""

from __future__ import annotations

import gzip
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc

from roundhouse.api.game.v1.log_pb2 import GameLog
from roundhouse.api.ladder.v1 import (
    dispatch_pb2,
    dispatch_pb2_grpc,
    ladder_pb2,
    ladder_pb2_grpc,
    tournament_pb2,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from roundhouse.api.game.v1.verdict_pb2 import AbortReason


@dataclass
class Book:
    """What the ladder knows."""

    tournaments: dict[str, tuple[tournament_pb2.Tournament, bytes]] = field(default_factory=dict)
    plans: dict[str, list[dispatch_pb2.PlannedGame]] = field(default_factory=dict)
    recorded: Counter[str] = field(default_factory=Counter)
    """How often each game was handed in."""
    aborts: list[tuple[str, AbortReason.ValueType, str]] = field(default_factory=list)
    leases: dict[str, tuple[str, float]] = field(default_factory=dict)
    lengths: dict[str, float] = field(default_factory=dict)
    """How long the last lease or renewal of each chunk was, in seconds."""
    token: str | None = None
    refuses: dict[str, tuple[grpc.StatusCode, str]] = field(default_factory=dict)
    """Methods that fail, by name."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    changed: threading.Condition = field(init=False)

    def __post_init__(self) -> None:
        self.changed = threading.Condition(self.lock)

    def add(self, tournament: tournament_pb2.Tournament, seed: bytes) -> None:
        with self.lock:
            self.tournaments[tournament.id] = (tournament, seed)

    def games(self) -> list[dispatch_pb2.PlannedGame]:
        with self.lock:
            return [game for plan in self.plans.values() for game in plan]

    def left(self, chunk_id: str) -> list[dispatch_pb2.PlannedGame]:
        with self.lock:
            return [
                game
                for game in self.games()
                if game.chunk_id == chunk_id and not self.recorded[game.game_id]
            ]

    def is_finished(self) -> bool:
        return bool(self.games()) and all(self.recorded[game.game_id] for game in self.games())

    def wait_until(self, condition: Callable[[], bool], seconds: float = 30) -> bool:
        """Wait until a condition holds, which is looked at after every call."""
        with self.changed:
            return self.changed.wait_for(condition, seconds)


class FakeDispatch(dispatch_pb2_grpc.DispatchServiceServicer):
    """Plans and leases."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def ListWork(  # noqa: N802 - the protocol's name
        self, _: dispatch_pb2.ListWorkRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.ListWorkResponse:
        with entered(self.book, "ListWork", context):
            chunks = dict.fromkeys(game.chunk_id for game in self.book.games())
            return dispatch_pb2.ListWorkResponse(
                unplanned=[
                    dispatch_pb2.UnplannedTournament(tournament=tournament, seed=seed)
                    for tournament, seed in self.book.tournaments.values()
                    if tournament.id not in self.book.plans
                ],
                chunk_ids=[
                    chunk
                    for chunk in chunks
                    if self.book.left(chunk)
                    and self.book.leases.get(chunk, ("", 0.0))[1] <= time.monotonic()
                ],
            )

    def RecordPlan(  # noqa: N802
        self, request: dispatch_pb2.RecordPlanRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.RecordPlanResponse:
        with entered(self.book, "RecordPlan", context):
            known = self.book.plans.setdefault(request.tournament_id, list(request.games))
            if known != list(request.games):
                context.abort(grpc.StatusCode.FAILED_PRECONDITION, "It has another plan.")
            return dispatch_pb2.RecordPlanResponse()

    def LeaseChunk(  # noqa: N802
        self, request: dispatch_pb2.LeaseChunkRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.LeaseChunkResponse:
        with entered(self.book, "LeaseChunk", context):
            games = self.book.left(request.chunk_id)
            holder, until = self.book.leases.get(request.chunk_id, (request.worker, 0.0))
            if not games or (holder != request.worker and until > time.monotonic()):
                context.abort(grpc.StatusCode.FAILED_PRECONDITION, "It is not to be had.")
            self._hold(request)
            tournament, _ = self.book.tournaments[request.chunk_id.rsplit("-", 3)[0]]
            names = dict(zip(tournament.versions, tournament.bots, strict=True))
            unplayed = {game.game_id for game in games}
            return dispatch_pb2.LeaseChunkResponse(
                tournament=tournament,
                games=games,
                bots=[names[version] for version in games[0].versions],
                aborts=sum(game_id in unplayed for game_id, _, _ in self.book.aborts),
            )

    def RenewLease(  # noqa: N802
        self, request: dispatch_pb2.RenewLeaseRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.RenewLeaseResponse:
        with entered(self.book, "RenewLease", context):
            if self.book.leases.get(request.chunk_id, ("", 0.0))[0] != request.worker:
                context.abort(grpc.StatusCode.FAILED_PRECONDITION, "Another worker holds it.")
            self._hold(request)
            return dispatch_pb2.RenewLeaseResponse()

    def ReleaseLease(  # noqa: N802
        self, request: dispatch_pb2.ReleaseLeaseRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.ReleaseLeaseResponse:
        with entered(self.book, "ReleaseLease", context):
            if self.book.leases.get(request.chunk_id, ("", 0.0))[0] == request.worker:
                del self.book.leases[request.chunk_id]
            return dispatch_pb2.ReleaseLeaseResponse()

    def GetArchive(  # noqa: N802
        self, request: dispatch_pb2.GetArchiveRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.GetArchiveResponse:
        with entered(self.book, "GetArchive", context):
            return dispatch_pb2.GetArchiveResponse(archive=f"archive {request.hash}".encode())

    def _hold(
        self, request: dispatch_pb2.LeaseChunkRequest | dispatch_pb2.RenewLeaseRequest
    ) -> None:
        seconds = request.duration.ToTimedelta().total_seconds()
        self.book.leases[request.chunk_id] = (request.worker, time.monotonic() + seconds)
        self.book.lengths[request.chunk_id] = seconds


class FakeLadder(ladder_pb2_grpc.LadderServiceServicer):
    """Recording. No worker calls the rest of it."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def RecordGame(  # noqa: N802
        self, request: ladder_pb2.RecordGameRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.RecordGameResponse:
        with entered(self.book, "RecordGame", context):
            game_id = GameLog.FromString(gzip.decompress(request.log)).game_id
            self.book.recorded[game_id] += 1
            return ladder_pb2.RecordGameResponse(already_recorded=self.book.recorded[game_id] > 1)

    def RecordAbort(  # noqa: N802
        self, request: ladder_pb2.RecordAbortRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.RecordAbortResponse:
        with entered(self.book, "RecordAbort", context):
            self.book.aborts.append((request.game_id, request.reason, request.sentence))
            return ladder_pb2.RecordAbortResponse()


class entered:  # noqa: N801 - reads as a statement
    """Check the token, fail where the book says so, hold the lock, and tell who waits."""

    def __init__(self, book: Book, method: str, context: grpc.ServicerContext) -> None:
        self.book, self.method, self.context = book, method, context

    def __enter__(self) -> None:
        metadata = dict(self.context.invocation_metadata())
        if self.book.token and metadata.get("authorization") != f"Bearer {self.book.token}":
            self.context.abort(grpc.StatusCode.UNAUTHENTICATED, "The service token is wrong.")
        if self.method in self.book.refuses:
            self.context.abort(*self.book.refuses[self.method])
        self.book.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.book.changed.notify_all()
        self.book.lock.release()
