"""What one bot's flood costs the lane and the other seat, through the gate.

    python -m bench.flood [--games N]

Lanes in turn, in bubblewrap: two steady bots; one that opens connections all the time while it
plays; one that opens and resets HTTP/2 streams on a second connection all the time. It prints how
long the steady bot's answers took, from asking to reading, and the most descriptors that the lane's
process ever had.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from pathlib import Path

from referee.lane_child import LaneChild
from referee.sandbox import SandboxSettings
from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash, pack
from roundhouse.replay import load_log
from roundhouse.timecontrol import TimeControl

BOTS = Path(__file__).parents[1] / "tests" / "bots" / "misbehaving"
LOOK_SECONDS = 0.01


def archive_of(bot: str, at: Path) -> bytes:
    """Pack one of the tests' bots."""
    folder = at / bot.replace("_", "-")
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_bytes((BOTS / f"{bot}.py").read_bytes())
    (folder / "stream.py").write_bytes((BOTS / "stream.py").read_bytes())
    (folder / "roundhouse.toml").write_text(
        f'name = "{folder.name}"\nlanguage = "python"\nentry = ["python3", "bot.py"]\n'
    )
    return pack(folder)


async def watch(pid: int) -> int:
    """Return the most descriptors of a process, up to its end or to being cancelled."""
    most = 0
    while True:
        try:
            most = max(most, len(os.listdir(f"/proc/{pid}/fd")))  # noqa: PTH208 - in a loop of asyncio
            await asyncio.sleep(LOOK_SECONDS)
        except (OSError, asyncio.CancelledError):
            return most


async def measure(bot: str, at: Path, games: int) -> str:
    """Play a lane of the bot against a steady one, and return a line about it."""
    archives = [archive_of(name, at) for name in (bot, "steady")]
    request = PlayLaneRequest(
        lane_id="bench",
        edition="tiny",
        time_control=encode_time_control(TimeControl()),
        seats=[LaneSeat(version=content_hash(archive), archive=archive) for archive in archives],
        games=[LaneGame(game_id=f"g{n}", seed=n.to_bytes(32, "big")) for n in range(games)],
    )
    child = await LaneChild.start(SandboxSettings("bubblewrap", at / "sandbox"))
    watching = asyncio.create_task(watch(child.pid))
    used: list[float] = []
    forfeits: list[str] = []
    try:
        async for response in child.play(request):
            if response.HasField("game_aborted"):
                sys.exit(response.game_aborted.sentence)
            if response.HasField("game_finished"):
                forfeits += [forfeit.sentence for forfeit in response.game_finished.forfeits]
                used += [
                    entry.action.used.ToTimedelta().total_seconds() * 1000
                    for entry in load_log(response.game_finished.log).entries
                    if entry.HasField("action") and entry.action.seat == 1
                ]
        await child.finished()
    finally:
        await child.end()
        watching.cancel()
    verdict = f"{len(forfeits)} forfeits ({forfeits[0]})" if forfeits else "no forfeit"
    tail = statistics.quantiles(used, n=20)[-1]
    return (
        f"{bot:<18}{len(used):>6} answers, median {statistics.median(used):6.2f} ms,"
        f" 95 % {tail:7.2f} ms; at most {await watching:>3} descriptors; {verdict}"
    )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        for bot in ("steady", "floods_connections", "floods_bytes", "steady"):
            print(asyncio.run(measure(bot, folder, arguments.games)))


if __name__ == "__main__":
    main()
