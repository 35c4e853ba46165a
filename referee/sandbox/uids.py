"""One unprivileged uid of its own for every bot that runs at the same time."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from referee.sandbox.driver import SandboxError

if TYPE_CHECKING:
    from pathlib import Path


class Uid:
    """A uid that is ours until it is released."""

    __slots__ = ("_lock", "number")

    def __init__(self, number: int, lock: int) -> None:
        self.number = number
        self._lock = lock

    def release(self) -> None:
        """Give the uid back; no process of it may be left."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


class UidPool:
    """Hand out uids so that no two processes on this machine hold the same one.

    Each uid is a lock file below ``folder``, held with ``flock``: the kernel lets go of it when
    we die, however we die, and no daemon and no cleaning up are needed. All referees of a
    machine must therefore share the folder, or use ranges that do not meet.
    """

    def __init__(self, folder: Path, first: int, count: int) -> None:
        self._folder = folder
        self._first = first
        self._count = count

    def take(self) -> Uid:
        """Take a free uid; raises `SandboxError` when all are in use."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Every process starts looking somewhere else, or all would knock at the first doors.
        start = os.getpid() % self._count
        for offset in range(self._count):
            number = self._first + (start + offset) % self._count
            lock = os.open(
                self._folder / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode=0o600
            )
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
            else:
                return Uid(number, lock)
        raise SandboxError(
            f"all {self._count} uids from {self._first} are in use; end other games or raise"
            " ROUNDHOUSE_SANDBOX_UID_COUNT"
        )
