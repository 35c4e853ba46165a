"""The control group of one bot: its limits, its counters and its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from referee.sandbox.driver import SandboxError
from referee.sandbox.owner import Owner
from referee.sandbox.spec import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referee.sandbox.hierarchy import Hierarchy
    from referee.sandbox.spec import Limits

PERIOD_MICROSECONDS = 100_000
"""The kernel's own period for processor shares."""
OWN_PROCESSES = 3
"""The sandbox's own processes, which the bot's limit must not pay for."""
FILLED_SECONDS = 60.0
"""By then a new group has had its bot for long."""
END_SECONDS = 5.0
"""How long a killed group may take to empty; 18 ms were measured under a fork bomb."""


class Cgroup:
    """A group in each of the machine's trees, under the same name."""

    def __init__(self, hierarchy: Hierarchy, name: str, limits: Limits) -> None:
        """Make the group and set its limits; raises `SandboxError` if the kernel refuses."""
        self._hierarchy = hierarchy
        self._folders = {key: base / name for key, base in hierarchy.folders.items()}
        self._unified = None if hierarchy.unified is None else hierarchy.unified / name
        self._all = tuple(base / name for base in hierarchy.bases)
        try:
            for folder in self._all:
                folder.mkdir()
            for controller, file, value in settings(hierarchy.version, limits):
                if controller in self._folders:
                    self._write(controller, file, value)
        except OSError as error:
            remove(self._all)
            raise SandboxError(f"cannot make the control group {name}: {error}") from error

    @property
    def doors(self) -> tuple[str, ...]:
        """Return the files into which a process writes ``0`` to join."""
        return tuple(str(folder / "cgroup.procs") for folder in self._all)

    def members(self) -> list[int]:
        """Return the processes that are in the group now."""
        return [int(pid) for pid in _read(self._all[-1] / "cgroup.procs").split()]

    def oom_kills(self) -> int:
        """Return how often the kernel killed in this group for memory."""
        file = "memory.events" if self._hierarchy.version == 2 else "memory.oom_control"
        return _keyed(self._read("memory", file), "oom_kill")

    def memory_peak(self) -> int | None:
        """Return the most memory that was in use at once, in bytes."""
        is_v2 = self._hierarchy.version == 2
        text = self._read("memory", "memory.peak" if is_v2 else "memory.max_usage_in_bytes")
        return int(text) if text else None

    def meter(self) -> timedelta | None:
        """Return the processor time that all processes together have used."""
        if self._unified is not None:
            # The v2 tree counts time without any controller, on hybrid machines as well.
            text = _read(self._unified / "cpu.stat")
            return timedelta(microseconds=_keyed(text, "usage_usec")) if text else None
        text = self._read("cpuacct", "cpuacct.usage")
        return timedelta(microseconds=int(text) // 1000) if text else None

    def stalled(self) -> timedelta | None:
        """Return how long all processes that wanted to run waited for a processor at once.

        The kernel's pressure counts as waiting what the group's own share withheld as well, which
        would let a bot with many busy threads pass for a victim: that is taken off.
        """
        if self._unified is None:
            return None
        waited = _full_pressure(_read(self._unified / "cpu.pressure"))
        return None if waited is None else max(timedelta(0), waited - self._withheld())

    def _withheld(self) -> timedelta:
        text = self._read("cpu", "cpu.stat")
        if self._hierarchy.version == 2:
            return timedelta(microseconds=_keyed(text, "throttled_usec"))
        return timedelta(microseconds=_keyed(text, "throttled_time") // 1000)

    def usage(self) -> Usage:
        """Return all counters, as evidence; one that this machine does not have is None."""
        refused = self._read("pids", "pids.events")
        stalled = self.stalled()
        has_memory, has_share = "memory" in self._folders, "cpu" in self._folders
        return Usage(
            cpu_seconds=self.cpu_seconds(),
            memory_peak_bytes=self.memory_peak(),
            memory_kills=self.oom_kills() if has_memory else None,
            refused_processes=_keyed(refused, "max") if refused else None,
            withheld_seconds=self._withheld().total_seconds() if has_share else None,
            stalled_seconds=None if stalled is None else stalled.total_seconds(),
        )

    def cpu_seconds(self) -> float | None:
        """Return the same in seconds."""
        meter = self.meter()
        return None if meter is None else meter.total_seconds()

    def freeze(self) -> bool:
        """Hold every process still; say whether the kernel can."""
        return self._set_frozen(is_frozen=True)

    def thaw(self) -> None:
        """Let every process go on."""
        self._set_frozen(is_frozen=False)

    def kill(self) -> None:
        """Kill every process in the group at once, a frozen one as well."""
        kill_all(self._all)

    def discard(self) -> None:
        """Remove a group that nothing has joined."""
        remove(self._all)

    async def end(self) -> None:
        """Kill what is left and remove the group; what cannot be removed is left to a sweep."""
        deadline = time.monotonic() + END_SECONDS
        while not remove(self._all) and time.monotonic() < deadline:
            self.kill()
            await asyncio.sleep(0.002)

    def end_now(self) -> None:
        """Do as `end` does, without the event loop."""
        end_all(self._all)

    def _set_frozen(self, *, is_frozen: bool) -> bool:
        if self._unified is not None:
            return _put(self._unified / "cgroup.freeze", b"1" if is_frozen else b"0")
        folder = self._folders.get("freezer")
        if folder is None:
            return False
        return _put(folder / "freezer.state", b"FROZEN" if is_frozen else b"THAWED")

    def _write(self, controller: str, file: str, value: str) -> None:
        """Set a limit; a file that this kernel does not have (swap accounting) is passed over."""
        with contextlib.suppress(FileNotFoundError):
            _overwrite(self._folders[controller] / file, value.encode("ascii"))

    def _read(self, controller: str, file: str) -> str:
        folder = self._folders.get(controller)
        return "" if folder is None else _read(folder / file)


def settings(version: int, limits: Limits) -> Iterator[tuple[str, str, str]]:
    """Yield controller, file and value of each limit."""
    memory, quota = str(limits.memory_bytes), int(limits.cpu_cores * PERIOD_MICROSECONDS)
    yield "pids", "pids.max", str(limits.processes + OWN_PROCESSES)
    if version == 2:
        yield "memory", "memory.max", memory
        yield "memory", "memory.swap.max", "0"
        yield "memory", "memory.oom.group", "1"
        yield "cpu", "cpu.max", f"{quota} {PERIOD_MICROSECONDS}"
    else:
        yield "memory", "memory.limit_in_bytes", memory
        yield "memory", "memory.memsw.limit_in_bytes", memory
        yield "memory", "memory.swappiness", "0"
        yield "cpu", "cpu.cfs_period_us", str(PERIOD_MICROSECONDS)
        yield "cpu", "cpu.cfs_quota_us", str(quota)


def kill_all(folders: tuple[Path, ...]) -> None:
    """Kill every process in the groups: by the kernel's own switch, else one by one."""
    for folder in folders:
        # On v1 a frozen process dies of nothing; on v2 the kernel's switch reaches it.
        _put(folder / "freezer.state", b"THAWED")
        try:
            (folder / "cgroup.kill").write_text("1", encoding="ascii")
        except OSError:
            for pid in _read(folder / "cgroup.procs").split():
                with contextlib.suppress(OSError):
                    os.kill(int(pid), signal.SIGKILL)


def remove(folders: tuple[Path, ...]) -> bool:
    """Remove the groups that are empty; tell whether all are gone."""
    gone = True
    for folder in folders:
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            gone = False
    return gone


def sweep(hierarchy: Hierarchy) -> None:
    """Kill and remove the groups of referees that no longer run.

    The kernel has ended the bots of a container that is gone, but has left their groups. An empty
    one can go, unless a referee in another container has made it just now and is about to fill it.
    """
    names = {folder.name for base in hierarchy.bases for folder in base.glob("rh-*")}
    for name in names:
        owner = Owner.parse(name)
        folders = tuple(base / name for base in hierarchy.bases)
        if owner is None:
            continue
        if owner.is_dead():
            end_all(folders)
        elif not owner.is_near() and _youngest(folders) > FILLED_SECONDS:
            remove(folders)


def end_all(folders: tuple[Path, ...]) -> None:
    """Kill what is in the groups and remove them, waiting for it."""
    deadline = time.monotonic() + END_SECONDS
    while not remove(folders) and time.monotonic() < deadline:
        kill_all(folders)
        time.sleep(0.002)


def _youngest(folders: tuple[Path, ...]) -> float:
    """Return the age of the youngest of these folders, in seconds."""
    made = [folder.stat().st_mtime for folder in folders if folder.exists()]
    return time.time() - max(made, default=0.0)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _put(path: Path, value: bytes) -> bool:
    """Write a file that may not be there; say whether it was."""
    try:
        _overwrite(path, value)
    except OSError:
        return False
    return True


def _overwrite(path: Path, value: bytes) -> None:
    # No file of this kind may be made where the kernel has none.
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, value)
    finally:
        os.close(descriptor)


def _full_pressure(text: str) -> timedelta | None:
    """Return the total of the line ``full avg10=... total=...``; None if there is none."""
    for line in text.splitlines():
        if line.startswith("full "):
            return timedelta(microseconds=int(line.rpartition("=")[2]))
    return None


def _keyed(text: str, key: str) -> int:
    """Return one value of a file of ``key value`` lines; 0 if it is not there."""
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0
