"""Find processes that a test has started, however far below, and wait for their end.

A marker in the environment is inherited by whatever is started, daemons included. Only sandboxes
clean it away; those are found as descendants while their parents live.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from dataclasses import dataclass
from pathlib import Path

MARKER = "ROUNDHOUSE_TEST_MARKER"


@dataclass(frozen=True, slots=True)
class Process:
    """One process, told from a later one with the same number by when it started."""

    id: int
    started: int
    command: str = ""


def marked(marker: str) -> dict[int, str]:
    """Return the processes that carry the marker, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            if f"{MARKER}={marker}\0".encode() in (folder / "environ").read_bytes():
                found[int(folder.name)] = _command(folder)
    return found


def descendants(ancestor: int) -> set[Process]:
    """Return every process below one."""
    children: dict[int, list[Process]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent, started = _parent_and_start(folder)
            process = Process(int(folder.name), started, _command(folder))
            children.setdefault(parent, []).append(process)
    found, looked_at = set(), [ancestor]
    while looked_at:
        for child in children.get(looked_at.pop(), []):
            found.add(child)
            looked_at.append(child.id)
    return found


def survivors(processes: set[Process], seconds: float = 20) -> set[Process]:
    """Wait until all have ended; return those that still run when the time is up.

    Zombies, which wait for their parent alone, have ended.
    """
    deadline = time.monotonic() + seconds
    for process in processes:
        if _is_alive(process):
            wait_for_end(process.id, deadline - time.monotonic())
    return {process for process in processes if _is_alive(process)}


def wait_until_gone(marker: str, seconds: float = 20) -> dict[int, str]:
    """Wait until nothing carries the marker; return what still does."""
    deadline = time.monotonic() + seconds
    while (left := marked(marker)) and time.monotonic() < deadline:
        for process_id in left:
            wait_for_end(process_id, deadline - time.monotonic())
    return left


def wait_for_end(process_id: int, seconds: float) -> None:
    """Wait until a process has ended, or the time is up."""
    with contextlib.suppress(ProcessLookupError):
        descriptor = os.pidfd_open(process_id)
        try:
            select.select([descriptor], [], [], max(seconds, 0))
        finally:
            os.close(descriptor)


def _is_alive(process: Process) -> bool:
    try:
        folder = Path("/proc", str(process.id))
        _, started = _parent_and_start(folder)
        return started == process.started and _state(folder) != "Z"
    except OSError:
        return False


def _command(folder: Path) -> str:
    return (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")


def _status(folder: Path) -> list[str]:
    # The name, in parentheses, may hold anything.
    return (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()


def _state(folder: Path) -> str:
    return _status(folder)[0]


def _parent_and_start(folder: Path) -> tuple[int, int]:
    status = _status(folder)
    return int(status[1]), int(status[19])
