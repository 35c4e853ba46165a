"""Becoming the parent of what a killed process leaves behind, so that somebody reaps it at once.

A sandbox that is killed loses its outermost process and its first one in the same moment. The first
one then falls to the machine's init, and stays defunct, counted against limits of processes, until
that comes round to it; in a container that may be never.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
"""Of ``linux/prctl.h``."""


def adopt_orphans(*, is_wanted: bool = True) -> bool:
    """Let what our descendants leave behind fall to us from now on; say whether that is so.

    Whoever calls this must `reap` it. It ends with the process and is not inherited.
    """
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):  # not Linux
        return False
    return bool(prctl(PR_SET_CHILD_SUBREAPER, int(is_wanted), 0, 0, 0) == 0)


def reap(pid: int) -> None:
    """Take note of the end of an orphan that has ended; nothing happens if it is not ours."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def orphans_of(group: str) -> set[int]:
    """Return those of our children that are, or were until they ended, in a control group.

    Whatever else we have started is in another one, and is waited for by whoever started it. Only
    the v2 tree, which hybrid machines have as well, remembers where a process has ended.
    """
    found = set()
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # ended meanwhile
            for pid in map(int, (thread / "children").read_text(encoding="ascii").split()):
                if f"/{group}" in Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8"):
                    found.add(pid)
    return found
