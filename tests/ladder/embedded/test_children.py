"""Children, each held by a process of its own that starts them and tells what became of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import processes

if TYPE_CHECKING:
    from collections.abc import Iterator

PARENT = """
import os, signal, sys
from pathlib import Path
from ladder.embedded.children import Children, ChildEndedError, Stopped

folder, program = Path(sys.argv[1]), sys.argv[2]
try:
    with Children(folder) as children:
        children.start("child", [sys.executable, "-c", program, str(folder)], os.environ)
        print("started", flush=True)
        children.rest()
except Stopped:
    print("stopped")
except ChildEndedError as error:
    print(error)
"""
SLEEPER = "import signal; signal.pause()"
DEAF = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
while True: signal.pause()
"""
DAEMON = """
import os, signal, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() != 0: os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True: signal.pause()
os.wait()
print("ready", flush=True)
signal.pause()
"""
FAILING = "import sys; print('no money left'); sys.exit(3)"


class Parent:
    """The process that holds the children."""

    def __init__(self, folder: Path, program: str) -> None:
        self.marker = uuid.uuid4().hex
        self.log = folder / "child.log"
        self.process = subprocess.Popen(
            [sys.executable, "-c", PARENT, str(folder), program],
            env=os.environ | {processes.MARKER: self.marker},
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )

    def wait_for_start(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "started\n"

    def wait_for_log(self, text: str) -> None:
        while text not in self.log.read_text():
            processes.wait_for_end(self.process.pid, 0.02)

    def end(self, number: signal.Signals | None = None) -> str:
        if number is not None:
            self.process.send_signal(number)
        printed, _ = self.process.communicate(timeout=60)
        return printed


@pytest.fixture
def parents() -> Iterator[list[Parent]]:
    parents: list[Parent] = []
    yield parents
    for parent in parents:
        parent.process.kill()
        parent.process.communicate()
        assert processes.wait_until_gone(parent.marker) == {}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_block_and_the_children(
    number: signal.Signals, tmp_path: Path, parents: list[Parent]
) -> None:
    parents.append(parent := Parent(tmp_path, SLEEPER))
    parent.wait_for_start()
    assert parent.end(number) == "stopped\n"
    assert processes.marked(parent.marker) == {}


def test_a_child_that_will_not_stop_is_killed(tmp_path: Path, parents: list[Parent]) -> None:
    parents.append(parent := Parent(tmp_path, DEAF))
    parent.wait_for_start()
    parent.wait_for_log("deaf")
    assert parent.end(signal.SIGTERM) == "stopped\n"
    assert processes.marked(parent.marker) == {}


def test_a_grandchild_that_made_itself_a_daemon_is_found(
    tmp_path: Path, parents: list[Parent]
) -> None:
    parents.append(parent := Parent(tmp_path, DAEMON))
    parent.wait_for_start()
    parent.wait_for_log("ready")
    assert len(processes.marked(parent.marker)) == 3
    assert parent.end(signal.SIGINT) == "stopped\n"
    assert processes.marked(parent.marker) == {}


def test_a_child_dies_with_a_killed_parent(tmp_path: Path, parents: list[Parent]) -> None:
    parents.append(parent := Parent(tmp_path, DEAF))
    parent.wait_for_start()
    parent.wait_for_log("deaf")
    parent.end(signal.SIGKILL)
    assert processes.wait_until_gone(parent.marker) == {}


def test_the_end_of_a_child_is_told_with_its_last_words(
    tmp_path: Path, parents: list[Parent]
) -> None:
    parents.append(parent := Parent(tmp_path, FAILING))
    parent.wait_for_start()
    assert parent.end() == (
        f"The child ended by itself (exit code 3); the end of {tmp_path}/child.log:\n"
        "  no money left\n"
    )


SWALLOWING = """
import os, signal, sys, time
from pathlib import Path
from ladder.embedded.children import Children, ChildEndedError, Stopped

class Garbage:
    def __del__(self):
        {during}

sys.unraisablehook = lambda _: None
try:
    with Children(Path(sys.argv[1])) as children:
        children.start("child", [sys.executable, "-c", {program!r}], os.environ)
        garbage = Garbage()
        del garbage
        children.rest()
except (Stopped, ChildEndedError) as end:
    print(type(end).__name__)
"""


@pytest.mark.parametrize(
    ("during", "program", "end"),
    [
        ("time.sleep(20)", FAILING, "ChildEndedError"),
        ("os.kill(os.getpid(), signal.SIGTERM)", SLEEPER, "Stopped"),
    ],
)
def test_an_end_that_comes_while_garbage_is_collected_is_heard_all_the_same(
    tmp_path: Path, during: str, program: str, end: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWING.format(during=during, program=program), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout == f"{end}\n", done.stderr
