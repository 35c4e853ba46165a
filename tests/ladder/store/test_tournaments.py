"""Tournaments: their entrants are fixed at creation, and their listing is newest first."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from ladder.domain.tournament import Entrant, TournamentStatus
from ladder.errors import InvalidError, NotFoundError
from ladder.store import tournaments
from roundhouse.timecontrol import Measure, TimeControl
from tests.ladder.world import NOW, seed

if TYPE_CHECKING:
    from tests.ladder.world import World


def test_the_latest_versions_enter_and_stay(world: World) -> None:
    first, second = world.add_bots("alpha", "bravo")
    created = world.create("bravo", "alpha", deals=3)
    world.add_bots("alpha", content="2")

    with world.database.read() as session:
        found = tournaments.get_tournament(session, created.id)

    assert found == created
    assert found.entrants == (Entrant("bravo", second.hash), Entrant("alpha", first.hash))
    assert found.status is TournamentStatus.CREATED
    assert found.time_control == TimeControl()
    assert found.created_at == NOW
    assert found.finished_at is None
    assert found.seed_commitment == hashlib.sha256(seed("tournament 1")).digest()


def test_a_time_control_is_kept_with_its_measure(world: World) -> None:
    world.add_bots("alpha", "bravo")
    control = TimeControl(bank=timedelta(seconds=20), measure=Measure.CPU)
    created = world.create("alpha", "bravo", time_control=control)

    with world.database.read() as session:
        assert tournaments.get_tournament(session, created.id).time_control == control


def test_a_bot_that_does_not_exist_cannot_enter(world: World) -> None:
    world.add_bots("alpha")

    with pytest.raises(NotFoundError, match="no bot 'bravo', 'charlie'; submit it first"):
        world.create("alpha", "bravo", "charlie")


def test_a_seed_serves_one_tournament(world: World) -> None:
    world.add_bots("alpha", "bravo")
    first = world.create("alpha", "bravo")
    world.counter = iter([1])  # type: ignore[assignment] # the same again

    with pytest.raises(InvalidError, match=f"{first.id} has this seed already"):
        world.create("alpha", "bravo")


def test_the_listing_is_newest_first_page_by_page(world: World) -> None:
    world.add_bots("alpha", "bravo")
    created = [world.create("alpha", "bravo").id for _ in range(5)]

    with world.database.read() as session:
        first = tournaments.list_tournaments(session, limit=3)
    world.create("alpha", "bravo")
    with world.database.read() as session:
        second = tournaments.list_tournaments(session, limit=3, token=first.next_token)

    assert [item.id for item in first.items + second.items] == created[::-1]
    assert second.next_token == ""


def test_an_unknown_tournament_is_not_found(world: World) -> None:
    with world.database.read() as session, pytest.raises(NotFoundError, match="'t-none'"):
        tournaments.get_tournament(session, "t-none")
