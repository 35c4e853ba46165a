"""The folder in which the services of one machine keep their sockets and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return ROUNDHOUSE_STATE_DIR, else a folder of the user's own. A blank one is none.

    >>> state_folder({"ROUNDHOUSE_STATE_DIR": " ", "XDG_STATE_HOME": "/home/ada/state"})
    PosixPath('/home/ada/state/roundhouse')
    """
    text = environment.get("ROUNDHOUSE_STATE_DIR", "").strip()
    if text:
        return Path(text).absolute()
    home = environment.get("XDG_STATE_HOME", "").strip() or Path.home() / ".local" / "state"
    return Path(home).absolute() / "roundhouse"
