"""Kill the referee at random moments, and see that no bot outlives it.

    python -m bench.kills [--kills N] [--seed S]

A real referee with bubblewrap plays lanes of bots that behave, hang, ignore signals and leave
daemons; `kill -9` ends it at a moment that the seed says: while sandboxes are made, while bots
play, between two games. Then it waits until no process of the bots' uids is left. At the end one
more referee starts, which sweeps what the dead ones left, and what is still there is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import grpc

from bench.flood import archive_of
from bench.leaks import CONTROL, descendants, uids
from referee.sandbox.owner import Owner
from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator

    from roundhouse.api.referee.v1.match_pb2 import PlayLaneResponse

BOTS = ("steady", "hangs", "ignores_sigterm", "forks_a_daemon")
LATEST_SECONDS = 4.0
"""After the lanes were asked for: long enough that bots play on most machines."""
PATIENCE_SECONDS = 30.0
"""For the last process to be gone. The kernel needs milliseconds."""
LOOK_SECONDS = 0.005
LANES = 2
UIDS = 62_000
"""The bots' own, so that nobody else's are counted."""


@dataclass(slots=True)
class Killed:
    """What was there when a referee was killed, and how long it took to be gone."""

    alive: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    groups: set[Path] = field(default_factory=set)
    """Control groups that were there then."""
    outlived: int = 0
    """Processes of bots that were still there when patience ended."""
    left: dict[str, int] = field(default_factory=dict)
    """After the sweep of one more referee."""


def bots_alive() -> int:
    """Count the processes of the bots' uids."""
    return sum(1 for uid in uids() if UIDS <= uid < UIDS + 256)


def lane(at: Path, bot: str) -> PlayLaneRequest:
    """Return a lane of a bot against a steady one."""
    archives = [archive_of(name, at) for name in (bot, "steady")]
    control = replace(
        CONTROL, decision_cap=CONTROL.bank
    )  # one that hangs does so until it is killed
    return PlayLaneRequest(
        lane_id="killed",
        edition="tiny",
        time_control=encode_time_control(control),
        seats=[LaneSeat(version=content_hash(archive), archive=archive) for archive in archives],
        games=[LaneGame(game_id=f"g-{n}", seed=n.to_bytes(32, "big")) for n in range(50)],
        rated=True,
    )


@contextlib.asynccontextmanager
async def referee(at: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start a referee that answers; it is killed at the end."""
    settings = {
        "ROUNDHOUSE_REFEREE_LISTEN": f"unix:{at / 'r.sock'}",
        "ROUNDHOUSE_SANDBOX_STATE": str(at / "sandbox"),
        "ROUNDHOUSE_REFEREE_LANES": str(LANES),
        "ROUNDHOUSE_SANDBOX_UID_FIRST": str(UIDS),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-P", "-m", "referee", "serve"),
        env={**os.environ, **settings},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with grpc.aio.insecure_channel(f"unix:{at / 'r.sock'}") as channel:
            await asyncio.wait_for(channel.channel_ready(), 60)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def play(at: Path, requests: list[PlayLaneRequest]) -> None:
    """Play lanes until the referee is gone."""

    async def one(service: MatchServiceStub, request: PlayLaneRequest) -> None:
        call = cast("AsyncIterable[PlayLaneResponse]", service.PlayLane(request))
        with contextlib.suppress(grpc.aio.AioRpcError):
            async for _ in call:
                pass

    async with grpc.aio.insecure_channel(f"unix:{at / 'r.sock'}") as channel:
        service = MatchServiceStub(channel)
        await asyncio.gather(*(one(service, request) for request in requests))


async def gone(killed: Killed) -> None:
    """Wait until no bot is left, and note how long that took."""
    began = time.monotonic()
    while count := bots_alive():
        if time.monotonic() - began > PATIENCE_SECONDS:
            killed.outlived += count
            return
        await asyncio.sleep(LOOK_SECONDS)
    killed.seconds.append(time.monotonic() - began)


async def kill_often(at: Path, kills: int, rng: random.Random) -> Killed:
    """Start, play, kill and look, so many times; then let one more referee sweep."""
    killed = Killed()
    bots = itertools.cycle(BOTS)
    for _ in range(kills):
        requests = [lane(at, next(bots)) for _ in range(LANES)]
        async with referee(at) as process:
            playing = asyncio.create_task(play(at, requests))
            await asyncio.sleep(rng.uniform(0, LATEST_SECONDS))
            killed.alive.append(bots_alive())
            killed.groups |= groups_of(process.pid)
            process.kill()
            await process.wait()
            await gone(killed)
            await playing
    async with referee(at) as process:  # sweeps before it answers
        process.terminate()
        await process.wait()
        await gone(killed)
        runs = at / "sandbox" / "run"
        killed.left = {
            "processes of the bots' uids": bots_alive(),
            "control groups": sum(1 for group in killed.groups if group.exists()),
            "files of lanes": len(list(runs.rglob("*"))),
        }
    return killed


def groups_of(referee: int) -> set[Path]:
    """Return the control groups that a referee's lanes have made."""
    ours = {*descendants(referee), referee}
    found = Path("/sys/fs/cgroup").glob("**/rh-*")
    return {group for group in found if (by := Owner.parse(group.name)) and by.pid in ours}


def main() -> None:
    """Read the command line, kill, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        killed = asyncio.run(kill_often(folder, arguments.kills, random.Random(arguments.seed)))
    busy = sum(1 for alive in killed.alive if alive)
    print(
        f"{arguments.kills} kills, seed {arguments.seed}, load {os.getloadavg()[0]:.1f}: bots were"
        f" there at {busy} of them, {max(killed.alive)} processes at the most"
    )
    print(
        f"gone after {statistics.median(killed.seconds) * 1000:.0f} ms (median),"
        f" {max(killed.seconds) * 1000:.0f} ms (longest); outlived their referee: {killed.outlived}"
    )
    print(f"control groups seen: {len(killed.groups)}")
    for what, count in killed.left.items():
        print(f"{what:<32}{count:>6} left after one more start")
    sys.exit(bool(killed.outlived or any(killed.left.values())))


if __name__ == "__main__":
    main()
