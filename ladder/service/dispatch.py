"""DispatchService: what workers alone call. The plan and what of it is left are kept here."""

from collections.abc import Callable
from datetime import datetime, timedelta

import grpc
from google.protobuf.duration_pb2 import Duration

from ladder.errors import InvalidError
from ladder.service.messages import (
    decode_planned_game,
    encode_planned_game,
    encode_tournament,
)
from ladder.store import bots, leases, plan
from ladder.store.database import Database
from roundhouse.api.ladder.v1 import dispatch_pb2, dispatch_pb2_grpc
from roundhouse.codec import decode_duration

MAX_LEASE = timedelta(hours=1)
_MAX_WORKER = 200


class DispatchService(dispatch_pb2_grpc.DispatchServiceServicer):
    """Answers from the database; one call is one transaction."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def ListWork(
        self, request: dispatch_pb2.ListWorkRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.ListWorkResponse:
        """List the tournaments without a plan, and the chunks that nobody plays."""
        with self._database.read() as session:
            unplanned = plan.list_unplanned(session)
            chunks = leases.list_free_chunks(session, self._now())
        return dispatch_pb2.ListWorkResponse(
            unplanned=[
                dispatch_pb2.UnplannedTournament(
                    tournament=encode_tournament(tournament), seed=seed
                )
                for tournament, seed in unplanned
            ],
            chunk_ids=chunks,
        )

    def RecordPlan(
        self, request: dispatch_pb2.RecordPlanRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.RecordPlanResponse:
        """Store the plan of a tournament."""
        games = [decode_planned_game(game) for game in request.games]
        with self._database.write() as session:
            plan.record_plan(session, request.tournament_id, games)
        return dispatch_pb2.RecordPlanResponse()

    def LeaseChunk(
        self, request: dispatch_pb2.LeaseChunkRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.LeaseChunkResponse:
        """Give a chunk to a worker."""
        worker, duration = _worker(request.worker), _duration(request.duration)
        with self._database.write() as session:
            lease = leases.lease_chunk(session, request.chunk_id, worker, self._now(), duration)
        return dispatch_pb2.LeaseChunkResponse(
            tournament=encode_tournament(lease.tournament),
            games=[encode_planned_game(game) for game in lease.games],
            bots=lease.bots,
            aborts=lease.aborts,
        )

    def RenewLease(
        self, request: dispatch_pb2.RenewLeaseRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.RenewLeaseResponse:
        """Hold a lease for longer."""
        worker, duration = _worker(request.worker), _duration(request.duration)
        with self._database.write() as session:
            leases.renew_lease(session, request.chunk_id, worker, self._now(), duration)
        return dispatch_pb2.RenewLeaseResponse()

    def ReleaseLease(
        self, request: dispatch_pb2.ReleaseLeaseRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.ReleaseLeaseResponse:
        """Take a lease back."""
        with self._database.write() as session:
            leases.release_lease(session, request.chunk_id, _worker(request.worker))
        return dispatch_pb2.ReleaseLeaseResponse()

    def GetArchive(
        self, request: dispatch_pb2.GetArchiveRequest, context: grpc.ServicerContext
    ) -> dispatch_pb2.GetArchiveResponse:
        """Return the archive of a version."""
        with self._database.read() as session:
            return dispatch_pb2.GetArchiveResponse(archive=bots.get_archive(session, request.hash))


def _worker(name: str) -> str:
    if not 0 < len(name) <= _MAX_WORKER:
        raise InvalidError(f"A worker has a name of 1 to {_MAX_WORKER} characters.")
    return name


def _duration(message: Duration) -> timedelta:
    duration = decode_duration(message)
    if not timedelta() < duration <= MAX_LEASE:
        raise InvalidError(
            f"A lease is longer than nothing and at most {MAX_LEASE}, not {duration}."
        )
    return duration
