"""Child processes that never outlive us, and whose end we notice at once.

Three things hold them, each where another fails: we stop them in order; we are the reaper of all
their descendants, so that none escapes by losing its parent; and the kernel kills them when we are
killed and can do neither.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Self

from ladder.embedded import tied
from ladder.errors import LadderError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType, TracebackType

PR_SET_CHILD_SUBREAPER = 36
STOP_SECONDS = 6.0
"""How long the children have to end by themselves; the referee waits for the end of its bots."""
REST_SECONDS = 0.5
TAIL_LINES = 15
_OUR_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """Somebody wants us to stop: Ctrl-C, SIGTERM, or the end of the terminal."""


class ChildEndedError(LadderError):
    """A child ended by itself; the message holds the end of its log."""


class Children:
    """The child processes of this one.

    While the block runs, a signal that asks us to stop raises `Stopped`, and the end of a child
    raises `ChildEndedError`, both in the main thread and wherever it is. When the block has ended,
    there is no process below us.
    """

    def __init__(self, log_folder: Path) -> None:
        self._log_folder = log_folder
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._stops: dict[str, signal.Signals] = {}
        self._before: dict[signal.Signals, object] = {}
        self._raised: BaseException | None = None

    def __enter__(self) -> Self:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        for number in _OUR_SIGNALS:
            self._before[number] = signal.signal(number, self._stop)
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, self._look)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._deafen()
        finally:  # a last signal may have come in between
            self._deafen()
            self._stop_all()
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type] # what it gave us before

    def start(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        stop: signal.Signals = signal.SIGTERM,
    ) -> None:
        """Start a child, in a session of its own so that Ctrl-C reaches us alone.

        Its output goes to the file `name`.log in the log folder. `stop` is the signal that ends it.
        """
        self._stops[name] = stop
        with self.log(name).open("wb") as output:
            self._children[name] = subprocess.Popen(  # noqa: S603 - our own programs
                [sys.executable, "-I", "-S", tied.__file__, str(os.getpid()), *command],
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def rest(self) -> NoReturn:
        """Do nothing until a signal or the end of a child raises.

        Where it has done so before, and nobody has heard, it is raised again: Python swallows what
        is raised while it collects garbage.
        """
        while self._raised is None:
            time.sleep(REST_SECONDS)
        raise self._raised

    def log(self, name: str) -> Path:
        """Return the file that holds a child's output."""
        return self._log_folder / f"{name}.log"

    def _look(self, _number: int, _frame: FrameType | None) -> None:
        """Reap what was left to us, and raise when one of our own has ended."""
        names = {child.pid: name for name, child in self._children.items()}
        with suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid in names:
                    self._complain(names[ended.si_pid])
                os.waitpid(ended.si_pid, 0)

    def _complain(self, name: str) -> NoReturn:
        code = self._children[name].wait()
        how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
        lines = self.log(name).read_text(encoding="utf-8", errors="replace").splitlines()
        tail = "".join(f"\n  {line}" for line in lines[-TAIL_LINES:])
        self._raised = ChildEndedError(
            f"The {name} ended by itself ({how}); the end of {self.log(name)}:{tail}"
        )
        raise self._raised

    def _stop(self, _number: int, _frame: FrameType | None) -> NoReturn:
        self._raised = self._raised or Stopped()
        raise self._raised

    def _deafen(self) -> None:
        """Let nothing interrupt the stopping."""
        for number in _OUR_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        # Not ignored: the kernel would reap the children before we look.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)

    def _stop_all(self) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        for name, child in reversed(self._children.items()):
            child.send_signal(self._stops[name])
        for child in self._children.values():
            with suppress(subprocess.TimeoutExpired):
                child.wait(max(deadline - time.monotonic(), 0))
        _kill_descendants()


def _kill_descendants() -> None:
    """Kill all that is left below us, generation by generation, until nothing is."""
    with suppress(ChildProcessError):  # raised when there are no children any more
        while True:
            for process_id in _child_ids():
                with suppress(ProcessLookupError):
                    os.kill(process_id, signal.SIGKILL)
            os.waitpid(-1, 0)


def _child_ids() -> list[int]:
    """Return our children, those that were left to us included."""
    ours = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            # The name, in parentheses, may hold anything; the parent is the second word after it.
            parent = status.read_text(errors="replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                ours.append(int(status.parent.name))
    return ours
