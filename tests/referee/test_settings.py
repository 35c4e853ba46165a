from __future__ import annotations

import os

import pytest

from referee.settings import RefereeSettings, SettingsError
from roundhouse.address import Address

HOME = {"XDG_STATE_HOME": "/home/me/state"}


def test_defaults_are_a_private_socket_and_a_loopback_port() -> None:
    settings = RefereeSettings.from_environment(HOME)
    assert [str(address) for address in settings.listen] == [
        "unix:/home/me/state/roundhouse/referee.sock",
        "127.0.0.1:7432",
    ]
    assert settings.lanes == os.cpu_count()
    assert settings.service_token is None
    assert settings.sandbox.driver == "bubblewrap"
    assert settings.trusted().sandbox.driver == "trusted"


def test_every_setting_is_read() -> None:
    settings = RefereeSettings.from_environment(
        {
            "ROUNDHOUSE_REFEREE_LISTEN": "unix:/run/r.sock, 0.0.0.0:9000",
            "ROUNDHOUSE_REFEREE_LANES": "7",
            "ROUNDHOUSE_REFEREE_WARM_LANES": "0",
            "ROUNDHOUSE_SERVICE_TOKEN": " secret ",
            "ROUNDHOUSE_SANDBOX": "trusted",
        }
    )
    assert settings.listen == (Address("unix:/run/r.sock"), Address("0.0.0.0:9000"))
    assert (settings.lanes, settings.service_token) == (7, "secret")
    assert settings.warm_lanes == 0
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("ROUNDHOUSE_REFEREE_LANES", "0", "is '0'; it must be a whole number, 1 to 1024"),
        ("ROUNDHOUSE_REFEREE_WARM_LANES", "-1", "it must be a whole number, 0 to 1024"),
        ("ROUNDHOUSE_REFEREE_LANES", "٣", "it must be a whole number"),
        ("ROUNDHOUSE_REFEREE_LISTEN", "", "is neither HOST:PORT nor unix:PATH"),
        ("ROUNDHOUSE_REFEREE_LISTEN", "localhost", "is neither HOST:PORT nor unix:PATH"),
        ("ROUNDHOUSE_REFEREE_LISTEN", "localhost:99999", "is neither HOST:PORT nor unix:PATH"),
        ("ROUNDHOUSE_REFEREE_LISTEN", "unix:", "unix: needs a path"),
        ("ROUNDHOUSE_REFEREE_LISTEN", "unix:/" + "x" * 107, "has at most 107 bytes"),
        ("ROUNDHOUSE_SANDBOX", "docker", "it must be one of bubblewrap, oci, trusted."),
        ("ROUNDHOUSE_REFEREE_LISTEN", "0.0.0.0:7432", "set ROUNDHOUSE_SERVICE_TOKEN to a secret"),
    ],
)
def test_a_malformed_setting_is_a_sentence_with_its_name(
    name: str, value: str, sentence: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        RefereeSettings.from_environment(HOME | {name: value})
    assert name in str(refused.value)
    assert sentence in str(refused.value)
