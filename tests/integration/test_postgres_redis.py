"""The same code on a real PostgreSQL and a real Redis, with two referees and two workers."""

from __future__ import annotations

import contextlib
import socket
import sys
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.ladder.v1 import ladder_pb2, ladder_pb2_grpc, record_pb2
from roundhouse.cli.folders import house_folder
from roundhouse.package import pack
from roundhouse.replay import load_log, verify
from tests.integration.programs import Program, running_command, short_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "a secret of this test"
BOTS = ("greedy", "hoarder", "random")
GAMES = 3 * 2 * 2  # pairs, deals, rotations


@pytest.fixture
def folder() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [probe.getsockname()[1] for probe in probes]


def test_a_round_robin_is_played_and_verified(
    empty_postgres_url: str, empty_redis_url: str, folder: Path
) -> None:
    ladder_port, web_port, *referee_ports = free_ports(4)
    referees = [f"127.0.0.1:{port}" for port in referee_ports]
    settings = {
        "ROUNDHOUSE_DATABASE_URL": empty_postgres_url,
        "ROUNDHOUSE_BROKER_URL": empty_redis_url,
        "ROUNDHOUSE_LADDER_LISTEN": f"127.0.0.1:{ladder_port}",
        "ROUNDHOUSE_LADDER_TARGET": f"127.0.0.1:{ladder_port}",
        "ROUNDHOUSE_WEB_LISTEN": f"127.0.0.1:{web_port}",
        "ROUNDHOUSE_REFEREE_TARGETS": ",".join(referees),
        "ROUNDHOUSE_REFEREE_LANES": "1",
        "ROUNDHOUSE_WORKER_LANES": "1",
        "ROUNDHOUSE_SERVICE_TOKEN": TOKEN,
        "ROUNDHOUSE_STATE_DIR": str(folder / "state"),
    }
    with contextlib.ExitStack() as stack:

        def start(module: str, *arguments: str, **more: str) -> Program:
            command = [sys.executable, "-m", module, *arguments]
            return stack.enter_context(running_command(command, folder, **(settings | more)))

        assert start("ladder", "migrate").wait() == 0
        parts = [start("ladder", "serve")]
        parts += [
            start("referee", "serve", ROUNDHOUSE_REFEREE_LISTEN=address) for address in referees
        ]
        parts += [start("worker", "run") for _ in range(2)]
        channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{ladder_port}"))
        ladder = ladder_pb2_grpc.LadderServiceStub(channel)
        for name in BOTS:
            ladder.SubmitBot(
                ladder_pb2.SubmitBotRequest(archive=pack(house_folder() / name)),
                timeout=120,
                wait_for_ready=True,
            )
        tournament = ladder.CreateTournament(
            ladder_pb2.CreateTournamentRequest(bots=BOTS, table_size=2, deals=2), timeout=10
        ).tournament
        ladder_program, *others = parts
        ladder_program.wait_until(lambda: _finished(ladder, tournament.id) == GAMES)
        _check(ladder, tournament.id)
        assert all(part.process.poll() is None for part in others)
        played = {_host_log(ladder, game.game_id) for game in _games(ladder, tournament.id)}
        assert played == {"bubblewrap"}
        for part in reversed(parts):
            part.process.terminate()
        assert [part.wait() for part in parts] == [0] * len(parts)


def _check(ladder: ladder_pb2_grpc.LadderServiceStub, tournament_id: str) -> None:
    rows = ladder.GetLeaderboard(ladder_pb2.GetLeaderboardRequest(), timeout=10).rows
    assert {row.bot: row.games for row in rows} == dict.fromkeys(BOTS, GAMES * 2 // 3)
    assert sum(row.rating for row in rows) == pytest.approx(1500 * len(BOTS))
    for game in _games(ladder, tournament_id):
        log = ladder.GetLog(ladder_pb2.GetLogRequest(game_id=game.game_id), timeout=10).log
        verification = verify(load_log(log))
        assert verification.ok, verification.sentence


def _host_log(ladder: ladder_pb2_grpc.LadderServiceStub, game_id: str) -> str:
    log = ladder.GetLog(ladder_pb2.GetLogRequest(game_id=game_id), timeout=10).log
    return load_log(log).host.driver


def _games(
    ladder: ladder_pb2_grpc.LadderServiceStub, tournament_id: str
) -> list[record_pb2.GameRecord]:
    request = ladder_pb2.ListGamesRequest(tournament_id=tournament_id, page_size=500)
    games = list(ladder.ListGames(request, timeout=10).games)
    assert len(games) == GAMES
    return games


def _finished(ladder: ladder_pb2_grpc.LadderServiceStub, tournament_id: str) -> int:
    request = ladder_pb2.GetTournamentRequest(id=tournament_id)
    return ladder.GetTournament(request, timeout=10).tournament.finished_games
