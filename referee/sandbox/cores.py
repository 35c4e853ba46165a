"""Which core a lane's bots run on: one that no other lane has, as long as there is one."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Core:
    """A core that is a lane's until it is released."""

    __slots__ = ("_lock", "number")

    def __init__(self, number: int, lock: int | None) -> None:
        self.number = number
        self._lock = lock

    def release(self) -> None:
        """Let another lane have the core."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def take_core(folder: Path) -> Core | None:
    """Take a core of those that we may run on; None if there is but one. Raises `OSError`.

    Each is a lock file below ``folder``, as with uids: whoever dies lets go of it. When all are
    taken, because more lanes are played than there are cores, one is shared.
    """
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Every process starts looking somewhere else, or all would share the same one.
    start = os.getpid() % len(cores)
    for number in cores[start:] + cores[:start]:
        lock = os.open(folder / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode=0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
        else:
            return Core(number, lock)
    return Core(cores[start], None)
