"""How long it takes until a Python bot has its first decision, from cold and prepared ahead.

    python -m bench.first_decision [--rounds N]

Two times, each taken from cold and warm in turn, so that other load falls on both:

* a bot: from asking the sandbox for a Python bot with the SDK to its greeting, after which its
  first decision is sent at once;
* a lane: from asking the referee's pool for a lane of two such bots, to the start of its first
  game, when both bots are in and their first decisions are sent. Cold, this holds the start of the
  lane's process and its probe.

It also prints what waits: the memory of a lane with its sandboxes, each page counted once (PSS).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.footprint import family, memory_of
from referee.lane_pool import LanePool
from referee.player import Player
from referee.sandbox import (
    SandboxSettings,
    Stage,
    WarmDriver,
    can_prepare,
    choose_driver,
    guest,
)
from referee.settings import RefereeSettings
from referee.strain import Pulse
from roundhouse import API_VERSION
from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.api.referee.v1.play_pb2 import Welcome
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash, pack
from roundhouse.replay import load_log
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from referee.sandbox import Driver

BOT = Path(__file__).parents[1] / "sdk" / "examples" / "random"
WELCOME = Welcome(api_version=API_VERSION)
SETTLED_SECONDS = 2.0
"""An interpreter that has not run for so long waits for its bot, on a machine as busy as any."""
LONG_ENOUGH = 60.0
"""Seconds, after which a lane that has not made ready never will."""


async def bots(settings: SandboxSettings, rounds: int) -> dict[str, list[float]]:
    """Return the milliseconds from asking for a bot to its greeting."""
    cold = choose_driver(settings)
    await cold.probe()
    if not can_prepare(cold):
        sys.exit(f"{settings.driver} prepares nothing")
    times: dict[str, list[float]] = {"cold": [], "warm": []}
    with Stage(settings.state) as stage:
        warm = WarmDriver(cold, stage)
        folder = stage.copy(BOT)
        for _ in range(rounds):
            warm.prepare(1)
            while not warm.idle:  # noqa: ASYNC110 - a driver tells nobody
                await asyncio.sleep(0.01)
            drivers: dict[str, Driver] = {"cold": cold, "warm": warm}
            for how, driver in drivers.items():
                times[how].append(await greeting(driver, folder, stage))
        await warm.close()
    return times


async def greeting(driver: Driver, folder: Path, stage: Stage) -> float:
    """Return the milliseconds of one bot."""
    pulse = Pulse()
    player = Player("random", ("python3", "bot.py"), folder, WELCOME, driver, stage, pulse)
    began = time.perf_counter()
    await player.make_ready(TimeControl())
    took = time.perf_counter() - began
    if not player.is_ready:
        sys.exit(f"The bot did not start:\n{player.evidence(b'').output_tail.decode()}")
    await player.kill()
    pulse.stop()
    return took * 1000


async def lanes(settings: RefereeSettings, rounds: int) -> tuple[dict[str, list[float]], int]:
    """Return the milliseconds from asking for a lane to its first game, and what a lane weighs."""
    times: dict[str, list[float]] = {"cold": [], "warm": []}
    weights = []
    for _ in range(rounds):
        pool = LanePool(replace(settings, warm_lanes=0))
        times["cold"].append(await first_game(pool))
        pool = LanePool(replace(settings, warm_lanes=1))
        pool.fill()
        while not pool.idle:  # noqa: ASYNC110 - a pool tells nobody
            await asyncio.sleep(0.01)
        await settled(pool.idle[0].pid, settings.sandbox.warm)
        weights.append(memory_of(pool.idle[0].pid))
        times["warm"].append(await first_game(pool))
        await pool.close()
    return times, min(weights)


async def settled(lane: int, count: int) -> None:
    """Wait until so many interpreters of a lane wait for a bot, and no longer use the processor."""
    async with asyncio.timeout(LONG_ENOUGH):
        before: list[int] = []
        while (now := ticks_of_interpreters(lane)) != before or len(now) < count:
            before = now
            await asyncio.sleep(SETTLED_SECONDS)


def ticks_of_interpreters(lane: int) -> list[int]:
    """Return the processor time of each interpreter that waits, or is about to."""
    command = f"python3\0{guest.BOOT}\0".encode()
    found = []
    for process in family(Path(f"/proc/{lane}")):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if (process / "cmdline").read_bytes() == command:
                fields = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                found.append(int(fields[11]) + int(fields[12]))
    return found


async def first_game(pool: LanePool) -> float:
    """Return the milliseconds of one lane."""
    archive = pack(BOT)
    seat = LaneSeat(bot="random", version=content_hash(archive), archive=archive)
    request = PlayLaneRequest(
        lane_id="bench",
        edition="tiny",
        time_control=encode_time_control(TimeControl()),
        seats=[seat, seat],
        games=[LaneGame(game_id="g", seed=bytes(32))],
    )
    began = time.time()
    child = await pool.take()
    try:
        async for response in child.play(request):
            if response.HasField("game_aborted"):
                sys.exit(response.game_aborted.sentence)
            if response.HasField("game_finished"):
                log = load_log(response.game_finished.log)
        await child.finished()
    finally:
        await child.end()
    return (log.started_at.ToNanoseconds() / 1e9 - began) * 1000


def show(what: str, times: dict[str, list[float]]) -> None:
    """Print one line for each way."""
    for how, found in times.items():
        print(
            f"{what:28} {how:5} {statistics.median(found):6.0f} ms"
            f" (least {min(found):.0f}, most {max(found):.0f})"
        )


def main() -> None:
    """Run the bench and print its table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        sandbox = SandboxSettings("bubblewrap", folder / "sandbox")
        settings = RefereeSettings(listen=(), lanes=1, service_token=None, sandbox=sandbox)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {rounds} rounds")
        show("a bot, to its greeting", asyncio.run(bots(sandbox, rounds)))
        times, weight = asyncio.run(lanes(settings, rounds))
        show("a lane, to its first game", times)
        print(f"a lane that waits with {sandbox.warm} sandboxes: {weight / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
