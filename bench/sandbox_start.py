"""Measure what a sandbox costs to start, beside the same program as a bare process.

Run it with ``python -m bench.sandbox_start [--rounds N]`` on a quiet machine; the two ways are
taken in turn within one run, so that other load falls on both. ``ROUNDHOUSE_SANDBOX`` chooses the
driver that is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.sandbox import SandboxSettings, SandboxSpec, Stage, choose_driver

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from referee.sandbox import BotProcess, Driver

PROGRAMS = (
    ("sh, first instruction", ("sh", "-c", "echo")),
    ("python3, first instruction", ("python3", "-c", "print()")),
    ("python3, import grpc", ("python3", "-c", "import grpc; print()")),
    ("python3, import roundhouse.bot", ("python3", "-c", "import roundhouse.bot; print()")),
)


async def until_first_word(driver: Driver, spec: SandboxSpec) -> float:
    """Return the milliseconds from asking for a bot to its first output."""
    began = time.perf_counter()
    process = await driver.start(spec)
    await first_word(process)
    took = time.perf_counter() - began
    await process.kill()
    return took * 1000


async def until_end(driver: Driver, spec: SandboxSpec) -> float:
    """Return the milliseconds from asking for a bot until it has ended and nothing is left."""
    began = time.perf_counter()
    end = await (await driver.start(spec)).wait()
    took = time.perf_counter() - began
    if end.code != 0:
        sys.exit(f"{spec.command}: {end.describe()}")
    return took * 1000


async def kill_time(driver: Driver, spec: SandboxSpec) -> float:
    """Return the milliseconds from asking for the end of an idle bot to the last trace of it."""
    process = await driver.start(spec)
    await first_word(process)
    began = time.perf_counter()
    await process.kill()
    return (time.perf_counter() - began) * 1000


async def first_word(process: BotProcess) -> None:
    """Wait for the first output; looks often enough to be right to half a millisecond."""
    while not process.stderr_tail():  # noqa: ASYNC110 - a tail tells nobody
        await asyncio.sleep(0.0005)


async def measure(rounds: int, settings: SandboxSettings) -> None:
    """Print a table: median and least of each program, bare and held, and their ratio."""
    state = settings.state
    held, bare = choose_driver(settings), choose_driver(replace(settings, driver="trusted"))
    report = await held.probe()
    print("\n".join(report.lines()))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {rounds} rounds\n")
    print(f"{'milliseconds, median (least)':<34}{'bare':>16}{'held':>16}{'ratio':>8}")
    idle = ("sh", "-c", "echo; sleep 1000")
    rows: list[tuple[str, tuple[str, ...], Callable[[Driver, SandboxSpec], Awaitable[float]]]]
    rows = [(name, command, until_first_word) for name, command in PROGRAMS]
    rows.insert(0, ("true, to its end", ("true",), until_end))
    rows.append(("kill of an idle program", idle, kill_time))
    with Stage(state) as stage, socket.socket(socket.AF_UNIX) as listener:
        path, folder = stage.socket(), stage.new_folder()
        folder.chmod(0o755)
        listener.bind(str(path))
        for name, command, take in rows:
            spec = SandboxSpec("bench", command, folder, path)
            times: dict[str, list[float]] = {bare.name: [], held.name: []}
            for _ in range(rounds):
                for driver in (bare, held):
                    times[driver.name].append(await take(driver, spec))
            print(row(name, times[bare.name], times[held.name]))


def row(name: str, bare: list[float], held: list[float]) -> str:
    """Format one line of the table."""
    ratio = statistics.median(held) / statistics.median(bare)
    return f"{name:<34}{cell(bare):>16}{cell(held):>16}{ratio:>8.2f}"


def cell(times: list[float]) -> str:
    """Format the median and the least of some times."""
    return f"{statistics.median(times):.1f} ({min(times):.1f})"


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="starts of each kind")
    arguments = parser.parse_args()
    settings = SandboxSettings.from_environment(os.environ)
    asyncio.run(measure(arguments.rounds, settings))


if __name__ == "__main__":
    main()
