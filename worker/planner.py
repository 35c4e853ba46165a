"""Find out what is to be done, and see to it that somebody does it.

Nothing here trusts the broker: what is still to be played is asked of the ladder, time and again.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import grpc

from worker.faults import describe
from worker.planning import Tournament, plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from roundhouse.api.ladder.v1.dispatch_pb2 import UnplannedTournament
    from worker.ladder_client import LadderClient

BACKLOG = 256
"""How many chunks one pass puts into the queue: more than all workers play until the next pass."""

log = logging.getLogger(__name__)


def plan_tournament(tournament_id: str, ladder: LadderClient) -> None:
    """Plan a tournament and store its plan, unless it has one.

    Raises:
        ValueError: no plan can be made of it.
        grpc.RpcError: the ladder can't be reached or refuses.
    """
    unplanned = {each.tournament.id: each for each in ladder.list_work().unplanned}
    if tournament_id not in unplanned:
        log.info("%s is planned already.", tournament_id)
        return
    games = plan(_tournament(unplanned[tournament_id]))
    try:
        ladder.record_plan(tournament_id, games)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
            raise
        # Two workers of different versions made it at the same moment; the first one holds.
        log.warning("%s: %s", tournament_id, describe(error))
    else:
        log.info("%s is planned: %d games.", tournament_id, len(games))


def look_for_work(
    ladder: LadderClient,
    *,
    queue_plan: Callable[[str], object],
    queue_chunk: Callable[[str], object],
    waiting_chunks: Callable[[], int],
) -> None:
    """Queue every tournament that has no plan and the chunks that nobody plays.

    Chunks are queued only once the queue is empty: one that waits there is not leased yet, so the
    ladder lists it again. Should one be queued twice all the same, its lease turns the second away.
    """
    work = ladder.list_work()
    for each in work.unplanned:
        queue_plan(each.tournament.id)
    if work.chunk_ids and waiting_chunks() == 0:
        for chunk_id in work.chunk_ids[:BACKLOG]:
            queue_chunk(chunk_id)


def _tournament(unplanned: UnplannedTournament) -> Tournament:
    tournament = unplanned.tournament
    return Tournament(
        id=tournament.id,
        seed=unplanned.seed,
        table_size=tournament.table_size,
        deals=tournament.deals,
        versions=tuple(tournament.versions),
        bank=tournament.time_control.bank.ToTimedelta(),
        increment=tournament.time_control.increment.ToTimedelta(),
    )
