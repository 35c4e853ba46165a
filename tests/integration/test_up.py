"""`python -m ladder up`: everything on one machine, from the first start to the next."""

from __future__ import annotations

import os
import re
import signal
import socket
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.ladder.v1 import ladder_pb2, ladder_pb2_grpc
from roundhouse.cli.folders import house_folder
from roundhouse.package import pack
from tests import processes
from tests.integration.programs import Program, running, short_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FREE_PORTS = ("--port", "0", "--web-port", "0")


@pytest.fixture
def folder() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder


def ladder_address(up: Program) -> str:
    line = up.wait_for("For bots' authors:")
    up.wait_for("Ctrl-C stops everything")
    found = re.search(r"127\.0\.0\.1:\d+", line)
    assert found
    return found[0]


def process_of(up: Program, words: str) -> int:
    return min(each.id for each in processes.descendants(up.process.pid) if words in each.command)


def test_a_tournament_goes_on_after_a_restart_and_loses_nothing(folder: Path) -> None:
    state = str(folder / "state")
    with running(folder, "up", *FREE_PORTS, ROUNDHOUSE_STATE_DIR=state) as up:
        with grpc.insecure_channel(ladder_address(up)) as channel:
            ladder = ladder_pb2_grpc.LadderServiceStub(channel)
            for name in ("greedy", "random"):
                ladder.SubmitBot(
                    ladder_pb2.SubmitBotRequest(archive=pack(house_folder() / name)), timeout=60
                )
            tournament = ladder.CreateTournament(
                ladder_pb2.CreateTournamentRequest(
                    bots=["greedy", "random"], table_size=2, deals=6
                ),
                timeout=10,
            ).tournament
            up.wait_until(lambda: _finished(ladder, tournament.id) >= 1)
        up.process.send_signal(signal.SIGINT)
        assert up.wait() == 0, up.printed
        assert processes.wait_until_gone(up.marker) == {}
    with running(folder, "up", *FREE_PORTS, ROUNDHOUSE_STATE_DIR=state) as up:
        with grpc.insecure_channel(ladder_address(up)) as channel:
            ladder = ladder_pb2_grpc.LadderServiceStub(channel)
            assert _finished(ladder, tournament.id) < 12
            up.wait_until(lambda: _finished(ladder, tournament.id) == 12)
            rows = ladder.GetLeaderboard(ladder_pb2.GetLeaderboardRequest(), timeout=10).rows
            assert [row.games for row in rows] == [12, 12]
            assert sum(row.rating for row in rows) == pytest.approx(3000)  # nothing twice
        up.process.send_signal(signal.SIGTERM)
        assert up.wait() == 0


def _finished(ladder: ladder_pb2_grpc.LadderServiceStub, tournament_id: str) -> int:
    request = ladder_pb2.GetTournamentRequest(id=tournament_id)
    return ladder.GetTournament(request, timeout=10).tournament.finished_games


@pytest.mark.parametrize(
    ("victim", "words"),
    [
        ("broker", "valkey-server"),
        ("referee", "-m referee serve"),
        ("ladder", "-m ladder serve"),
        ("worker", "-m worker run"),
    ],
)
def test_a_part_that_dies_is_reported_with_its_log_and_stops_the_whole(
    victim: str, words: str, folder: Path
) -> None:
    with running(folder, "up", *FREE_PORTS, ROUNDHOUSE_STATE_DIR=str(folder / "state")) as up:
        up.wait_for("Ctrl-C stops everything")
        os.kill(process_of(up, words), signal.SIGKILL)
        assert up.wait() == 1
        assert processes.wait_until_gone(up.marker) == {}
    assert f"The {victim} ended by itself (SIGKILL); the end of {folder}/state" in up.printed
    assert "Traceback" not in up.printed


def test_a_port_in_use_gets_one_sentence(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with running(
            folder,
            "up",
            "--web-port",
            str(port),
            "--port",
            "0",
            ROUNDHOUSE_STATE_DIR=str(folder / "state"),
        ) as up:
            assert up.wait() == 1
    assert up.printed == (
        f"Nobody can listen on 127.0.0.1:{port} now (Address already in use): choose another port "
        "with --web-port; 0 takes a free one.\n"
    )


def test_a_second_set_up_in_one_folder_is_refused_and_harms_nothing(folder: Path) -> None:
    state = str(folder / "state")
    with running(folder, "up", *FREE_PORTS, ROUNDHOUSE_STATE_DIR=state) as first:
        address = ladder_address(first)
        with running(folder, "up", *FREE_PORTS, ROUNDHOUSE_STATE_DIR=state) as second:
            assert second.wait() == 1
        assert second.printed == (
            f"Roundhouse runs already in {state}; stop it, or set ROUNDHOUSE_STATE_DIR to another "
            "folder.\n"
        )
        with grpc.insecure_channel(address) as channel:
            ladder_pb2_grpc.LadderServiceStub(channel).ListBots(
                ladder_pb2.ListBotsRequest(), timeout=10
            )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 120, "has too long a path for the sockets in it; set ROUNDHOUSE_STATE_DIR"),
        ("file/state", "can't be used (Not a directory); set ROUNDHOUSE_STATE_DIR"),
    ],
)
def test_a_state_folder_that_can_t_be_used_gets_one_sentence(
    name: str, sentence: str, folder: Path
) -> None:
    (folder / "file").touch()
    state = folder / name
    with running(folder, "up", *FREE_PORTS, ROUNDHOUSE_STATE_DIR=str(state)) as up:
        assert up.wait() == 1
    assert up.printed.startswith(f"The state folder {state} {sentence}")
    assert up.printed.count("\n") == 1


def test_settings_without_effect_are_named(folder: Path) -> None:
    with running(
        folder,
        "up",
        *FREE_PORTS,
        ROUNDHOUSE_STATE_DIR=str(folder / "state"),
        ROUNDHOUSE_DATABASE_URL="postgresql://elsewhere/ladder",
    ) as up:
        up.wait_for("Without effect here: ROUNDHOUSE_DATABASE_URL.")
        up.wait_for("Ctrl-C stops everything")
        up.process.send_signal(signal.SIGINT)
        assert up.wait() == 0
    assert (folder / "state" / "ladder.sqlite3").exists()
