"""The sandbox's part of the referee's settings."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from referee.sandbox.engine import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

DRIVERS = ("bubblewrap", "oci", "trusted")
UID_FIRST = 64000
"""Above every range that a distribution gives to people and services, below 16 bits."""
UID_COUNT = 256
WARM = 2
"""The seats of most games; each takes a uid and the memory of an idle interpreter."""


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """Say which driver holds the bots, where it keeps its files and which uids it may use."""

    driver: str
    """One of `DRIVERS`; nothing ever falls back from the one to another."""
    state: Path
    """Staged runtimes, running games' folders and uid locks; every bot's uid must reach it."""
    uid_first: int = UID_FIRST
    """First uid of the pool, used when the referee is root; nobody else may own it."""
    uid_count: int = UID_COUNT
    """How many bots can be held at once on this machine."""
    warm: int = WARM
    """How many sandboxes a lane prepares while it waits for its bots."""
    is_pinned: bool = True
    """Whether the bots of a lane are kept on one core, where there are more."""
    runtime: str | None = None
    """``runsc`` or ``runc``, as a name or a path, for the driver oci; None: the better there is."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read ``ROUNDHOUSE_SANDBOX`` and what begins with it, as `docs/sandbox.md` lists it.

        Raises `ValueError` with a sentence that names the variable and its value.
        """
        driver = environment.get("ROUNDHOUSE_SANDBOX", "bubblewrap")
        if driver not in DRIVERS:
            raise ValueError(
                f"ROUNDHOUSE_SANDBOX is {driver!r}; it must be one of {', '.join(DRIVERS)}"
            )
        runtime = environment.get("ROUNDHOUSE_SANDBOX_RUNTIME") or None
        if runtime is not None and Path(runtime).name not in KINDS:
            raise ValueError(
                f"ROUNDHOUSE_SANDBOX_RUNTIME is {runtime!r}; it must be one of {', '.join(KINDS)},"
                " or the path of one"
            )
        state = environment.get("ROUNDHOUSE_SANDBOX_STATE")
        return cls(
            driver=driver,
            state=Path(state).absolute() if state else default_state(environment),
            uid_first=_number(environment, "ROUNDHOUSE_SANDBOX_UID_FIRST", UID_FIRST, 1000),
            uid_count=_number(environment, "ROUNDHOUSE_SANDBOX_UID_COUNT", UID_COUNT, 1),
            warm=_number(environment, "ROUNDHOUSE_SANDBOX_WARM", WARM, 0),
            is_pinned=_switch(environment, "ROUNDHOUSE_SANDBOX_PIN"),
            runtime=runtime,
        )


def default_state(environment: Mapping[str, str]) -> Path:
    """Return where the sandbox keeps its files unless told otherwise.

    Root's bots run under other uids, which a home folder would shut out; everybody else's run
    under their own.
    """
    if os.geteuid() == 0:
        return Path("/var/lib/roundhouse/sandbox")
    home = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "roundhouse" / "sandbox"


def _number(environment: Mapping[str, str], name: str, default: int, least: int) -> int:
    text = environment.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or not least <= int(text) < 2**31:
        raise ValueError(f"{name} is {text!r}; it must be a whole number, {least} or more")
    return int(text)


def _switch(environment: Mapping[str, str], name: str) -> bool:
    text = environment.get(name, "on")
    if text not in ("on", "off"):
        raise ValueError(f"{name} is {text!r}; it must be on or off")
    return text == "on"
