"""The settings of the ladder, read once from the environment."""

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ladder.errors import SettingsError
from roundhouse.address import LADDER, REFEREE, Address
from roundhouse.statefolder import state_folder

DEFAULT_WEB_LISTEN = "127.0.0.1:8080"
DEFAULT_ANCHOR_BOT = "greedy"
"""A house bot that wins and loses: one that only loses is no point to measure from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. `docs/ladder.md` lists the variables."""

    state_dir: Path
    database_url: URL
    listen: tuple[Address, ...]
    """Where gRPC is served."""
    web_listen: Address
    referee_targets: tuple[str, ...]
    """Which referees play smoke games, in the order in which they are asked."""
    anchor_bot: str
    """Which bot stands at 1500 on the boards of the headline rating."""
    service_token: str = field(repr=False)
    """What workers must show; empty where none is asked for."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """Read the variables that start with ROUNDHOUSE_.

        Raises:
            SettingsError: one cannot be understood; the sentence names it and its value.
        """
        state_dir = state_folder(environment)
        listen = tuple(
            _address("ROUNDHOUSE_LADDER_LISTEN", text)
            for text in _list(environment, "ROUNDHOUSE_LADDER_LISTEN", LADDER)
        )
        token = environment.get("ROUNDHOUSE_SERVICE_TOKEN", "").strip()
        if not listen:
            raise SettingsError("ROUNDHOUSE_LADDER_LISTEN is empty; set it to HOST:PORT.")
        for address in listen:
            _require_safe(address, token)
        web = environment.get("ROUNDHOUSE_WEB_LISTEN", "").strip() or DEFAULT_WEB_LISTEN
        return cls(
            state_dir=state_dir,
            database_url=_database_url(environment, state_dir),
            listen=listen,
            web_listen=_web_address(web),
            referee_targets=_list(environment, "ROUNDHOUSE_REFEREE_TARGETS", REFEREE),
            anchor_bot=environment.get("ROUNDHOUSE_ANCHOR_BOT", "").strip() or DEFAULT_ANCHOR_BOT,
            service_token=token,
        )

    def make_state_dir(self) -> None:
        """Make the state folder, readable by this user alone.

        Raises:
            SettingsError: it cannot be made.
        """
        try:
            self.state_dir.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(
                f"The state folder {self.state_dir} cannot be made ({error.strerror}); "
                "set ROUNDHOUSE_STATE_DIR to one that can."
            ) from error


def _database_url(environment: Mapping[str, str], state_dir: Path) -> URL:
    text = environment.get("ROUNDHOUSE_DATABASE_URL", "").strip()
    if not text:
        return URL.create("sqlite", database=str(state_dir / "ladder.sqlite3"))
    return parse_database_url(text)


def parse_database_url(text: str) -> URL:
    """Read a database URL, and choose the driver that the ladder ships with.

    Raises:
        SettingsError: it is no URL, or of a database that the ladder does not work with. The
            sentence does not repeat the URL, which may hold a password.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise SettingsError(
            "ROUNDHOUSE_DATABASE_URL is not a database URL; write sqlite:////PATH or "
            "postgresql://USER:PASSWORD@HOST/DATABASE."
        ) from None
    match url.get_backend_name():
        case "sqlite" if url.database and url.database != ":memory:":
            return url.set(drivername="sqlite")
        case "sqlite":
            raise SettingsError(
                "ROUNDHOUSE_DATABASE_URL names a database in memory, which would not outlive the "
                "process; write sqlite:////PATH."
            )
        case "postgresql" | "postgres":
            return url.set(drivername="postgresql+psycopg")
        case other:
            raise SettingsError(
                f"ROUNDHOUSE_DATABASE_URL is for {other}; the ladder works with sqlite and "
                "postgresql."
            )


def _list(environment: Mapping[str, str], name: str, default: str) -> tuple[str, ...]:
    text = environment.get(name, default)
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _address(name: str, text: str) -> Address:
    try:
        return Address.parse(text)
    except ValueError as error:
        raise SettingsError(f"{name} has {text!r}: {error}.") from None


def _web_address(text: str) -> Address:
    address = _address("ROUNDHOUSE_WEB_LISTEN", text)
    if address.path is not None:
        raise SettingsError(
            f"ROUNDHOUSE_WEB_LISTEN has {text!r}; browsers need HOST:PORT, such as "
            f"{DEFAULT_WEB_LISTEN}."
        )
    return address


def _require_safe(address: Address, token: str) -> None:
    if not (address.is_local or token):
        raise SettingsError(
            f"ROUNDHOUSE_LADDER_LISTEN offers {address} to other machines, but "
            "ROUNDHOUSE_SERVICE_TOKEN is not set, so anybody could record games; set it."
        )
