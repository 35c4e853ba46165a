"""Whether keeping a lane's bots on one core slows games down.

    python -m bench.pinning [--rounds N] [--games N]

Plays as many lanes of quick bots at once as there are cores, in the sandbox, with their bots on one
core each and with their bots free to run anywhere, in turn, and prints decisions a second of all
lanes together.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path

from bench.referee import referee
from referee.sandbox import SandboxSettings


async def together(settings: SandboxSettings, games: int) -> float:
    """Return the decisions a second of lanes that are played at once."""
    cores = len(os.sched_getaffinity(0))
    lanes = await asyncio.gather(*(referee(settings, games) for _ in range(cores)))
    return sum(lane.rate for lane in lanes)


def main() -> None:
    """Run the bench and print its table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=4, help="in a lane, per round")
    arguments = parser.parse_args()
    rates: dict[bool, list[float]] = {True: [], False: []}
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        settings = SandboxSettings("bubblewrap", folder / "sandbox")
        for _ in range(arguments.rounds):
            for is_pinned, found in rates.items():
                chosen = replace(settings, is_pinned=is_pinned)
                found.append(asyncio.run(together(chosen, arguments.games)))
    for is_pinned, found in rates.items():
        how = "on one core a lane" if is_pinned else "anywhere"
        print(f"{how:20} decisions/s {statistics.median(found):6.0f} (best {max(found):.0f})")


if __name__ == "__main__":
    main()
