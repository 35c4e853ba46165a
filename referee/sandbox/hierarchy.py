"""Which control groups this machine has, and where ours may stand."""

from __future__ import annotations

import contextlib
import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONTROLLERS = ("memory", "pids", "cpu", "cpuacct", "freezer")
LEAF = "roundhouse-referee"
"""On pure v2 a group that gives controllers to its children may hold no process itself, so the
referee moves into this child of its own group; a lane that it starts finds itself there."""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Where groups for bots are made, by controller.

    ``unified`` is the folder that can kill, freeze and count a whole group: the group itself on
    v2, the tree without controllers on a hybrid machine, None on pure v1.
    """

    version: int
    folders: Mapping[str, Path]
    unified: Path | None

    @property
    def bases(self) -> tuple[Path, ...]:
        """Return every folder below which a bot has a group, each once."""
        unified = () if self.unified is None else (self.unified,)
        return tuple(dict.fromkeys((*self.folders.values(), *unified)))

    @property
    def has_meter(self) -> bool:
        """Tell whether the processor time of a group is counted."""
        return self.unified is not None or "cpuacct" in self.folders

    def describe(self) -> str:
        """Name the kind of machine for the log."""
        if self.version == 2:
            return "v2"
        return "v1" if self.unified is None else "v1 hybrid"


def find_hierarchy(proc: Path = Path("/proc/self"), *, is_whole: bool = False) -> Hierarchy | None:
    """Find the groups that we may divide; None where there are none (not root, say).

    Groups are made below our own, so that what bounds the referee bounds its bots. With
    ``is_whole`` trees of v1 that we have no use for are there as well: container runtimes make
    groups in all of them, which we then remove.
    """
    try:
        mounts = dict(_mounts(proc / "mountinfo"))
        own = dict(_own_groups(proc / "cgroup"))
    except OSError:
        return None
    unified = _folder(mounts, own, "")
    # What the v2 tree does better needs no group of its own.
    names = [name for name in CONTROLLERS if unified is None or name != "freezer"]
    if is_whole:
        names = [name for name in own if name]
    found = ((name, _folder(mounts, own, name)) for name in names)
    folders = {name: folder for name, folder in found if folder is not None}
    if folders:
        return Hierarchy(1, folders, unified)
    if unified is None:
        return None
    if unified.name == LEAF:
        unified = unified.parent
    return _delegated(unified)


def _mounts(path: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the root and the mount point of each controller's tree; "" is the v2 tree."""
    for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        root, point = left.split()[3:5]
        if kind == "cgroup2":
            yield "", (root, point)
        elif kind == "cgroup":
            yield from ((name, (root, point)) for name in options.split(","))


def _own_groups(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        _, names, group = line.split(":", 2)
        yield from ((name, group) for name in names.split(","))


def _folder(
    mounts: Mapping[str, tuple[str, str]], own: Mapping[str, str], name: str
) -> Path | None:
    """Return our own group's folder in one tree, if we may make groups in it."""
    if name not in mounts or name not in own:
        return None
    root, point = mounts[name]
    # In a container without a cgroup namespace the mount shows a part of the tree only.
    below = own[name].removeprefix(root) if root != "/" else own[name]
    folder = Path(point) / below.lstrip("/")
    return folder if folder.is_dir() and os.access(folder, os.W_OK) else None


def _delegated(folder: Path) -> Hierarchy | None:
    """Give the controllers of a v2 group to its children; None if that is not ours to do."""
    wanted = set((folder / "cgroup.controllers").read_text(encoding="ascii").split())
    wanted &= set(CONTROLLERS)
    control = folder / "cgroup.subtree_control"
    order = " ".join(f"+{name}" for name in sorted(wanted))
    try:
        if not wanted <= set(control.read_text(encoding="ascii").split()):
            try:
                control.write_text(order, encoding="ascii")
            except OSError as error:
                if error.errno != errno.EBUSY or not _is_ours(folder):
                    return None
                _move_into_leaf(folder)
                control.write_text(order, encoding="ascii")
    except OSError:
        return None
    return Hierarchy(2, dict.fromkeys(sorted(wanted), folder), folder)


def _is_ours(folder: Path) -> bool:
    """Tell whether all processes in a v2 group are ours to move.

    They are where systemd says so (``Delegate=yes``), and in a container's own tree.
    """
    for attribute in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, attribute) == b"1":
                return True
    is_top = not (folder.parent / "cgroup.procs").exists()
    return is_top and (folder / "cgroup.type").exists()


def _move_into_leaf(folder: Path) -> None:
    leaf = folder / LEAF
    leaf.mkdir(exist_ok=True)
    for pid in (folder / "cgroup.procs").read_text(encoding="ascii").split():
        with contextlib.suppress(OSError):  # ended meanwhile
            (leaf / "cgroup.procs").write_text(pid, encoding="ascii")
