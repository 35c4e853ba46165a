"""Settings: defaults that work, and one sentence for each that cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.errors import SettingsError
from ladder.settings import Settings
from roundhouse.address import Address


def test_nothing_has_to_be_set() -> None:
    settings = Settings.from_environment({"HOME": "/nobody"})

    assert settings.listen == (Address("127.0.0.1:7431"),)
    assert settings.web_listen == Address("127.0.0.1:8080")
    assert settings.referee_targets == ("127.0.0.1:7432",)
    assert settings.service_token == ""
    assert settings.database_url.database == str(settings.state_dir / "ladder.sqlite3")


def test_everything_can_be_set() -> None:
    settings = Settings.from_environment(
        {
            "ROUNDHOUSE_STATE_DIR": "/state",
            "ROUNDHOUSE_DATABASE_URL": "postgresql://user:secret@host/roundhouse",
            "ROUNDHOUSE_LADDER_LISTEN": "unix:/state/ladder.sock, [::]:7431",
            "ROUNDHOUSE_WEB_LISTEN": "0.0.0.0:80",
            "ROUNDHOUSE_REFEREE_TARGETS": "unix:/state/referee.sock,referee:7432",
            "ROUNDHOUSE_SERVICE_TOKEN": "token",
        }
    )

    assert settings.state_dir == Path("/state")
    assert settings.database_url.drivername == "postgresql+psycopg"
    assert settings.listen == (Address("unix:/state/ladder.sock"), Address("[::]:7431"))
    assert settings.web_listen == Address("0.0.0.0:80")
    assert settings.referee_targets == ("unix:/state/referee.sock", "referee:7432")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("ROUNDHOUSE_LADDER_LISTEN", "", "ROUNDHOUSE_LADDER_LISTEN is empty"),
        ("ROUNDHOUSE_LADDER_LISTEN", "7431", "ROUNDHOUSE_LADDER_LISTEN has '7431'"),
        ("ROUNDHOUSE_LADDER_LISTEN", "host:port", "ROUNDHOUSE_LADDER_LISTEN has 'host:port'"),
        ("ROUNDHOUSE_LADDER_LISTEN", "unix:", "has 'unix:': unix: needs a path"),
        ("ROUNDHOUSE_LADDER_LISTEN", "unix:/" + "x" * 107, "has at most 107 bytes"),
        ("ROUNDHOUSE_WEB_LISTEN", "unix:/web.sock", "browsers need HOST:PORT"),
        ("ROUNDHOUSE_WEB_LISTEN", "host:99999", "ROUNDHOUSE_WEB_LISTEN has 'host:99999'"),
        ("ROUNDHOUSE_DATABASE_URL", "somewhere", "ROUNDHOUSE_DATABASE_URL is not a database URL"),
        (
            "ROUNDHOUSE_DATABASE_URL",
            "mysql://host/x",
            "works with sqlite and postgresql",
        ),
        ("ROUNDHOUSE_DATABASE_URL", "sqlite://", "a database in memory"),
    ],
)
def test_a_setting_that_cannot_be_understood_is_one_sentence(
    name: str, value: str, sentence: str
) -> None:
    with pytest.raises(SettingsError, match=sentence):
        Settings.from_environment({"HOME": "/nobody", name: value})


def test_other_machines_are_not_let_in_without_a_token() -> None:
    environment = {"HOME": "/nobody", "ROUNDHOUSE_LADDER_LISTEN": "0.0.0.0:7431"}

    with pytest.raises(SettingsError, match="anybody could record games"):
        Settings.from_environment(environment)
    assert Settings.from_environment(environment | {"ROUNDHOUSE_SERVICE_TOKEN": "token"})


def test_a_secret_is_never_shown() -> None:
    settings = Settings.from_environment(
        {
            "HOME": "/nobody",
            "ROUNDHOUSE_DATABASE_URL": "postgresql://u:hidden-1@host/x",
            "ROUNDHOUSE_SERVICE_TOKEN": "hidden-2",
        }
    )

    assert "hidden" not in repr(settings)


def test_a_state_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = Settings.from_environment({"ROUNDHOUSE_STATE_DIR": str(tmp_path / "file" / "x")})

    with pytest.raises(SettingsError, match="cannot be made"):
        settings.make_state_dir()
