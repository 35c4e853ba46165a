"""The folder below which the sandbox keeps its files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from referee.sandbox.driver import SandboxUnavailable
from referee.sandbox.reach import is_reachable

if TYPE_CHECKING:
    from pathlib import Path


def prepare_state(state: Path) -> Path:
    """Make the state folder and return an empty folder in it.

    Raises `SandboxUnavailable` if the bots' uids could not reach it.
    """
    empty = state / "empty"
    try:
        state.mkdir(mode=0o711, parents=True, exist_ok=True)
        state.chmod(0o711)
        empty.mkdir(mode=0o755, exist_ok=True)
        empty.chmod(0o755)
    except OSError as error:
        raise SandboxUnavailable(
            f"cannot make the sandbox's folder {state} ({error.strerror}); set"
            " ROUNDHOUSE_SANDBOX_STATE to a folder that this user may write to"
        ) from error
    if os.geteuid() == 0 and not is_reachable(empty):
        raise SandboxUnavailable(
            f"the bots' own uids cannot pass through to {state}; set ROUNDHOUSE_SANDBOX_STATE"
            " to a folder below which everybody may pass (mode 0711), /var/lib/roundhouse say"
        )
    return empty
