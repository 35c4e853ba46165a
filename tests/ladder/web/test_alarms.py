"""The page of alarms: what is planted is shown, and looked for again only after new games."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from ladder.settings import Settings
from ladder.web.alarm_pages import look
from ladder.web.app import create_app
from tests.ladder.world import World

if TYPE_CHECKING:
    from ladder.store.database import Database


@pytest.fixture
def busy(sqlite_database: Database) -> World:
    """Two bots over 40 deals: under one of two hosts the first always loses."""
    world = World(sqlite_database)
    rng = Random(1)
    for game in world.planned("alpha", "bravo", deals=40):
        host = rng.choice(["fast", "slow"])
        alpha = [world.names[version] for version in game.versions].index("alpha")
        loses = host == "slow" or rng.random() < 0.1
        placements = tuple(1 + (loses == (seat == alpha)) for seat in range(2))
        world.record(game, placements, host=host)
    return world


def test_what_is_planted_is_shown(busy: World) -> None:
    with TestClient(create_app(busy.database, Settings.from_environment({}))) as client:
        page = client.get("/alarms").text
        assert "alpha does worse by" in page
        assert "under the host slow than elsewhere" in page
        assert "No alarms." not in page
        assert client.get("/alarms").text == page


def test_it_is_looked_for_again_only_after_new_games(busy: World) -> None:
    first = look(busy.database, "classic/2", (), None)
    assert first.alarms
    assert look(busy.database, "classic/2", (), first) is first
    older = replace(first, last_game=first.last_game - 1)
    assert look(busy.database, "classic/2", (), older) == first


def test_the_configured_anchor_is_watched_for_drift(sqlite_database: Database) -> None:
    world = World(sqlite_database)
    games = world.planned("alpha", "bravo", deals=60)
    Random(2).shuffle(games)  # both seats in both halves
    for number, game in enumerate(games):
        alpha = [world.names[version] for version in game.versions].index("alpha")
        wins = number < len(games) / 2 or number % 5 == 0
        world.record(game, tuple(1 + (wins != (seat == alpha)) for seat in range(2)))
    for anchor, is_raised in (("alpha", True), ("greedy", False)):
        settings = Settings.from_environment({"ROUNDHOUSE_ANCHOR_BOT": anchor})
        with TestClient(create_app(sqlite_database, settings)) as client:
            page = client.get("/alarms").text
        assert ("alpha does worse by" in page) is is_raised
        assert f"anchors ({anchor}, " in page
