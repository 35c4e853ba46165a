import os
from datetime import timedelta
from pathlib import Path

import pytest

from worker.settings import SettingsError, WorkerSettings, broker_socket


def test_everything_has_a_default() -> None:
    settings = WorkerSettings.from_environment({"XDG_STATE_HOME": "/home/ada/state"})
    assert settings == WorkerSettings(
        state_dir=Path("/home/ada/state/roundhouse"),
        broker_url="redis+socket:///home/ada/state/roundhouse/broker.sock",
        ladder_target="127.0.0.1:7431",
        referee_targets=("127.0.0.1:7432",),
        service_token=None,
        lanes=os.cpu_count() or 1,
        lease=timedelta(seconds=30),
        pass_interval=timedelta(seconds=2),
    )


def test_everything_can_be_set() -> None:
    settings = WorkerSettings.from_environment(
        {
            "ROUNDHOUSE_STATE_DIR": "/run/roundhouse",
            "ROUNDHOUSE_BROKER_URL": "redis://broker:6379/0",
            "ROUNDHOUSE_LADDER_TARGET": "ladder:7431",
            "ROUNDHOUSE_REFEREE_TARGETS": "referee-1:7432, unix:/run/referee.sock,referee-1:7432",
            "ROUNDHOUSE_SERVICE_TOKEN": "secret",
            "ROUNDHOUSE_WORKER_LANES": "8",
            "ROUNDHOUSE_WORKER_LEASE_SECONDS": "2.5",
            "ROUNDHOUSE_WORKER_PASS_SECONDS": "60",
        }
    )
    assert settings == WorkerSettings(
        state_dir=Path("/run/roundhouse"),
        broker_url="redis://broker:6379/0",
        ladder_target="ladder:7431",
        referee_targets=("referee-1:7432", "unix:/run/referee.sock"),
        service_token="secret",
        lanes=8,
        lease=timedelta(seconds=2.5),
        pass_interval=timedelta(seconds=60),
    )
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "ROUNDHOUSE_BROKER_URL",
            "memory://user:secret@x",
            (
                "ROUNDHOUSE_BROKER_URL starts with 'memory'; "
                "it must start with redis://, rediss://, redis+socket://."
            ),
        ),
        (
            "ROUNDHOUSE_BROKER_URL",
            "redis://:secret@broker:port/0",
            "ROUNDHOUSE_BROKER_URL has no number for a port; write redis://HOST:PORT/0.",
        ),
        (
            "ROUNDHOUSE_WORKER_LANES",
            "0",
            "ROUNDHOUSE_WORKER_LANES is '0'; it must be a whole number, 1 to 1024.",
        ),
        (
            "ROUNDHOUSE_WORKER_LANES",
            "two",
            "ROUNDHOUSE_WORKER_LANES is 'two'; it must be a whole number, 1 to 1024.",
        ),
        (
            "ROUNDHOUSE_WORKER_LEASE_SECONDS",
            "nan",
            (
                "ROUNDHOUSE_WORKER_LEASE_SECONDS is 'nan'; "
                "it must be a number of seconds, 0.1 to 3600."
            ),
        ),
        (
            "ROUNDHOUSE_WORKER_PASS_SECONDS",
            "-1",
            "ROUNDHOUSE_WORKER_PASS_SECONDS is '-1'; it must be a number of seconds, 0.1 to 3600.",
        ),
        (
            "ROUNDHOUSE_REFEREE_TARGETS",
            "a:1,,b:2",
            (
                "ROUNDHOUSE_REFEREE_TARGETS is 'a:1,,b:2'; it must be addresses with commas "
                "between them, such as 127.0.0.1:7432,unix:/run/roundhouse/referee.sock."
            ),
        ),
        (
            "ROUNDHOUSE_LADDER_TARGET",
            " ",
            "ROUNDHOUSE_LADDER_TARGET is empty; set it to an address such as 127.0.0.1:7431.",
        ),
    ],
)
def test_a_malformed_setting_gets_one_sentence(name: str, value: str, sentence: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        WorkerSettings.from_environment({name: value})
    assert str(refusal.value) == sentence


def test_a_state_folder_too_deep_for_a_socket_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"^The socket /x+/broker\.sock has a path of more"):
        broker_socket(Path("/" + "x" * 100))
