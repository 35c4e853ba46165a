"""Lanes that wait for somebody to ask: they are used, replaced, and gone when the referee is."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from roundhouse.api.referee.v1.match_pb2 import DescribeHostRequest, DescribeHostResponse
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from tests.referee.serving import EXAMPLES, Referee, finished, lane, sandbox_folder, wait_until
from tests.referee.test_misbehaving import folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator

RANDOM, GREEDY = EXAMPLES / "random", EXAMPLES / "greedy"
LONG_ENOUGH = 60.0
"""Seconds, after which a lane that has not been started never will be."""


@contextmanager
def serving(folder: Path, *arguments: str, lanes: int = 1) -> Iterator[Referee]:
    referee = Referee.start(folder, *arguments, ROUNDHOUSE_REFEREE_WARM_LANES=str(lanes))
    try:
        yield referee
    finally:
        assert referee.stop() == 0, referee.output


def waiting(referee: Referee, count: int = 1) -> list[int]:
    """Wait for so many lanes, and return their processes."""
    wait_until(lambda: len(referee.children()) == count, seconds=LONG_ENOUGH)
    return referee.children()


def test_a_lane_that_waits_plays_and_is_replaced(short_folder: Path) -> None:
    with serving(short_folder, "--trusted") as referee:
        (first,) = waiting(referee)
        for _ in range(2):
            (game,) = finished(referee.play(lane(RANDOM, GREEDY)))
            assert game.forfeits == []
        (second,) = waiting(referee)
        assert second != first
    assert not Path(f"/proc/{second}").exists()


def test_a_lane_that_ends_while_it_waits_is_replaced(short_folder: Path) -> None:
    with serving(short_folder, "--trusted", lanes=2) as referee:
        lanes = waiting(referee, 2)
        os.kill(lanes[0], signal.SIGKILL)
        wait_until(lambda: lanes[0] not in referee.children(), seconds=LONG_ENOUGH)
        assert lanes[1] in waiting(referee, 2)
        assert "Traceback" not in referee.output


def test_no_lane_waits_where_none_is_wanted(short_folder: Path) -> None:
    with serving(short_folder, "--trusted", lanes=0) as referee:
        assert len(finished(referee.play(lane(RANDOM, GREEDY)))) == 1
        assert referee.children() == []


def test_a_killed_referee_leaves_no_lane_waiting(short_folder: Path) -> None:
    referee = Referee.start(short_folder, "--trusted", ROUNDHOUSE_REFEREE_WARM_LANES="1")
    (pid,) = waiting(referee)
    referee.process.kill()
    referee.process.wait()
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), seconds=LONG_ENOUGH)


@pytest.fixture
def sandboxes() -> Iterator[Path]:
    """A folder that the bots' uids can reach, on a machine that has sandboxes."""
    with sandbox_folder() as folder:
        yield folder


def test_bots_of_a_lane_that_waited_run_in_sandboxes_that_waited(
    sandboxes: Path, tmp_path: Path
) -> None:
    bot = folder_of("crashes_in_mid_game", tmp_path)
    script = bot / "bot.py"
    script.write_text(f"print(open('/proc/self/cmdline').read())\n{script.read_text()}")
    with serving(sandboxes) as referee:
        wait_until(lambda: len(interpreters(referee)) == 2, seconds=LONG_ENOUGH)
        request = lane(bot, RANDOM, games=2)
        request.rated = True
        first, second = finished(referee.play(request))
        assert b"/opt/roundhouse/boot.py" in first.forfeits[0].output_tail
        # Where none is left, as after the forfeit, a bot starts as it always did.
        assert b"bot.py" in second.forfeits[0].output_tail
        assert b"boot.py" not in second.forfeits[0].output_tail
    assert list((sandboxes / "sandbox" / "run").iterdir()) == []


def test_a_killed_referee_leaves_no_prepared_sandbox(sandboxes: Path) -> None:
    referee = Referee.start(sandboxes, ROUNDHOUSE_REFEREE_WARM_LANES="1")
    wait_until(lambda: len(interpreters(referee)) == 2, seconds=LONG_ENOUGH)
    assert described(referee).waiting == 1
    assert described(referee).waiting_memory > 2**20
    referee.process.kill()
    referee.process.wait()
    wait_until(lambda: interpreters(referee) == [], seconds=LONG_ENOUGH)


def described(referee: Referee) -> DescribeHostResponse:
    with referee.channel() as channel:
        return MatchServiceStub(channel).DescribeHost(DescribeHostRequest(), timeout=10)


def interpreters(referee: Referee) -> list[int]:
    """Return the processes that wait for a bot, in any sandbox of the referee's."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_one = (process / "cmdline").read_bytes() == b"python3\0/opt/roundhouse/boot.py\0"
            if is_one and str(referee.folder) in (process / "mountinfo").read_text():
                found.append(int(process.name))
        except OSError:  # it has ended meanwhile
            continue
    return found
