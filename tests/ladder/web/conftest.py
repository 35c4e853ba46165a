"""A small ladder to look at: a finished tournament, one half played, and a closed game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from ladder.domain.game import PlannedGame
from ladder.domain.tournament import NewTournament
from ladder.fitting import fit_boards
from ladder.gamelog import read_result
from ladder.schema import upgrade
from ladder.settings import Settings
from ladder.store.bots import add_version
from ladder.store.database import Database
from ladder.store.plan import record_plan
from ladder.store.recording import record_game
from ladder.store.tournaments import create_tournament
from ladder.web.app import create_app
from roundhouse.arena import deal_seed, play_game
from roundhouse.cli.folders import find_bots, load_bot
from roundhouse.codec import encode_time_control
from roundhouse.package import pack, read_package
from roundhouse.replay import dump_log
from roundhouse.rules import RuleSet, edition
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EXAMPLES = Path(__file__).parents[3] / "sdk" / "examples"
CLASSIC = edition("classic")
MARKET = edition("mega", ["ticket_market"])
NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


class Site:
    """Fill a database by the ladder's own functions, with games that were really played."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.hashes: dict[str, str] = {}

    def submit(self, *names: str) -> None:
        for name in names:
            archive = pack(EXAMPLES / name)
            with self.database.write() as session:
                version, _ = add_version(session, read_package(archive), archive, NOW)
            self.hashes[name] = version.hash

    def plan(
        self, key: str, bots: Sequence[str], *, deals: int, rules: RuleSet = CLASSIC
    ) -> list[PlannedGame]:
        """Create the tournament `key` of one table and plan it."""
        seats = len(bots)
        new = NewTournament(
            name=f"The {key}",
            bots=tuple(bots),
            edition=rules.edition,
            variants=rules.variants,
            table_size=seats,
            deals=deals,
            time_control=TimeControl(),
            seed=deal_seed(key, 0),
            is_rated=not rules.variants,  # as `plan_tournament` decides
        )
        games = [
            PlannedGame(
                id=f"{key}-d{deal}-r{rotation}",
                chunk=f"{key}-r{rotation}",
                pairing=0,
                deal=deal,
                rotation=rotation,
                seed=deal_seed(key, deal + 1),
                versions=tuple(self.hashes[name] for name in (*bots[rotation:], *bots[:rotation])),
            )
            for deal in range(deals)
            for rotation in range(seats)
        ]
        with self.database.write() as session:
            create_tournament(session, key, new, NOW)
            record_plan(session, key, games)
        return games

    def play(self, *games: PlannedGame, rules: RuleSet = CLASSIC) -> None:
        names = {version: name for name, version in self.hashes.items()}
        for game in games:
            seats = [names[version] for version in game.versions]
            log = play_game(
                [load_bot(bot)() for bot in find_bots(seats)],
                seed=game.seed,
                rules=rules,
                names=seats,
                game_id=game.id,
            )
            for seat, version in zip(log.seats, game.versions, strict=True):
                seat.version = version
            log.host.isolated = True  # as a referee's, so that the game is rated
            log.time_control.CopyFrom(encode_time_control(TimeControl()))
            data = dump_log(log)
            with self.database.write() as session:
                record_game(session, read_result(data), data, [], NOW + timedelta(hours=1))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Make the ladder once: nothing that a page does changes it."""
    folder = tmp_path_factory.mktemp("site")
    database = Database.open(f"sqlite:///{folder}/ladder.sqlite3")
    upgrade(database)
    site = Site(database)
    site.submit("random", "greedy", "hoarder")
    site.play(*site.plan("duel", ["greedy", "random"], deals=3))
    site.play(*site.plan("fair", ["greedy", "random"], deals=1, rules=MARKET), rules=MARKET)
    half = site.plan("table", ["greedy", "hoarder", "random"], deals=2)
    site.play(*half[:4])  # the first deal in all rotations, and one game of the second
    fit_boards(database, "greedy", lambda: NOW)
    yield site
    database.close()


@pytest.fixture(scope="session")
def empty_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Make a ladder without a single bot."""
    folder = tmp_path_factory.mktemp("empty-site")
    database = Database.open(f"sqlite:///{folder}/ladder.sqlite3")
    upgrade(database)
    yield Site(database)
    database.close()


@pytest.fixture(scope="session")
def client(site: Site) -> Iterator[TestClient]:
    """Open the pages without a network."""
    with TestClient(create_app(site.database, Settings.from_environment({}))) as client:
        yield client
