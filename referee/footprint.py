"""How much memory a process and all that it has started hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

KIB = 1024


def memory_of(pid: int, proc: Path = Path("/proc")) -> int:
    """Return the bytes, each page counted once where the kernel lets us see whose it is.

    What another user's sandbox shares with others it does not; such a process counts in full. One
    that has ended counts nothing.
    """
    return sum(_memory(process) for process in family(proc / str(pid)))


def family(process: Path) -> Iterator[Path]:
    """Yield the folder of a process below /proc, and those of all that it has started."""
    yield process
    for task in process.glob("task/*/children"):
        for child in _read(task).split():
            yield from family(process.with_name(child))


def _memory(process: Path) -> int:
    fields = (_read(process / "smaps_rollup"), "Pss:"), (_read(process / "status"), "VmRSS:")
    for text, key in fields:
        for line in text.splitlines():
            if line.startswith(key):
                return int(line.split()[1]) * KIB
    return 0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
