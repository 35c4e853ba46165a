"""Processes that a killed referee could not take along.

A bot dies with its referee by the kernel's parent-death signal, but that is armed only some
milliseconds after the bot's start, and a trusted bot's own children never have it. So every
process carries its owner's stamp in the environment that it was started with, and the next
referee looks for stamps of owners that are dead.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

from referee.sandbox.owner import Owner

VARIABLE = "ROUNDHOUSE_OWNER"


def mark() -> dict[str, str]:
    """Return the variable that marks a process as ours."""
    return {VARIABLE: Owner.this().stamp("bot")}


def end_orphans(proc: Path = Path("/proc")) -> None:
    """Kill every process that carries the stamp of a referee that no longer runs."""
    prefix = f"{VARIABLE}=".encode()
    for folder in proc.iterdir():
        if not folder.name.isdecimal():
            continue
        with contextlib.suppress(OSError):  # ended meanwhile, or another user's
            for variable in (folder / "environ").read_bytes().split(b"\0"):
                if variable.startswith(prefix):
                    owner = Owner.parse(variable.removeprefix(prefix).decode(errors="replace"))
                    if owner is not None and owner.is_dead():
                        os.kill(int(folder.name), signal.SIGKILL)
