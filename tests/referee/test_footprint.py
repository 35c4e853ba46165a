"""What a process and its children hold is counted, as far as the kernel tells."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from referee.footprint import memory_of

if TYPE_CHECKING:
    from pathlib import Path

MIB = 2**20
HOLDS = "import sys; kept = b'x' * (int(sys.argv[1]) << 20); print(flush=True); sys.stdin.read()"
HOLDS_MORE = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {HOLDS!r}, "64"], stdin=subprocess.PIPE)
{HOLDS}
child.communicate()
"""


def test_a_process_is_counted_with_its_children() -> None:
    command = [sys.executable, "-c", HOLDS_MORE, "32"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdout is not None
        for _ in range(2):  # a line of each
            process.stdout.readline()
        held = memory_of(process.pid)
        assert 96 * MIB < held < 96 * MIB + 200 * MIB
        process.communicate()


def test_a_process_that_has_ended_holds_nothing() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
        assert memory_of(process.pid) == 0


def test_where_shared_pages_cannot_be_told_apart_all_of_them_count(tmp_path: Path) -> None:
    for pid, children, kib in ((1, "2 3", 10), (2, "", 20), (3, "", 40)):
        folder = tmp_path / str(pid)
        (folder / "task" / str(pid)).mkdir(parents=True)
        (folder / "task" / str(pid) / "children").write_text(children)
        (folder / "status").write_text(f"Name:\tx\nVmRSS:\t{kib} kB\n")
    (tmp_path / "3" / "smaps_rollup").write_text("Rss: 40 kB\nPss: 5 kB\n")
    assert memory_of(1, tmp_path) == (10 + 20 + 5) * 1024


def test_this_very_process_holds_something() -> None:
    assert memory_of(os.getpid()) > MIB
