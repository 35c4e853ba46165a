"""The stamp of the referee process that owns a folder or a cgroup."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Owner:
    """A process, told apart from a later one with the same pid by when it started.

    Names of what would outlive a killed referee begin with this stamp, so that the next referee
    can tell what is stale. Pids mean something in their own namespace only: of a referee in
    another container, whose control groups and processes we may well see, we can't tell.
    """

    pid: int
    started: int
    """In clock ticks since the machine started (0 where /proc does not tell)."""
    namespace: int
    """The number of the pid namespace (0 where /proc does not tell)."""

    @classmethod
    def this(cls) -> Self:
        """Return the stamp of this process."""
        return cls(os.getpid(), _start_time(os.getpid()) or 0, _namespace())

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """Read the stamp at the start of a name; None if it is no such name."""
        parts = name.split("-")
        if len(parts) < 5 or parts[0] != "rh":
            return None
        try:
            return cls(int(parts[1]), int(parts[2]), int(parts[3], 16))
        except ValueError:
            return None

    def stamp(self, what: str) -> str:
        """Return the name of something that this process owns."""
        return f"rh-{self.pid}-{self.started}-{self.namespace:x}-{what}"

    def is_near(self) -> bool:
        """Tell whether its pid means the same to us, so that we can tell if it still runs."""
        return self.namespace == _namespace()

    def is_dead(self) -> bool:
        """Tell whether that very process is known to run no more."""
        return self.is_near() and _start_time(self.pid) != self.started


def _namespace() -> int:
    try:
        link = Path("/proc/self/ns/pid").readlink()
    except OSError:
        return 0
    return int(str(link).removeprefix("pid:[").removesuffix("]"))


def _start_time(pid: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    # The program's name stands in brackets and may hold anything, brackets included.
    fields = text.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])
