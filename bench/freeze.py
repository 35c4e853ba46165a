"""What it costs to hold bots still and to count their processor time, and what that prevents.

    python -m bench.freeze [--rounds N] [--games N]

Whole lanes between two quick bots, in this very process, in three ways that are taken in turn so
that other load falls on all of them: bots that run on while others move, bots that are frozen, and
frozen bots under a clock by processor time. Then a bot that ponders with all its might: the
processor time that it gets in some seconds of somebody else's turn.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bench.referee import QUICK, seconds_of
from referee.lane import Lane
from referee.request import LaneRequest
from referee.sandbox import SandboxSettings, SandboxSpec, Stage, choose_driver
from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash, pack
from roundhouse.replay import load_log
from roundhouse.timecontrol import Measure, TimeControl

if TYPE_CHECKING:
    from referee.sandbox import BotProcess, Driver, PolicyReport
    from roundhouse.api.referee.v1.match_pb2 import PlayLaneResponse

PONDER_SECONDS = 3.0


class Restless:
    """A driver whose bots run on while others move, as they did before they could be frozen."""

    def __init__(self, driver: Driver) -> None:
        self.name = driver.name
        self._driver = driver

    async def probe(self) -> PolicyReport:
        """Probe the driver."""
        return await self._driver.probe()

    async def start(self, spec: SandboxSpec) -> BotProcess:
        """Start a bot that cannot be frozen."""
        process = await self._driver.start(spec)
        process.freeze = lambda: False  # type: ignore[method-assign]
        return process


async def decisions_a_second(
    driver: Driver, report: PolicyReport, state: Path, control: TimeControl, games: int
) -> float:
    """Play a lane of whole games; bots' starts are not counted."""
    archive = pack(QUICK)
    seat = LaneSeat(bot="quick", version=content_hash(archive), archive=archive)
    request = PlayLaneRequest(
        lane_id="bench",
        edition="classic",
        time_control=encode_time_control(control),
        seats=[seat, seat],
        games=[LaneGame(game_id=f"g{n}", seed=n.to_bytes(32, "big")) for n in range(games)],
    )
    decisions, seconds = 0, 0.0

    async def emit(response: PlayLaneResponse) -> None:
        nonlocal decisions, seconds
        if response.HasField("game_aborted"):
            sys.exit(response.game_aborted.sentence)
        if response.HasField("game_finished"):
            log = load_log(response.game_finished.log)
            decisions += len(log.entries)
            seconds += seconds_of(log)

    with Stage(state) as stage:
        await Lane(LaneRequest.parse(request), driver, report, stage, emit).play()
    return decisions / seconds


async def pondered(driver: Driver, state: Path, *, is_frozen: bool) -> tuple[float, float]:
    """Return the processor time that a busy bot gets in some seconds, and those seconds.

    What a frozen one gets, it uses before its threads have come to a halt.
    """
    with Stage(state) as stage:
        folder = stage.new_folder()
        folder.chmod(0o755)
        (folder / "bot.py").write_text("print('burning', flush=True)\nwhile True: pass\n")
        path = stage.socket()
        path.touch()
        process = await driver.start(SandboxSpec("bench", ("python3", "bot.py"), folder, path))
        while b"burning" not in process.stderr_tail():  # noqa: ASYNC110 - a tail tells nobody
            await asyncio.sleep(0.005)
        before = process.meter() or timedelta(0)
        if is_frozen:
            process.freeze()
        began = time.monotonic()
        await asyncio.sleep(PONDER_SECONDS)
        used = (process.meter() or timedelta(0)) - before
        passed = time.monotonic() - began
        await process.kill()
    return used.total_seconds(), passed


async def measure(rounds: int, games: int, state: Path) -> None:
    """Print the table."""
    driver = choose_driver(SandboxSettings("bubblewrap", state))
    report = await driver.probe()
    wall = TimeControl()
    ways = (
        ("running on", Restless(driver), wall),
        ("frozen", driver, wall),
        ("frozen, by processor time", driver, replace(wall, measure=Measure.CPU)),
    )
    rates: dict[str, list[float]] = {name: [] for name, _, _ in ways}
    for _ in range(rounds):
        for name, way, control in ways:
            rates[name].append(await decisions_a_second(way, report, state, control, games))
    base = rates["running on"]
    print(f"{'bots while others move':<28}{'decisions/s':>12}{'best':>8}{'ratio':>8}")
    for name, measured in rates.items():
        ratio = statistics.median(
            ours / theirs for ours, theirs in zip(measured, base, strict=True)
        )
        print(f"{name:<28}{statistics.median(measured):>12.0f}{max(measured):>8.0f}{ratio:>8.2f}")
    for name, is_frozen in (("running on", False), ("frozen", True)):
        used, passed = await pondered(driver, state, is_frozen=is_frozen)
        print(f"a pondering bot, {name}: {used * 1000:.1f} ms of processor in {passed:.2f} s")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=6, help="in a lane, per round and way")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        asyncio.run(measure(arguments.rounds, arguments.games, folder))


if __name__ == "__main__":
    main()
