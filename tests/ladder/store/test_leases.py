"""Leases: one worker at a time, and nobody for ever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from ladder.errors import LadderError, NotFoundError, WrongMomentError
from ladder.store import aborts, leases
from tests.ladder.world import MINUTE, NOW

if TYPE_CHECKING:
    from datetime import datetime

    from ladder.store.leases import Lease
    from tests.ladder.world import World

FIRST, SECOND = "t-0001-p0-r0-c0", "t-0001-p0-r1-c0"


def lease(world: World, worker: str, now: datetime = NOW, chunk: str = FIRST) -> Lease:
    with world.database.write() as session:
        return leases.lease_chunk(session, chunk, worker, now, MINUTE)


def free(world: World, now: datetime = NOW) -> tuple[str, ...]:
    with world.database.read() as session:
        return leases.list_free_chunks(session, now)


def test_a_lease_holds_all_that_a_lane_needs(world: World) -> None:
    planned = world.planned("alpha", "bravo", deals=3)

    found = lease(world, "worker")

    assert found.tournament.id == "t-0001"
    assert list(found.games) == [game for game in planned if game.chunk == FIRST]
    assert found.bots == ("alpha", "bravo")
    assert lease(world, "worker", chunk=SECOND).bots == ("bravo", "alpha")


def test_a_leased_chunk_is_nobody_elses_until_it_runs_out(world: World) -> None:
    world.planned("alpha", "bravo")
    assert free(world) == (FIRST, SECOND)

    lease(world, "one")

    assert free(world) == (SECOND,)
    with pytest.raises(WrongMomentError, match="leased to one"):
        lease(world, "two", NOW + MINUTE * 0.99)
    assert free(world, NOW + MINUTE) == (FIRST, SECOND)
    lease(world, "two", NOW + MINUTE)


def test_the_holder_gets_its_lease_again(world: World) -> None:
    world.planned("alpha", "bravo")

    assert lease(world, "one") == lease(world, "one")


def test_a_renewed_lease_lasts_longer(world: World) -> None:
    world.planned("alpha", "bravo")
    lease(world, "one")

    with world.database.write() as session:
        leases.renew_lease(session, FIRST, "one", NOW + MINUTE / 2, MINUTE)

    assert free(world, NOW + MINUTE) == (SECOND,)
    assert free(world, NOW + MINUTE * 1.5) == (FIRST, SECOND)


def test_a_lease_that_ran_out_unnoticed_can_be_renewed(world: World) -> None:
    world.planned("alpha", "bravo")
    lease(world, "one")

    with world.database.write() as session:
        leases.renew_lease(session, FIRST, "one", NOW + 5 * MINUTE, MINUTE)

    assert free(world, NOW + 5 * MINUTE) == (SECOND,)


def test_a_lost_lease_cannot_be_renewed(world: World) -> None:
    world.planned("alpha", "bravo")
    lease(world, "one")
    lease(world, "two", NOW + MINUTE)

    with (
        world.database.write() as session,
        pytest.raises(WrongMomentError, match="leased to two, not to one"),
    ):
        leases.renew_lease(session, FIRST, "one", NOW + MINUTE, MINUTE)


def test_only_the_holder_gives_a_lease_back(world: World) -> None:
    world.planned("alpha", "bravo")
    lease(world, "one")

    with world.database.write() as session:
        leases.release_lease(session, FIRST, "two")
    assert free(world) == (SECOND,)
    with world.database.write() as session:
        leases.release_lease(session, FIRST, "one")
    assert free(world) == (FIRST, SECOND)


def test_only_unplayed_games_are_leased(world: World) -> None:
    planned = [game for game in world.planned("alpha", "bravo", deals=3) if game.chunk == FIRST]
    world.record(planned[1])

    assert [game.deal for game in lease(world, "one").games] == [0, 2]
    for game in (planned[0], planned[2]):
        world.record(game)
    assert free(world, NOW + 5 * MINUTE) == (SECOND,)
    with pytest.raises(WrongMomentError, match="Every game of chunk"):
        lease(world, "two", NOW + 5 * MINUTE)


def test_a_lease_tells_how_often_its_games_were_aborted(world: World) -> None:
    first, second = [
        game for game in world.planned("alpha", "bravo", deals=2) if game.chunk == FIRST
    ]
    for game in (first, first, second):
        with world.database.write() as session:
            aborts.record_abort(session, game.id, "SANDBOX", "No sandbox.", NOW)

    assert lease(world, "one").aborts == 3
    world.record(first)
    assert lease(world, "one").aborts == 1
    with world.database.read() as session:
        noted = aborts.list_aborts(session, "t-0001")
    assert [(abort.game_id, abort.reason, abort.sentence) for abort in noted] == [
        (second.id, "SANDBOX", "No sandbox."),
        (first.id, "SANDBOX", "No sandbox."),
        (first.id, "SANDBOX", "No sandbox."),
    ]


def test_an_abort_of_no_game_is_not_found(world: World) -> None:
    with world.database.write() as session, pytest.raises(NotFoundError, match="'g-none'"):
        aborts.record_abort(session, "g-none", "SANDBOX", "No sandbox.", NOW)


def test_one_of_many_workers_gets_the_chunk(world: World) -> None:
    world.planned("alpha", "bravo")

    def attempt(worker: int) -> bool:
        try:
            lease(world, f"worker {worker}")
        except LadderError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(attempt, range(16))) == 1


def test_an_unknown_chunk_is_not_found(world: World) -> None:
    with pytest.raises(NotFoundError, match="'t-0009-p0-r0-c0'"):
        lease(world, "one", chunk="t-0009-p0-r0-c0")
