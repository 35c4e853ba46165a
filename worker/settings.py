"""What a worker is told by its environment. `docs/running.md` lists every service's settings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from roundhouse.address import LADDER, LONGEST_SOCKET_PATH, REFEREE, is_socket_path
from roundhouse.statefolder import state_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BROKER_SCHEMES = ("redis", "rediss", "redis+socket")
"""A real server only: Celery's server-less brokers lose the tasks of a worker that is killed."""
BROKER_SOCKET = "broker.sock"
DEFAULT_LEASE = timedelta(seconds=30)
DEFAULT_PASS_INTERVAL = timedelta(seconds=2)


class SettingsError(ValueError):
    """A setting can't be understood; the sentence names it and its value."""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Where broker, ladder and referees are, and how much this worker takes on."""

    state_dir: Path
    """Holds the embedded broker's socket."""
    broker_url: str
    ladder_target: str
    referee_targets: tuple[str, ...]
    service_token: str | None = field(repr=False)
    """What the ladder's and the referees' internal calls ask for, where they do."""
    lanes: int
    """How many chunks are played at once."""
    lease: timedelta
    """How long a chunk stays ours without a sign of life; it is renewed every third of that."""
    pass_interval: timedelta
    """How often the planner pass looks for what is to be done."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read the settings.

        Raises `SettingsError` with a sentence that names the variable and its value.
        """
        state_dir = state_folder(environment)
        return cls(
            state_dir=state_dir,
            broker_url=_broker_url(environment, state_dir),
            ladder_target=_text(environment, "ROUNDHOUSE_LADDER_TARGET", LADDER),
            referee_targets=_targets(environment),
            service_token=environment.get("ROUNDHOUSE_SERVICE_TOKEN", "").strip() or None,
            lanes=_whole(environment, "ROUNDHOUSE_WORKER_LANES", os.cpu_count() or 1),
            lease=_seconds(environment, "ROUNDHOUSE_WORKER_LEASE_SECONDS", DEFAULT_LEASE),
            pass_interval=_seconds(
                environment, "ROUNDHOUSE_WORKER_PASS_SECONDS", DEFAULT_PASS_INTERVAL
            ),
        )


def broker_socket(state_dir: Path) -> Path:
    """Return where the embedded broker listens.

    Raises `SettingsError` when the path is longer than a Unix socket's may be.
    """
    path = state_dir / BROKER_SOCKET
    if not is_socket_path(path):
        raise SettingsError(
            f"The socket {path} has a path of more than {LONGEST_SOCKET_PATH} bytes; "
            "set ROUNDHOUSE_STATE_DIR to a shorter folder."
        )
    return path


def _broker_url(environment: Mapping[str, str], state_dir: Path) -> str:
    url = environment.get("ROUNDHOUSE_BROKER_URL")
    if not url:
        return f"redis+socket://{broker_socket(state_dir)}"
    # The URL may hold a password: no more of it is repeated than must be.
    if urlsplit(url).scheme not in BROKER_SCHEMES:
        raise SettingsError(
            f"ROUNDHOUSE_BROKER_URL starts with {url.split(':', 1)[0]!r}; it must start with "
            f"{', '.join(f'{scheme}://' for scheme in BROKER_SCHEMES)}."
        )
    try:
        urlsplit(url).port  # noqa: B018 - it is read for its complaint
    except ValueError as error:
        raise SettingsError(
            "ROUNDHOUSE_BROKER_URL has no number for a port; write redis://HOST:PORT/0."
        ) from error
    return url


def _targets(environment: Mapping[str, str]) -> tuple[str, ...]:
    name = "ROUNDHOUSE_REFEREE_TARGETS"
    text = environment.get(name, REFEREE)
    targets = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if "" in targets:
        raise SettingsError(
            f"{name} is {text!r}; it must be addresses with commas between them, "
            "such as 127.0.0.1:7432,unix:/run/roundhouse/referee.sock."
        )
    return targets


def _text(environment: Mapping[str, str], name: str, default: str) -> str:
    text = environment.get(name, default).strip()
    if not text:
        raise SettingsError(f"{name} is empty; set it to an address such as {default}.")
    return text


def _whole(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 1024):
        raise SettingsError(f"{name} is {text!r}; it must be a whole number, 1 to 1024.")
    return int(text)


def _seconds(environment: Mapping[str, str], name: str, default: timedelta) -> timedelta:
    text = environment.get(name)
    if text is None:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0.1 <= seconds <= 3600:  # also refuses nan
        raise SettingsError(f"{name} is {text!r}; it must be a number of seconds, 0.1 to 3600.")
    return timedelta(seconds=seconds)
