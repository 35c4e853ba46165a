"""What a terminal sees: a progress bar there, and the result alone in a pipe, in any encoding."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = [sys.executable, "-m", "roundhouse.cli", "play", "greedy", "random", "--edition", "tiny"]


def test_progress_is_for_the_terminal_and_the_pipe_gets_the_result_alone(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    try:
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        environment.pop("NO_COLOR", None)
        played = subprocess.run(
            COMMAND,
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=True,
        )
        shown = os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "games" in shown
    assert "0/10" in shown
    out = played.stdout.decode()
    assert "10 games of tiny" in out
    assert "\x1b" not in out


def test_a_pipe_gets_no_progress_and_an_encoding_without_lines_gets_plain_ones(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    played = subprocess.run(COMMAND, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert played.stderr == b""
    assert played.stdout.isascii()


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "roundhouse.cli", "rules"]
    reader = subprocess.Popen(["true"], stdin=subprocess.PIPE)
    reader.wait()
    played = subprocess.run(
        words, cwd=tmp_path, stdout=reader.stdin, stderr=subprocess.PIPE, check=False
    )
    assert reader.stdin is not None
    reader.stdin.close()
    assert played.stderr == b""
