"""Play games in a row with bots that crash, hang and behave, and see what is left afterwards.

    python -m bench.leaks [--games N] [--lanes N]

A real referee with bubblewrap plays lanes of three games; in every lane a bot that behaves meets
one that crashes, hangs, floods, ends politely, leaves daemons behind or behaves. Before and after,
with one round of each to warm up, it prints what the referee holds of the machine: processes,
descriptors, threads, memory, control groups, mounts and temporary files. Uids and the folder for
temporary files are the bench's own, so that other work on the machine is not counted. A lane with
two sandboxes waits for the next request all the time, and is counted as well.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import grpc

from bench.flood import archive_of
from referee.sandbox.owner import Owner
from roundhouse.api.game.v1.verdict_pb2 import AbortReason, ForfeitReason
from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash
from roundhouse.replay import load_log
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterator

    from roundhouse.api.referee.v1.match_pb2 import PlayLaneResponse

BOTS = (
    "steady",
    "crashes_in_mid_game",
    "hangs",
    "floods_connections",
    "exits_politely",
    "two_answers",
    "takes_memory",
    "forks_a_daemon",
)
GAMES_IN_LANE = 3
CONTROL = replace(TimeControl(), decision_cap=timedelta(seconds=1))
"""So that a bot that hangs does so for a second only."""
LANE_SECONDS = 300
REST_SECONDS = 2.0
REST_LOOKS = 15
"""A referee that does nothing and whose figures still change then is worth looking at."""
UIDS = 61_000


def lanes(at: Path, games: int) -> Iterator[PlayLaneRequest]:
    """Yield lanes of so many games in all."""
    archives = {bot: archive_of(bot, at) for bot in BOTS}
    steady = archives["steady"]
    numbers = iter(range(games))
    for lane, bot in enumerate(itertools.cycle(BOTS)):
        deals = list(itertools.islice(numbers, GAMES_IN_LANE))
        if not deals:
            return
        yield PlayLaneRequest(
            lane_id=f"lane-{lane}",
            edition="tiny",
            time_control=encode_time_control(CONTROL),
            seats=[
                LaneSeat(version=content_hash(archive), archive=archive)
                for archive in (archives[bot], steady)
            ],
            games=[LaneGame(game_id=f"g-{n}", seed=n.to_bytes(32, "big")) for n in deals],
            rated=True,
        )


async def play(target: str, requests: Iterator[PlayLaneRequest], at_once: int) -> Counter[str]:
    """Play the lanes, several at once, and count what became of their games."""
    ended: Counter[str] = Counter()

    async def keep_playing(service: MatchServiceStub) -> None:
        for request in requests:
            call = cast(
                "AsyncIterable[PlayLaneResponse]", service.PlayLane(request, timeout=LANE_SECONDS)
            )
            async for response in call:
                if response.HasField("game_aborted"):
                    reason = AbortReason.Name(response.game_aborted.reason)
                    ended[f"aborted: {reason.removeprefix('ABORT_REASON_')}"] += 1
                if response.HasField("game_finished"):
                    log = load_log(response.game_finished.log)
                    reasons = [e.forfeit.reason for e in log.entries if e.HasField("forfeit")]
                    names = [ForfeitReason.Name(reason) for reason in reasons]
                    ended[names[0].removeprefix("FORFEIT_REASON_") if names else "finished"] += 1

    async with grpc.aio.insecure_channel(target) as channel:
        service = MatchServiceStub(channel)
        await asyncio.gather(*(keep_playing(service) for _ in range(at_once)))
    return ended


async def figures_at_rest(referee: int, at: Path) -> dict[str, int]:
    """Return what is there when the lane that waits for the next request has made ready."""
    now: dict[str, int] = {}
    for _ in range(REST_LOOKS):
        before, now = now, figures(referee, at)
        if now == before:
            break
        await asyncio.sleep(REST_SECONDS)
    return now


def figures(referee: int, at: Path) -> dict[str, int]:
    """Return what is there now."""
    status = Path(f"/proc/{referee}/status").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    # Not a glob, which fails when a group goes while it looks.
    tree = os.walk("/sys/fs/cgroup")
    groups = (Path(at, name) for at, names, _ in tree for name in names if name.startswith("rh-"))
    ours = f"/proc/{referee}/fd"
    return {
        "processes below the referee": len(descendants(referee)),
        "processes of the bots' uids": sum(1 for uid in uids() if UIDS <= uid < UIDS + 256),
        "descriptors of the referee": len(list(Path(ours).iterdir())),
        "threads of the referee": int(fields["Threads"]),
        "memory of the referee, KiB": int(fields["VmRSS"].split()[0]),
        "control groups": sum(1 for group in groups if is_left_behind(group, referee)),
        "mounts": len(Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()),
        "files of lanes": len(list((at / "sandbox" / "run").rglob("*"))),
        "temporary files": len(list((at / "tmp").rglob("*"))),
    }


def descendants(pid: int) -> list[int]:
    """Return a process's children and theirs."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # it has ended meanwhile
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, task.read_text(encoding="ascii").split()):
                found += [child, *descendants(child)]
    return found


def is_left_behind(group: Path, referee: int) -> bool:
    """Tell whether a control group has an owner below our referee, or one that is gone."""
    owner = Owner.parse(group.name)
    if owner is None:
        return False
    folder = Path(f"/proc/{owner.pid}")
    return not folder.exists() or owner.pid in descendants(referee)


def uids() -> Iterator[int]:
    """Yield the owner of every process that lives; the init of a container may reap late."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            owner = folder.stat().st_uid
            state = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            yield owner


async def measure(at: Path, games: int, at_once: int) -> None:
    """Start a referee, play, and print the figures."""
    target = f"unix:{at / 'r.sock'}"
    settings = {
        "ROUNDHOUSE_REFEREE_LISTEN": target,
        "ROUNDHOUSE_SANDBOX_STATE": str(at / "sandbox"),
        "ROUNDHOUSE_REFEREE_LANES": str(at_once),
        "ROUNDHOUSE_SANDBOX_UID_FIRST": str(UIDS),
        "TMPDIR": str(at / "tmp"),
    }
    (at / "tmp").mkdir()
    referee = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "referee", "serve", env={**os.environ, **settings}
    )
    try:
        async with grpc.aio.insecure_channel(target) as channel:
            await asyncio.wait_for(channel.channel_ready(), 60)
        await play(target, lanes(at, len(BOTS) * GAMES_IN_LANE), at_once)
        before = await figures_at_rest(referee.pid, at)
        began = time.monotonic()
        ended = await play(target, lanes(at, games), at_once)
        took = time.monotonic() - began
        after = await figures_at_rest(referee.pid, at)
    finally:
        referee.terminate()
        await referee.wait()
    print(f"{ended.total()} games in {took:.0f} s, load {os.getloadavg()[0]:.1f}:")
    for what, count in ended.most_common():
        print(f"  {count:>6} {what}")
    print(f"{'':<32}{'before':>10}{'after':>10}")
    for name, value in before.items():
        print(f"{name:<32}{value:>10}{after[name]:>10}")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--lanes", type=int, default=2, help="at once")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        asyncio.run(measure(folder, arguments.games, arguments.lanes))


if __name__ == "__main__":
    main()
