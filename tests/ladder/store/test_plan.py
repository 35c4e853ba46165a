"""Plans: stored once, whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ladder.domain.tournament import TournamentStatus
from ladder.errors import InvalidError, NotFoundError, WrongMomentError
from ladder.store import games, plan, tournaments
from tests.ladder.world import round_robin, seed

if TYPE_CHECKING:
    from tests.ladder.world import World


def test_a_tournament_is_unplanned_until_its_plan_is_stored(world: World) -> None:
    world.add_bots("alpha", "bravo", "charlie")
    tournament = world.create("alpha", "bravo", "charlie", deals=2)

    with world.database.read() as session:
        assert plan.list_unplanned(session) == ((tournament, seed("tournament 1")),)
    planned = world.plan(tournament)
    with world.database.read() as session:
        assert plan.list_unplanned(session) == ()
        found = tournaments.get_tournament(session, tournament.id)
        listed = games.list_games(session, tournament=tournament.id).items

    assert found.status is TournamentStatus.RUNNING
    assert found.games == len(planned) == 3 * 2 * 2
    assert [game.id for game in listed] == [game.id for game in planned]
    assert [(game.pairing, game.deal, game.rotation) for game in listed] == [
        (game.pairing, game.deal, game.rotation) for game in planned
    ]
    assert [tuple(seat.version for seat in game.seats) for game in listed] == [
        game.versions for game in planned
    ]


def test_the_same_plan_again_changes_nothing(world: World) -> None:
    planned = world.planned("alpha", "bravo")

    with world.database.write() as session:
        assert plan.record_plan(session, "t-0001", planned)


def test_another_plan_is_refused(world: World) -> None:
    planned = world.planned("alpha", "bravo")

    with world.database.write() as session, pytest.raises(WrongMomentError, match="another plan"):
        plan.record_plan(session, "t-0001", planned[::-1])


def test_a_game_belongs_to_one_tournament(world: World) -> None:
    planned = world.planned("alpha", "bravo")
    other = world.create("alpha", "bravo")
    stolen = [
        replace(game, id=taken.id) for game, taken in zip(round_robin(other), planned, strict=True)
    ]

    with world.database.write() as session, pytest.raises(InvalidError, match="another tournament"):
        plan.record_plan(session, other.id, stolen)
    with world.database.read() as session:
        assert [item.id for item, _ in plan.list_unplanned(session)] == [other.id]


def test_a_plan_for_no_tournament_is_not_found(world: World) -> None:
    with world.database.write() as session, pytest.raises(NotFoundError, match="'t-none'"):
        plan.record_plan(session, "t-none", [])
