"""What went wrong in a game is said where people look for it: forfeits and aborts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from ladder.domain.game import ForfeitReport
from ladder.gamelog import read_result
from ladder.schema import upgrade
from ladder.settings import Settings
from ladder.store.aborts import record_abort
from ladder.store.database import Database
from ladder.store.recording import record_game
from ladder.web.app import create_app
from roundhouse import Bot
from roundhouse.arena import play_game
from roundhouse.codec import encode_time_control
from roundhouse.replay import dump_log
from roundhouse.timecontrol import TimeControl
from tests.ladder.web.conftest import NOW, Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ladder.domain.game import PlannedGame
    from roundhouse.rules import Action, Observation


class Quitter(Bot):
    def choose(self, observation: Observation) -> Action:  # noqa: ARG002 - the signature of a bot
        raise ValueError("no idea")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    database = Database.open(f"sqlite:///{tmp_path}/ladder.sqlite3")
    upgrade(database)
    site = Site(database)
    site.submit("random", "greedy")
    yield site
    database.close()


@pytest.fixture
def client(site: Site) -> Iterator[TestClient]:
    with TestClient(create_app(site.database, Settings.from_environment({}))) as client:
        yield client


def forfeit(site: Site, game: PlannedGame) -> None:
    names = {version: name for name, version in site.hashes.items()}
    seats = [names[version] for version in game.versions]
    log = play_game([Quitter(), Quitter()], seed=game.seed, names=seats, game_id=game.id)
    for seat, version in zip(log.seats, game.versions, strict=True):
        seat.version = version
    log.time_control.CopyFrom(encode_time_control(TimeControl()))
    data = dump_log(log)
    report = ForfeitReport(0, "It raised ValueError: <no idea>.", b"what only its owner may read")
    with site.database.write() as session:
        record_game(session, read_result(data), data, [report], NOW)


def test_a_forfeit_is_explained_once_the_log_is_open(site: Site, client: TestClient) -> None:
    first, second = site.plan("duel", ["greedy", "random"], deals=1)
    forfeit(site, first)
    closed = client.get(f"/games/{first.id}").text
    site.play(second)

    page = client.get(f"/games/{first.id}").text

    sentence = "greedy forfeited. It raised ValueError: &lt;no idea&gt;."
    assert sentence in page
    assert sentence not in closed
    assert "what only its owner may read" not in page
    assert "forfeited." not in client.get(f"/games/{second.id}").text


@pytest.mark.parametrize("path", ["/tournaments/duel", "/tournaments/duel/live"])
def test_aborts_are_listed_at_their_tournament(site: Site, client: TestClient, path: str) -> None:
    game, _ = site.plan("duel", ["greedy", "random"], deals=1)
    assert "Aborts" not in client.get(path).text
    with site.database.write() as session:
        record_abort(session, game.id, "STOPPED", "The referee was <stopped>.", NOW)

    page = client.get(path).text

    assert "<h2>Aborts</h2>" in page
    assert f"{game.id}</a></td><td>STOPPED</td><td>The referee was &lt;stopped&gt;.</td>" in page
    assert '<span class="badge bad">Waits</span> The referee was &lt;stopped&gt;.' in page

    site.play(game)
    page = client.get(path).text
    assert "<h2>Aborts</h2>" in page
    assert "Waits" not in page, "the game has been played since"
