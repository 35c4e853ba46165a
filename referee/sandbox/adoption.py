"""Becoming the parent of what a killed process leaves behind, so that somebody reaps it at once.

A sandbox that is killed loses its outermost process and its first one in the same moment. The first
one then falls to the machine's init, and stays defunct, counted against limits of processes, until
that comes round to it; in a container that may be never.
"""

from __future__ import annotations

import contextlib
import ctypes
import os

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
