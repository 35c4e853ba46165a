"""`python -m ladder` as a process: it starts, answers, stops, and says in one sentence why not."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import closing, contextmanager
from typing import IO, TYPE_CHECKING

import grpc
import pytest
from sqlalchemy import text

from ladder.gamelog import read_result
from ladder.store.database import Database
from ladder.store.recording import record_game
from roundhouse.api.ladder.v1 import ladder_pb2, ladder_pb2_grpc
from roundhouse.replay import dump_log
from tests.ladder.logs import play
from tests.ladder.world import NOW, World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 60  # for what takes one or two, on a machine that is busy


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if "ROUNDHOUSE" not in name}
    return clean | {
        "ROUNDHOUSE_STATE_DIR": str(tmp_path / "state"),
        "ROUNDHOUSE_LADDER_LISTEN": f"127.0.0.1:0,unix:{tmp_path}/ladder.sock",
        "ROUNDHOUSE_WEB_LISTEN": "127.0.0.1:0",
    }


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ladder", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a ladder; give it with the address of its pages once it listens on all of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "ladder", "serve"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            yield process, _web_address(process.stderr)
        finally:
            process.kill()


def _web_address(log: IO[str]) -> str:
    lines = []
    for line in log:
        lines.append(line)
        if match := re.search(r"web on (http://\S+)", line):
            return match[1]
    raise AssertionError("".join(lines))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_both_edges_until_a_signal(
    environment: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    with serving(environment) as (process, web):
        with grpc.insecure_channel(f"unix:{tmp_path}/ladder.sock") as channel:
            stub = ladder_pb2_grpc.LadderServiceStub(channel)
            assert list(stub.ListBots(ladder_pb2.ListBotsRequest()).bots) == []
        with urllib.request.urlopen(web, timeout=SECONDS) as page:
            assert page.status == 200
        process.send_signal(number)
        assert process.wait(SECONDS) == 0


def test_a_port_in_use_is_one_sentence(environment: dict[str, str]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        for name in ("ROUNDHOUSE_LADDER_LISTEN", "ROUNDHOUSE_WEB_LISTEN"):
            ended = run(environment | {name: address}, "serve")

            assert ended.returncode == 1
            (sentence,) = [line for line in ended.stderr.splitlines() if " INFO " not in line]
            assert f"cannot listen on {address} (Address already in use)" in sentence
            assert name in sentence


def test_a_socket_in_use_is_one_sentence_and_a_dead_one_no_hindrance(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(f"{tmp_path}/ladder.sock")
        other.listen()
        ended = run(environment, "serve")
        assert ended.returncode == 1
        assert "ladder.sock (Address already in use)" in ended.stderr

    with serving(environment) as (process, _):
        process.terminate()
        assert process.wait(SECONDS) == 0


def test_a_socket_in_a_folder_that_cannot_be_made_is_one_sentence(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    address = f"unix:{tmp_path}/file/x/ladder.sock"

    ended = run(environment | {"ROUNDHOUSE_LADDER_LISTEN": address}, "serve")

    assert ended.returncode == 1
    (sentence,) = [line for line in ended.stderr.splitlines() if " INFO " not in line]
    assert sentence == (
        f"The ladder cannot listen on {address} (Not a directory); free it, or set "
        "ROUNDHOUSE_LADDER_LISTEN to another address."
    )


def test_a_database_of_a_newer_version_is_one_sentence_and_stays(
    environment: dict[str, str], tmp_path: Path
) -> None:
    assert run(environment, "migrate").stdout == "The database is migrated.\n"
    assert run(environment, "migrate").stdout == "The database is up to date.\n"
    with closing(Database.open(f"sqlite:///{tmp_path}/state/ladder.sqlite3")) as database:
        with database.connect() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

        for command in (["serve"], ["migrate"], ["ratings", "rebuild"]):
            ended = run(environment, *command)
            assert ended.returncode == 1
            assert re.fullmatch(r"The database .* newer version \(schema 9999\).*\n", ended.stderr)
        with database.read() as session:
            version = session.scalar(text("SELECT version_num FROM alembic_version"))
    assert version == "9999"


def test_ratings_are_compared_with_the_logs_from_the_command_line(
    environment: dict[str, str], tmp_path: Path
) -> None:
    run(environment, "migrate")
    with closing(Database.open(f"sqlite:///{tmp_path}/state/ladder.sqlite3")) as database:
        world = World(database)
        world.add_bots("alpha", "bravo")
        for game in world.plan(world.create("alpha", "bravo", edition="tiny")):
            data = dump_log(play(game, world.names))
            with database.write() as session:
                record_game(session, read_result(data), data, [], NOW)

        ended = run(environment, "ratings", "rebuild")
        assert ended.returncode == 0
        assert ended.stdout == (
            "2 logs, 2 of rated games: every rating is the same to the last bit.\n"
        )
        with database.connect() as connection:
            connection.execute(text("UPDATE ratings SET rating = rating + 1"))
        ended = run(environment, "ratings", "rebuild", "--write")
        assert ended.returncode == 1
        assert ended.stdout == "The ratings are stored as the logs give them.\n"
        assert "The rating of alpha in tiny/2 (units, games) is stored as" in ended.stderr
        assert run(environment, "ratings", "rebuild", "--replay").returncode == 0


def test_boards_are_fitted_from_the_command_line(environment: dict[str, str]) -> None:
    run(environment, "migrate")

    ended = run(environment, "ratings", "fit")

    assert ended.stdout == "Fitted: nothing, since there are no rated games.\n"


def test_a_malformed_setting_is_one_sentence(environment: dict[str, str]) -> None:
    ended = run(environment | {"ROUNDHOUSE_WEB_LISTEN": "8080"}, "serve")

    assert ended.returncode == 1
    assert ended.stderr == (
        "ROUNDHOUSE_WEB_LISTEN has '8080': '8080' is neither HOST:PORT nor unix:PATH.\n"
    )


@pytest.mark.server
def test_a_shared_database_is_migrated_by_its_operator(
    environment: dict[str, str], empty_postgres_url: str
) -> None:
    environment = environment | {"ROUNDHOUSE_DATABASE_URL": empty_postgres_url}

    ended = run(environment, "serve")
    assert ended.returncode == 1
    assert "run `python -m ladder migrate` first" in ended.stderr
    assert run(environment, "migrate").returncode == 0

    with serving(environment) as (process, _):
        process.terminate()
        assert process.wait(SECONDS) == 0


@pytest.mark.parametrize("command", ["demo", "up", "serve"])
def test_ctrl_c_while_it_is_being_loaded_leaves_no_traceback(
    environment: dict[str, str], command: str
) -> None:
    program = [sys.executable, "-v", "-m", "ladder", command]  # tells what it loads
    with subprocess.Popen(program, env=environment, stderr=subprocess.PIPE, text=True) as loading:
        assert loading.stderr is not None
        for line in loading.stderr:
            if line.startswith("import 'sqlalchemy'"):
                break
        loading.send_signal(signal.SIGINT)
        rest = loading.stderr.read()
        assert loading.wait(SECONDS) == 128 + signal.SIGINT
    assert "KeyboardInterrupt" not in rest
