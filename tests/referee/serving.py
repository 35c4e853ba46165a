"""A real referee service for tests, and lanes for it to play."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Self

import grpc
import pytest

from referee.sandbox import SandboxSettings, SandboxUnavailable, choose_driver
from roundhouse.api.game.v1.verdict_pb2 import ABORT_REASON_OVERLOAD
from roundhouse.api.referee.v1.match_pb2 import (
    DescribeHostRequest,
    LaneGame,
    LaneSeat,
    PlayLaneRequest,
    PlayLaneResponse,
)
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash, pack
from roundhouse.replay import load_log, verify
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from roundhouse.api.game.v1.log_pb2 import GameLog
    from roundhouse.api.game.v1.verdict_pb2 import Forfeit

EXAMPLES = Path(__file__).parents[2] / "sdk" / "examples"
PATIENT = TimeControl(
    bank=timedelta(seconds=60),
    increment=timedelta(milliseconds=100),
    margin=timedelta(milliseconds=250),
    decision_cap=timedelta(seconds=20),
    start_up=timedelta(seconds=20),
)
"""So that no bot of a test loses by a machine that is busy with something else."""
HURRIED = replace(PATIENT, decision_cap=timedelta(seconds=2))
"""For tests of bots that hang; as short as a busy machine allows the others."""
MOST_TRIES = 5
"""Of a lane on a machine that is busy with other tests."""
CHANNEL_OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_http_proxy", 0),
)


@dataclass(slots=True)
class Referee:
    """`python -m referee serve`, listening on a Unix socket."""

    folder: Path
    process: subprocess.Popen[bytes]
    target: str

    @classmethod
    def start(cls, folder: Path, *arguments: str, **environment: str) -> Self:
        """Start it and wait until it answers."""
        target = f"unix:{folder / 'r.sock'}"
        ours = {
            "ROUNDHOUSE_REFEREE_LISTEN": target,
            "ROUNDHOUSE_SANDBOX_STATE": str(folder / "sandbox"),
            "ROUNDHOUSE_REFEREE_WARM_LANES": "0",
        }
        with (folder / "referee.log").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "referee", "serve", *arguments],
                env={**os.environ, **ours, **environment},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        referee = cls(folder, process, target)
        with referee.channel() as channel:
            ready = grpc.channel_ready_future(channel)
            ready.result(timeout=30)
        return referee

    @property
    def output(self) -> str:
        """What it has printed."""
        return (self.folder / "referee.log").read_text(encoding="utf-8")

    def channel(self) -> grpc.Channel:
        return grpc.insecure_channel(self.target, CHANNEL_OPTIONS)

    def play(self, request: PlayLaneRequest) -> list[PlayLaneResponse]:
        """Play a lane to its end; again, as a worker would, if this machine was too busy for it."""
        for _ in range(MOST_TRIES):
            with self.channel() as channel:
                responses = list(MatchServiceStub(channel).PlayLane(request, timeout=120))
            aborts = {response.game_aborted.reason for response in responses}
            if ABORT_REASON_OVERLOAD not in aborts:
                break
        return responses

    def busy(self) -> int:
        with self.channel() as channel:
            return MatchServiceStub(channel).DescribeHost(DescribeHostRequest(), timeout=10).busy

    def children(self) -> list[int]:
        """Return the processes of its lanes."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for task in tasks for pid in task.read_text(encoding="ascii").split()]

    def stop(self) -> int:
        """Stop it as a terminal or a supervisor would, and return its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=20)


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one game."""

    log: GameLog
    forfeits: list[Forfeit]

    @property
    def placements(self) -> list[int]:
        return [standing.placement for standing in self.log.standings]


def lane(
    *bots: Path, games: int = 1, control: TimeControl = PATIENT, edition: str = "tiny"
) -> PlayLaneRequest:
    """Return a lane between the bots in these folders."""
    archives = [pack(bot) for bot in bots]
    return PlayLaneRequest(
        lane_id="test",
        edition=edition,
        time_control=encode_time_control(control),
        seats=[
            LaneSeat(bot=bot.name, version=content_hash(archive), archive=archive)
            for bot, archive in zip(bots, archives, strict=True)
        ],
        games=[
            LaneGame(game_id=f"game-{number}", seed=bytes([number]) * 32) for number in range(games)
        ],
    )


def finished(responses: Sequence[PlayLaneResponse]) -> list[Played]:
    """Return the games, every one of which must have ended and left a log that holds."""
    return list(_finished(responses))


def _finished(responses: Sequence[PlayLaneResponse]) -> Iterator[Played]:
    for response in responses:
        assert not response.HasField("game_aborted"), response.game_aborted.sentence
        if response.HasField("game_finished"):
            game = response.game_finished
            log = load_log(game.log)
            assert verify(log).ok, verify(log).sentence
            yield Played(log, list(game.forfeits))


@contextlib.contextmanager
def sandbox_folder() -> Iterator[Path]:
    """Make a folder that the bots' uids can reach; skip where bots can't be held, in CI fail."""
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        try:
            choose_driver(SandboxSettings("bubblewrap", folder / "sandbox"))
        except SandboxUnavailable as error:
            if os.environ.get("CI") == "true":
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield folder


def bots_alive(referee: Referee) -> list[str]:
    """Name the processes that run in a folder of the referee's lanes."""
    alive = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            folder = str((process / "cwd").readlink())
            if folder.startswith(str(referee.folder)):
                alive.append(f"{process.name} in {folder}")
    return alive


def wait_until(condition: object, seconds: float = 5.0) -> None:
    """Wait for another process to do what it must."""
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds:g} s"
        time.sleep(0.01)
