"""Whether the kernel holds the bot that is running now, told process by process.

The probe of a lane shows what a sandbox enforces; this shows that the one in which a bot sits is
such a sandbox. It is read from outside, before every game, and takes less than a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PROC = Path("/proc")
NAMESPACES = ("ipc", "mnt", "net", "pid", "uts")
"""Of which a bot shares none with us."""
NO_CAPABILITIES = "0" * 16
FILTERED = "2"
"""What `Seccomp` says of a process that has a filter."""
DEAD = ("Z", "X")
"""States of processes that run nothing any more, of which the kernel tells no namespaces."""


@dataclass(frozen=True, slots=True)
class Custody:
    """What must hold of every process of one bot."""

    uid: int | None
    """The uid that the bot has for itself, as far as there are any."""
    is_filtered: bool
    """Whether system calls are filtered on this machine."""
    proc: Path = PROC

    def breaches(self, pids: Iterable[int]) -> tuple[str, ...]:
        """Return what does not hold, each once, as clauses; what has ended is left out."""
        return tuple(dict.fromkeys(clause for pid in pids for clause in self._breaches_of(pid)))

    def is_alive(self, pid: int) -> bool:
        """Say whether a process runs."""
        return self._status_of(pid) is not None

    def _status_of(self, pid: int) -> Mapping[str, str] | None:
        try:
            status = _status((self.proc / str(pid) / "status").read_text(encoding="utf-8"))
        except OSError:
            return None
        return None if status["State"].startswith(DEAD) else status

    def _breaches_of(self, pid: int) -> Iterator[str]:
        status = self._status_of(pid)
        if status is None:
            return
        yield from self.clauses(status)
        for name in NAMESPACES:
            if self._is_shared(pid, name):
                yield f"it shares our {name} namespace"

    def clauses(self, status: Mapping[str, str]) -> Iterator[str]:
        """Yield what does not hold of a process with this status."""
        if status["NoNewPrivs"] != "1":
            yield "it may gain privileges"
        if any(status[name] != NO_CAPABILITIES for name in ("CapPrm", "CapEff", "CapBnd")):
            yield "it has capabilities"
        if self.is_filtered and status["Seccomp"] != FILTERED:
            yield "its system calls are not filtered"
        if self.uid is not None and set(status["Uid"].split()) != {str(self.uid)}:
            yield f"it runs as another uid than {self.uid}"

    def _is_shared(self, pid: int, name: str) -> bool:
        try:
            theirs = (self.proc / str(pid) / "ns" / name).readlink()
        except OSError:  # it has ended, or only root may ask
            return False
        return theirs == (self.proc / "self" / "ns" / name).readlink()


def _status(text: str) -> dict[str, str]:
    """Return the lines of a process's `status`, by name."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {name: value.strip() for name, _, value in pairs}
