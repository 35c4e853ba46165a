"""Our own programs as a user runs them, with their output read line by line."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from tests import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PATIENCE_SECONDS = 120.0


class Program:
    """A running program of ours."""

    def __init__(self, process: subprocess.Popen[str], marker: str) -> None:
        self.process = process
        self.marker = marker
        self.printed = ""
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, text: str) -> str:
        """Wait for a line that holds the text and return it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
            except queue.Empty:
                raise AssertionError(f"{text!r} was not printed, but:\n{self.printed}") from None
            if line == "":
                raise AssertionError(f"{text!r} was never printed, but:\n{self.printed}")
            if text in line:
                return line

    def wait_until(self, condition: Callable[[], object]) -> None:
        """Look at the processes again and again until a condition holds."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert self.process.poll() is None, self.printed
            assert time.monotonic() < deadline, self.printed
            processes.wait_for_end(self.process.pid, 0.02)

    def wait(self) -> int:
        """Wait for the end; return the exit code."""
        code = self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        return code

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed += line
            self._lines.put(line)
        self._lines.put("")


def running(
    folder: Path, *arguments: str, **environment: str
) -> contextlib.AbstractContextManager[Program]:
    """Run `python -m ladder` in a folder, marked; whatever is left of it at the end is killed."""
    return running_command(
        [sys.executable, "-m", "ladder", *arguments], folder, TMPDIR=str(folder), **environment
    )


@contextlib.contextmanager
def running_command(command: Sequence[str], folder: Path, **environment: str) -> Iterator[Program]:
    """Run a command in a folder, marked; whatever is left of it at the end is killed."""
    marker = uuid.uuid4().hex
    kept = {name: os.environ[name] for name in os.environ if not name.startswith("ROUNDHOUSE_")}
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=kept | {"PYTHONUNBUFFERED": "1", processes.MARKER: marker} | environment,
    ) as process:
        program = Program(process, marker)
        try:
            yield program
        finally:
            for process_id in processes.marked(marker):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process_id, 9)


@contextlib.contextmanager
def short_folder() -> Iterator[Path]:
    """Make a folder whose path leaves room for the sockets in it, unlike pytest's."""
    with tempfile.TemporaryDirectory(prefix="rh-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
