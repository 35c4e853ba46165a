"""Decisions per second through the referee, beside a bare gRPC ping-pong in the same run.

    python -m bench.referee [--rounds N] [--games N] [--driver trusted|bubblewrap|runc|runsc]

The bare side is what gRPC itself costs: an aio server that sends messages as large as the mean
decision to two client processes in turn, and waits for an answer as large as an action's. The
second bare figure sends a real decision to the very bots of the lane, who read it and choose, so
that what is left of the difference is the referee's own work. The referee's side is a lane process
with whole games between two such bots, from the start of each game to its end. All are taken in
turn, so that other load on the machine falls on all of them.

It also prints the time from asking for a bot to its greeting, after which its first decision is
sent at once, and the size of a log.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import grpc

from referee.lane_child import LaneChild
from referee.player import Player
from referee.sandbox import SandboxSettings, Stage, choose_driver
from referee.sandbox.engine import KINDS
from referee.session import Session
from referee.strain import Pulse
from referee.wire import write_decision
from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.api.referee.v1.play_pb2 import Goodbye, PlayResponse, Welcome
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash, pack
from roundhouse.replay import load_log
from roundhouse.rules import edition
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from roundhouse.api.game.v1.log_pb2 import GameLog

    Context = grpc.aio.ServicerContext[bytes, bytes]

QUICK = Path(__file__).parent / "bots" / "quick"
SDK_BOT = Path(__file__).parents[1] / "sdk" / "examples" / "random"
MEAN_DECISION_BYTES = 405
"""Of two random bots; the decision below comes near."""
END = PlayResponse(goodbye=Goodbye()).SerializeToString()
EXCHANGES = 2000
GREETING_SECONDS = 30
"""A client that has not come by then never will."""
STARTS = 9


@dataclass(slots=True)
class Lane:
    """What a lane has shown."""

    decisions: int = 0
    seconds: float = 0.0
    log_bytes: list[int] | None = None

    @property
    def rate(self) -> float:
        """Return the decisions per second."""
        return self.decisions / self.seconds


async def referee(settings: SandboxSettings, games: int) -> Lane:
    """Play a lane of whole games."""
    archive = pack(QUICK)
    seat = LaneSeat(bot="quick", version=content_hash(archive), archive=archive)
    request = PlayLaneRequest(
        lane_id="bench",
        edition="classic",
        time_control=encode_time_control(TimeControl()),
        seats=[seat, seat],
        games=[
            LaneGame(game_id=f"g{game}", seed=game.to_bytes(32, "big")) for game in range(games)
        ],
    )
    child = await LaneChild.start(settings)
    lane = Lane(log_bytes=[])
    try:
        async for response in child.play(request):
            if response.HasField("game_aborted"):
                sys.exit(response.game_aborted.sentence)
            if response.HasField("game_finished"):
                log = load_log(response.game_finished.log)
                if response.game_finished.forfeits:
                    sys.exit(str(response.game_finished.forfeits))
                lane.decisions += len(log.entries)
                lane.seconds += seconds_of(log)
                assert lane.log_bytes is not None
                lane.log_bytes.append(len(response.game_finished.log))
        await child.finished()
    finally:
        await child.end()
    return lane


def seconds_of(log: GameLog) -> float:
    """Return how long a game took, bots' starts left out."""
    return (log.finished_at.ToDatetime() - log.started_at.ToDatetime()).total_seconds()


def usual_decision() -> bytes:
    """Return a decision of about the mean size."""
    now = timedelta(0)
    rng = random.Random(1)
    session = Session(edition("classic"), 2, bytes(32), TimeControl(), now)
    best = b""
    while not session.is_over:
        for decision in session.open_decisions(now):
            message = write_decision(decision)
            if abs(len(message) - MEAN_DECISION_BYTES) < abs(len(best) - MEAN_DECISION_BYTES):
                best = message
            action = rng.choice(decision.legal_actions)
            session.answer(decision.seat, decision.decision_id, action, now)
    return best


async def bare(folder: Path, message: bytes, *arguments: str) -> float:
    """Return the exchanges a second of a ping-pong with two clients in turn."""
    arrived: list[Context] = []
    all_there, over = asyncio.Event(), asyncio.Event()

    async def play(_: object, context: Context) -> None:
        await context.read()
        arrived.append(context)
        if len(arrived) == 2:
            all_there.set()
        await over.wait()

    class Handlers(grpc.GenericRpcHandler):
        def service(self, _: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
            return grpc.stream_stream_rpc_method_handler(play)

    socket = folder / "bare.sock"
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Handlers(),))
    server.add_insecure_port(f"unix:{socket}")
    await server.start()
    command = [sys.executable, str(QUICK / "bot.py"), *arguments]
    environment = {**os.environ, "ROUNDHOUSE_SOCKET": str(socket), "GRPC_VERBOSITY": "NONE"}
    clients = [await asyncio.create_subprocess_exec(*command, env=environment) for _ in range(2)]
    async with asyncio.timeout(GREETING_SECONDS):
        await all_there.wait()
    began = time.perf_counter()
    for exchange in range(EXCHANGES):
        context = arrived[exchange % 2]
        await context.write(message)
        await context.read()
    took = time.perf_counter() - began
    for context in arrived:
        await context.write(END)
    for client in clients:
        await client.wait()
    over.set()
    await server.stop(None)
    return EXCHANGES / took


async def start_milliseconds(settings: SandboxSettings) -> float:
    """Return the median time from asking for a Python bot with the SDK to its greeting."""
    driver = choose_driver(settings)
    await driver.probe()
    times = []
    with Stage(settings.state) as stage:
        folder = stage.copy(SDK_BOT)
        pulse = Pulse()
        for _ in range(STARTS):
            player = Player(
                "random", ("python3", "bot.py"), folder, Welcome(), driver, stage, pulse
            )
            began = time.perf_counter()
            await player.make_ready(TimeControl())
            times.append(time.perf_counter() - began)
            if not player.is_ready:
                sys.exit(f"The bot did not start:\n{player.evidence(b'').output_tail.decode()}")
            await player.kill()
        pulse.stop()
    return statistics.median(times) * 1000


def main() -> None:
    """Run the bench and print its table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=8, help="in a lane, per round")
    parser.add_argument("--driver", action="append", choices=["trusted", "bubblewrap", *KINDS])
    arguments = parser.parse_args()
    decision = usual_decision()
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        for driver in arguments.driver or ["trusted", "bubblewrap"]:
            settings = SandboxSettings(driver, folder / "sandbox")
            if driver in KINDS:
                settings = SandboxSettings("oci", folder / "sandbox", runtime=driver)
            lanes, bares, scripted = [], [], []
            for _ in range(arguments.rounds):
                bares.append(asyncio.run(bare(folder, bytes(len(decision)), "--bare")))
                scripted.append(asyncio.run(bare(folder, decision)))
                lanes.append(asyncio.run(referee(settings, arguments.games)))
            ratios = [lane.rate / rate for lane, rate in zip(lanes, bares, strict=True)]
            fair = [lane.rate / rate for lane, rate in zip(lanes, scripted, strict=True)]
            sizes = [size for lane in lanes for size in lane.log_bytes or ()]
            print(
                f"{driver:10}  decisions/s {statistics.median(lane.rate for lane in lanes):6.0f}"
                f"  bare exchanges/s {statistics.median(bares):6.0f}"
                f"  ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
                f"  with the bots' work {statistics.median(scripted):6.0f}"
                f"  ratio {statistics.median(fair):.2f}"
                f"  log {statistics.median(sizes):.0f} bytes"
                f"  start to greeting {asyncio.run(start_milliseconds(settings)):.0f} ms"
            )


if __name__ == "__main__":
    main()
