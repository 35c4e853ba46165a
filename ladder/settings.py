"""The settings of the ladder, read once from the environment."""

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ladder.errors import SettingsError

DEFAULT_LISTEN = "127.0.0.1:7431"
DEFAULT_WEB_LISTEN = "127.0.0.1:8080"
DEFAULT_ANCHOR_BOT = "greedy"
"""A house bot that wins and loses: one that only loses is no point to measure from."""
DEFAULT_REFEREE_TARGETS = "127.0.0.1:7432"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a socket listens: a host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can dial it."""
        return self.host in {"localhost", "::1"} or self.host.startswith("127.")

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read HOST:PORT; an IPv6 host stands in brackets.

        >>> Address.parse("[::1]:7431")
        Address(host='::1', port=7431)

        Raises:
            ValueError: the text is something else.
        """
        host, colon, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not (colon and host and port.isascii() and port.isdigit() and int(port) < 65536):
            raise ValueError(text)
        return cls(host, int(port))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. `docs/ladder.md` lists the variables."""

    state_dir: Path
    database_url: URL
    listen: tuple[str, ...]
    """gRPC addresses: HOST:PORT or unix:PATH."""
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
        state_dir = _state_dir(environment)
        listen = _list(environment, "ROUNDHOUSE_LADDER_LISTEN", DEFAULT_LISTEN)
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
            web_listen=_address("ROUNDHOUSE_WEB_LISTEN", web),
            referee_targets=_list(
                environment, "ROUNDHOUSE_REFEREE_TARGETS", DEFAULT_REFEREE_TARGETS
            ),
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


def _state_dir(environment: Mapping[str, str]) -> Path:
    text = environment.get("ROUNDHOUSE_STATE_DIR", "").strip()
    if text:
        return Path(text).absolute()
    home = environment.get("XDG_STATE_HOME", "").strip()
    return (Path(home) if home else Path.home() / ".local" / "state") / "roundhouse"


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
    except ValueError:
        raise SettingsError(
            f"{name} has {text!r}; write HOST:PORT, such as 127.0.0.1:8080."
        ) from None


def _require_safe(text: str, token: str) -> None:
    if text.startswith("unix:"):
        return
    if not (_address("ROUNDHOUSE_LADDER_LISTEN", text).is_loopback or token):
        raise SettingsError(
            f"ROUNDHOUSE_LADDER_LISTEN offers {text} to other machines, but "
            "ROUNDHOUSE_SERVICE_TOKEN is not set, so anybody could record games; set it."
        )
