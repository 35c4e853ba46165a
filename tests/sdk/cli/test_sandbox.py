"""Playing under a referee: the games of local play, verdicts with evidence, nothing left over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from roundhouse.replay import read_log, verify
from tests.sdk.cli.test_play import RAISES, rows, write_bot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome

PRINTS = """
print("I only print")
"""


@pytest.fixture(autouse=True)
def trusted(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the referee run plain processes: what the sandbox holds is the referee's own to test."""
    monkeypatch.setenv("ROUNDHOUSE_SANDBOX", "trusted")
    return here


def test_the_games_are_those_that_are_played_in_process(
    here: Path, roundhouse: Callable[..., Outcome]
) -> None:
    words = ("play", "greedy", "hoarder", "--games", 3, "--seed", 5, "--edition", "tiny")
    here_played = roundhouse(*words)
    refereed = roundhouse(*words, "--sandbox", "--log-dir", "logs")
    assert (refereed.code, refereed.err) == (0, "")
    assert "No isolation: the bots are plain processes" in refereed.out
    assert rows(refereed.out) == rows(here_played.out)
    logs = [read_log(path) for path in (here / "logs").iterdir()]
    assert len(logs) == 3
    assert all(verify(log).ok for log in logs)
    assert {log.host.driver for log in logs} == {"trusted"}


def test_check_plays_under_a_referee_where_one_can_be_had(
    roundhouse: Callable[..., Outcome],
) -> None:
    outcome = roundhouse("check", "greedy")
    assert (outcome.code, outcome.err) == (0, "")
    assert "is ready to be submitted" in outcome.out
    assert "in this process" not in outcome.out


@pytest.mark.parametrize(
    ("code", "evidence"),
    [(RAISES + "from roundhouse import serve\nserve(Raises())\n", "no idea"), (PRINTS, "I only")],
    ids=["raises", "only prints"],
)
def test_check_refuses_a_bot_that_forfeits_and_shows_what_it_printed(
    here: Path, code: str, evidence: str
) -> None:
    write_bot(here / "mine", code)
    checked = subprocess.run(  # a process of its own: gRPC's core must keep silent there
        [sys.executable, "-m", "roundhouse.cli", "check", "mine"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 1
    assert checked.stderr == "roundhouse: mine would not be accepted: it forfeited its game.\n"
    assert evidence in checked.stdout


def test_a_named_referee_that_does_not_answer_is_one_sentence(
    here: Path, roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDHOUSE_REFEREE_TARGETS", f"unix:{here}/none.sock,127.0.0.1:1")
    outcome = roundhouse("play", "greedy", "greedy", "--sandbox")
    assert outcome.code == 1
    assert outcome.err.startswith(f"roundhouse: No referee answers at unix:{here}/none.sock")
    assert outcome.err.count("\n") == 1


def test_a_referee_that_cannot_start_gives_its_own_sentence(
    roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDHOUSE_SANDBOX", "none such")
    outcome = roundhouse("play", "greedy", "greedy", "--sandbox")
    assert outcome.code == 1
    assert "No referee can be had" in outcome.err
    assert "ROUNDHOUSE_SANDBOX" in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("number", "code", "err"),
    [
        (signal.SIGINT, 130, "roundhouse: Interrupted.\n"),
        (signal.SIGTERM, 143, "roundhouse: Terminated.\n"),
    ],
    ids=["Ctrl-C", "SIGTERM"],
)
@pytest.mark.parametrize("mode", ["in process", "starting a referee", "under a referee"])
def test_an_interrupted_match_ends_at_once_and_leaves_no_process(
    here: Path, mode: str, number: signal.Signals, code: int, err: str
) -> None:
    words = ["play", "planner", "planner", "--games", "10000", "--log-dir", "logs"]
    if mode != "in process":
        words.append("--sandbox")
    process = subprocess.Popen(
        [sys.executable, "-m", "roundhouse.cli", *words],
        cwd=here,
        env={**os.environ, "TMPDIR": str(here)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    started = (lambda: _descendants(process)) if mode == "starting a referee" else _has_log(here)
    deadline = time.monotonic() + 60
    while not started() and time.monotonic() < deadline:
        time.sleep(0.05)
    children = _descendants(process)
    try:
        assert bool(children) is (mode != "in process")
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (code, err)
        _, alive = psutil.wait_procs(children, timeout=5)
        assert alive == []
    finally:
        process.kill()
        process.communicate()
    assert [path.name for path in here.iterdir() if path.name.startswith("roundhouse-")] == []


def _has_log(folder: Path) -> Callable[[], bool]:
    return lambda: any(folder.glob("logs/*.log.gz"))


def _descendants(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)
