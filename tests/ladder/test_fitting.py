"""When the boards are fitted."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ladder import fitting
from ladder.fitting import FitKeeper
from ladder.store import fits
from tests.ladder.world import NOW

if TYPE_CHECKING:
    import pytest

    from tests.ladder.world import World


def keeper(world: World) -> FitKeeper:
    return FitKeeper(world.database, "greedy", lambda: NOW)


def fitted(world: World) -> int:
    with world.database.read() as session:
        return fits.last_fitted(session)


def test_boards_are_fitted_as_soon_as_nothing_is_being_played(world: World) -> None:
    found = keeper(world)
    first, second = world.planned("alpha", "bravo")
    assert not found.look(0)
    world.record(first)
    assert found.look(1)
    world.record(second)  # the last of its tournament
    assert found.look(2)
    assert not found.look(3)
    assert fitted(world) == 2


def test_while_tournaments_run_a_minute_lies_between_fits(world: World) -> None:
    found = keeper(world)
    games = world.planned("alpha", "bravo", deals=4)
    world.record(games[0])
    assert found.look(100)
    world.record(games[1])
    assert not found.look(101)
    assert not found.look(159)
    assert found.look(161)
    assert fitted(world) == 2


def test_unrated_games_are_looked_at_once(world: World) -> None:
    found = keeper(world)
    world.add_bots("alpha", "bravo")
    for game in world.plan(world.create("alpha", "bravo", is_rated=False)):
        world.record(game)
    assert found.look(0)
    assert not found.look(1)
    assert fitted(world) == 0


def test_another_process_may_have_fitted_already(world: World) -> None:
    world.record(world.planned("alpha", "bravo")[0])
    assert keeper(world).look(0)
    assert not keeper(world).look(0)


def test_the_thread_goes_on_after_a_failure(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(fitting, "_PATIENCE_SECONDS", 0.0)
    for game in world.planned("alpha", "bravo"):
        world.record(game)
    found = keeper(world)
    look, attempts, done = found.look, [], threading.Event()

    def fail_once(at: float) -> bool:
        attempts.append(at)
        if len(attempts) == 1:
            raise OSError("The disk is full.")
        if look(at):
            done.set()
        return True

    monkeypatch.setattr(found, "look", fail_once)
    with found:
        assert done.wait(30)
    assert fitted(world) == 2
