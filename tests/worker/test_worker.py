"""A real worker on the embedded broker, and what its death costs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import redis

from tests.processes import marked, wait_until_gone
from tests.worker.fake_referee import Play
from tests.worker.processes import running_broker, running_worker
from worker.tasks import LANE_QUEUE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.worker.fake_ladder import Book
    from tests.worker.fake_referee import FakeReferee
    from worker.settings import WorkerSettings


@pytest.fixture(autouse=True)
def broker(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with running_broker(tmp_path) as process:
        yield process


@pytest.fixture
def marker() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "worker.log"


def test_a_tournament_is_planned_and_played_without_being_told(
    book: Book, referee: FakeReferee, settings: WorkerSettings, marker: str, log: Path
) -> None:
    with running_worker(replace(settings, lanes=2), marker, log) as process:
        assert book.wait_until(book.is_finished), log.read_text()
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    assert set(book.recorded.values()) == {1}
    assert len(referee.requests) == 6
    assert wait_until_gone(marker) == {}
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("victim", ["the worker", "the process that plays"])
def test_a_killed_worker_s_chunk_is_found_again_and_nothing_is_recorded_twice(
    victim: str,
    book: Book,
    referee: FakeReferee,
    settings: WorkerSettings,
    marker: str,
    log: Path,
) -> None:
    referee.script = [Play(hangs_after=2)]
    settings = replace(settings, lease=timedelta(seconds=1))
    with running_worker(settings, marker, log) as first:
        assert referee.hanging.wait(30), log.read_text()
        if victim == "the worker":
            first.kill()
            first.wait()
            assert wait_until_gone(marker) == {}  # the kernel ended its pool
        else:
            (player,) = set(marked(marker)) - {first.pid}
            os.kill(player, signal.SIGKILL)
        assert referee.cancelled.wait(30)  # and with it the lane's bots
        with running_worker(settings, marker, log):
            assert book.wait_until(book.is_finished), log.read_text()
    assert set(book.recorded.values()) == {1}
    assert wait_until_gone(marker) == {}


@pytest.mark.usefixtures("referee")
def test_chunks_that_the_broker_lost_are_found_again(
    book: Book, settings: WorkerSettings, marker: str, log: Path
) -> None:
    with (
        redis.Redis(unix_socket_path=str(settings.state_dir / "broker.sock")) as client,
        running_worker(settings, marker, log),
    ):
        assert book.wait_until(lambda: book.recorded.total() > 4), log.read_text()
        client.delete(LANE_QUEUE)
        assert book.wait_until(book.is_finished), log.read_text()
    assert set(book.recorded.values()) == {1}


@pytest.mark.usefixtures("book")
def test_a_broker_that_forgets_everything_is_worked_with_again(
    book: Book, referee: FakeReferee, settings: WorkerSettings, marker: str, log: Path
) -> None:
    referee.script = [Play(hangs_after=1)]
    with (
        redis.Redis(unix_socket_path=str(settings.state_dir / "broker.sock")) as client,
        running_worker(replace(settings, lanes=2, lease=timedelta(seconds=1)), marker, log),
    ):
        assert referee.hanging.wait(30), log.read_text()
        client.flushall()
        book.leases.clear()
        assert book.wait_until(book.is_finished), log.read_text()
        assert set(book.recorded.values()) == {1}


@pytest.mark.usefixtures("referee")
def test_a_broker_that_dies_is_waited_for(
    broker: subprocess.Popen[bytes],
    book: Book,
    settings: WorkerSettings,
    marker: str,
    log: Path,
) -> None:
    with running_worker(settings, marker, log):
        assert book.wait_until(lambda: book.recorded.total() > 4), log.read_text()
        broker.kill()
        broker.wait()
        with running_broker(settings.state_dir):
            assert book.wait_until(book.is_finished), log.read_text()
    assert set(book.recorded.values()) == {1}


def test_a_broker_that_can_t_be_reached_gets_one_sentence(tmp_path: Path) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "worker", "run"],
        env=os.environ
        | {
            "ROUNDHOUSE_STATE_DIR": str(tmp_path),
            "ROUNDHOUSE_BROKER_URL": "redis://:secret@127.0.0.1:1/0",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("The broker redis://:**@127.0.0.1:1/0 can't be reached (")
    assert refused.stderr.endswith("); start it, or set ROUNDHOUSE_BROKER_URL.\n")
    assert refused.stderr.count("\n") == 1


def test_a_malformed_setting_stops_the_worker(tmp_path: Path) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "worker", "run"],
        env=os.environ | {"ROUNDHOUSE_STATE_DIR": str(tmp_path), "ROUNDHOUSE_WORKER_LANES": "many"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (refused.returncode, refused.stderr) == (
        1,
        "ROUNDHOUSE_WORKER_LANES is 'many'; it must be a whole number, 1 to 1024.\n",
    )
