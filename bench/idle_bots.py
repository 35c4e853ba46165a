"""How much memory a Python bot holds that has greeted and waits, and how many fit into a machine.

    python -m bench.idle_bots [--bots N] [--gib 24]

Starts so many house bots in sandboxes, from cold, and prints what each has cost: of its own
processes, each page counted once (PSS), and of the machine's available memory, which also holds
what the kernel and the referee's end of the line need. The second is the truth on a machine that
does nothing else, and noise on another.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from referee.footprint import memory_of
from referee.player import Player
from referee.sandbox import SandboxSettings, Stage, choose_driver
from referee.strain import Pulse
from roundhouse import API_VERSION
from roundhouse.api.referee.v1.play_pb2 import Welcome
from roundhouse.timecontrol import TimeControl

BOT = Path(__file__).parents[1] / "sdk" / "examples" / "random"
WELCOME = Welcome(api_version=API_VERSION)
AT_ONCE = 4
MIB = 2**20


def available() -> int:
    """Return the bytes that the machine could still give to programs."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    sys.exit("This machine does not tell what memory is available.")


async def measure(settings: SandboxSettings, count: int) -> tuple[float, float]:
    """Return the bytes of one bot: its own, and the machine's."""
    driver = choose_driver(settings)
    await driver.probe()
    with Stage(settings.state) as stage:
        folder = stage.copy(BOT)
        pulse = Pulse()
        players = [
            Player("random", ("python3", "bot.py"), folder, WELCOME, driver, stage, pulse)
            for _ in range(count)
        ]
        before = available()
        for at in range(0, count, AT_ONCE):
            ready = (player.make_ready(TimeControl()) for player in players[at : at + AT_ONCE])
            await asyncio.gather(*ready)
        for player in players:
            if not player.is_ready:
                sys.exit(f"A bot did not start:\n{player.evidence(b'').output_tail.decode()}")
        machine = before - available()
        own = sum(memory_of(player.pid) for player in players)
        await asyncio.gather(*(player.kill() for player in players))
        pulse.stop()
    return own / count, machine / count


def main() -> None:
    """Run the bench and print its table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bots", type=int, default=40)
    parser.add_argument("--gib", type=int, default=24, help="of the machine in question")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        settings = SandboxSettings("bubblewrap", folder / "sandbox")
        own, machine = asyncio.run(measure(settings, arguments.bots))
    for what, one in (("its own processes", own), ("the machine's memory", machine)):
        fit = arguments.gib * 1024 * MIB / one if one > 0 else 0
        print(f"{what:22} {one / MIB:6.1f} MiB a bot; {fit:6.0f} in {arguments.gib} GiB")


if __name__ == "__main__":
    main()
