"""The headline rating out of a database: what reading, fitting and storing cost.

    python -m bench.reading [--games N ...] [--fit]

Fills a SQLite file with the games of `python -m bench.ratings cost`, each size in a process of its
own with one thread, and reads the boards from it as the ladder does. With `--fit` it fits and
stores
every board as well: those of two, three, four and five seats, of three to five, and the joint one.
"""

from __future__ import annotations

import argparse
import os
import resource
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import insert

from bench.ratings import BOTS_OF_GAMES, ONE_THREAD, make_pool
from ladder.fitting import fit_boards
from ladder.models import BotRow, RecordingOrderRow
from ladder.models.base import Base
from ladder.ratings import pool_of
from ladder.store.database import Database
from ladder.store.results import read_boards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ladder.fit import Results

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def fill(path: Path, tables: tuple[Results, ...], bots: int) -> None:
    """Store games, as much of them as a fit reads: what a log is about is left out."""
    with closing(Database.open(f"sqlite:///{path}")) as database:
        Base.metadata.create_all(database.engine)
        with database.write() as session:
            session.execute(
                insert(BotRow),
                [
                    {"number": k + 1, "name": f"bot-{k}", "versions": 1, "created_at": NOW}
                    for k in range(bots)
                ],
            )
            games = sum(table.games for table in tables)
            session.add(RecordingOrderRow(number=1, last=games))
    with closing(sqlite3.connect(path)) as connection, connection:  # no foreign keys here
        connection.executemany(
            "INSERT INTO games (number, id, tournament_number, deal_group_number, chunk_number,"
            " rotation, recorded, pool) VALUES (?, ?, 1, ?, 1, ?, ?, ?)",
            _game_rows(tables),
        )
        connection.executemany(
            "INSERT INTO seats (game_number, seat, bot_number, version_number, recorded,"
            " placement, score) VALUES (?, ?, ?, 1, ?, ?, 100)",
            _seat_rows(tables),
        )


def _game_rows(tables: tuple[Results, ...]) -> Iterator[tuple[object, ...]]:
    number = 0
    for table in tables:
        pool = pool_of("classic", table.seats)
        for group in table.groups.tolist():
            number += 1
            yield number, f"g{number}", group, number, number, pool


def _seat_rows(tables: tuple[Results, ...]) -> Iterator[tuple[object, ...]]:
    number = 0
    for table in tables:
        for bots, placements in zip(table.bots.tolist(), table.placements.tolist(), strict=True):
            number += 1
            for seat, bot in enumerate(bots):
                yield number, seat, bot + 1, number, placements[seat]


def read(path: Path, games: int, *, is_fitted: bool) -> None:
    """Read all boards, fit and store them if asked to, and print a line."""
    with closing(Database.open(f"sqlite:///{path}")) as database:
        cpu, wall = time.process_time(), time.perf_counter()
        if is_fitted:
            boards = fit_boards(database, "bot-0", lambda: NOW)
        else:
            with database.read() as session:
                boards = tuple(board.name for board in read_boards(session))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    what = "read, fitted, stored" if is_fitted else "read"
    print(
        f"{games:9,}  {what:20}  {len(boards)} boards  {cpu:8.2f}  {wall:8.2f}  {peak:8.0f}",
        flush=True,
    )


def main() -> None:
    """Fill a file for each number of games, and read it in a process of its own."""
    parser = argparse.ArgumentParser(description="Measure how games are read for a fit.")
    parser.add_argument("--games", type=int, action="append", choices=BOTS_OF_GAMES)
    parser.add_argument("--fit", action="store_true", help="fit and store every board as well")
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.path is not None:
        read(options.path, options.games[0], is_fitted=options.fit)
        return
    print("    games  what                            CPU in s  all in s   peak MB")
    for games in options.games or BOTS_OF_GAMES:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "ladder.sqlite"
            fill(path, make_pool(games), BOTS_OF_GAMES[games])
            words = ["--games", str(games), "--path", str(path), *["--fit"] * options.fit]
            subprocess.run(
                [sys.executable, "-m", "bench.reading", *words],
                env=os.environ | ONE_THREAD,
                check=True,
            )


if __name__ == "__main__":
    main()
