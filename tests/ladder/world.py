"""A small ladder to try things on: bots, a tournament, its plan, and results as the test wants."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ladder.domain.game import ForfeitReason, GameResult, PlannedGame, SeatResult
from ladder.domain.tournament import NewTournament
from ladder.store import bots, plan, recording, tournaments
from roundhouse.package import Manifest, Package
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ladder.domain.bot import BotVersion
    from ladder.domain.game import ForfeitReport
    from ladder.domain.tournament import Tournament
    from ladder.store.database import Database

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, UTC)
MINUTE = timedelta(minutes=1)


def seed(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def package(name: str, content: str = "1") -> tuple[Package, bytes]:
    """Make a package that passed its checks; the store looks at no byte of it."""
    archive = f"archive {content} of {name}".encode()
    content_hash = hashlib.sha256(archive).hexdigest()
    return Package(Manifest(name, "python", ("python3", "bot.py")), content_hash, ()), archive


def round_robin(tournament: Tournament) -> list[PlannedGame]:
    """Plan every table in all rotations, lane by lane, one chunk a lane."""
    games = []
    tables = itertools.combinations(
        [entrant.version for entrant in tournament.entrants], tournament.table_size
    )
    for pairing, table in enumerate(tables):
        for rotation in range(tournament.table_size):
            for deal in range(tournament.deals):
                name = f"{pairing}-{deal}-{rotation}"
                games.append(
                    PlannedGame(
                        id=f"g{tournament.id[1:]}-{name}",
                        chunk=f"{tournament.id}-p{pairing}-r{rotation}-c0",
                        pairing=pairing,
                        deal=deal,
                        rotation=rotation,
                        seed=seed(f"{tournament.id} {pairing} {deal}"),
                        versions=table[rotation:] + table[:rotation],
                    )
                )
    return games


@dataclass
class World:
    """A database with short ways to fill it. Names of bots are known by their versions."""

    database: Database
    names: dict[str, str] = field(default_factory=dict)
    counter: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def add_bots(
        self, *names: str, content: str = "1", owner: str | None = None
    ) -> list[BotVersion]:
        versions = []
        for name in names:
            with self.database.write() as session:
                version, _ = bots.add_version(session, *package(name, content), NOW, owner=owner)
            self.names[version.hash] = name
            versions.append(version)
        return versions

    def create(
        self,
        *names: str,
        table_size: int = 2,
        deals: int = 1,
        is_rated: bool = True,
        edition: str = "classic",
        time_control: TimeControl | None = None,
    ) -> Tournament:
        number = next(self.counter)
        new = NewTournament(
            name=f"Tournament {number}",
            bots=names,
            edition=edition,
            table_size=table_size,
            deals=deals,
            time_control=time_control or TimeControl(),
            seed=seed(f"tournament {number}"),
            is_rated=is_rated,
        )
        with self.database.write() as session:
            return tournaments.create_tournament(session, f"t-{number:04}", new, NOW)

    def plan(self, tournament: Tournament) -> list[PlannedGame]:
        games = round_robin(tournament)
        with self.database.write() as session:
            plan.record_plan(session, tournament.id, games)
        return games

    def planned(self, *names: str, **options: int) -> list[PlannedGame]:
        """Submit bots that are new, create a tournament of them, and plan it."""
        self.add_bots(*(name for name in names if name not in self.names.values()))
        return self.plan(self.create(*names, **options))  # type: ignore[arg-type]

    def result(
        self,
        game: PlannedGame,
        placements: Sequence[int] = (1, 2),
        *,
        scores: Sequence[int] | None = None,
        forfeits: Mapping[int, ForfeitReason] | None = None,
    ) -> GameResult:
        scores = scores or [100 - 10 * placement for placement in placements]
        return GameResult(
            game_id=game.id,
            edition="classic",
            time_control=TimeControl(),
            bots=tuple(self.names[version] for version in game.versions),
            versions=game.versions,
            seed=game.seed,
            is_isolated=True,
            host="host",
            started_at=NOW,
            finished_at=NOW + MINUTE,
            seats=tuple(
                SeatResult(placement, score, (forfeits or {}).get(seat))
                for seat, (placement, score) in enumerate(zip(placements, scores, strict=True))
            ),
        )

    def record(
        self,
        game: PlannedGame,
        placements: Sequence[int] = (1, 2),
        *,
        log: bytes = b"log",
        reports: Sequence[ForfeitReport] = (),
        **changes: object,
    ) -> bool:
        result = replace(self.result(game, placements), **changes)  # type: ignore[arg-type]
        with self.database.write() as session:
            return recording.record_game(session, result, log, reports, NOW + MINUTE)
