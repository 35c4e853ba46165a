"""Lanes whose bots are clients in this process: everything else is the referee's own."""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bench.fuzz.visitor import Visitor
from referee.lane import Lane
from referee.request import LaneRequest
from referee.sandbox import Exit, PolicyReport, Stage, Usage
from roundhouse.api.game.v1.verdict_pb2 import AbortReason
from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.codec import encode_time_control
from roundhouse.package import content_hash, pack
from roundhouse.replay import load_log, verify
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from bench.fuzz.ledger import Ledger
    from referee.sandbox import SandboxSpec
    from roundhouse.api.referee.v1.match_pb2 import PlayLaneResponse

CONTROL = replace(TimeControl(), decision_cap=timedelta(seconds=1))
"""So that a silent bot is flagged after a second."""
GAMES = 50
"""In a lane."""
VERIFIED = 10
"""Every so many-th log is played again."""
REPORT = PolicyReport("fake", is_isolated=False, enforced=(), missing=())


class ClientProcess:
    """What the referee takes for a process: a visitor's task."""

    pid = 0

    def __init__(self, visitor: Visitor) -> None:
        """Let the visitor come."""
        self._task = asyncio.ensure_future(visitor.visit())
        self._is_killed = False

    async def wait(self) -> Exit:
        """Wait for the visitor's end; what it raises is a failure of the bench."""
        await asyncio.wait({self._task})
        if self._task.cancelled():
            return Exit(None, 9, is_killed=self._is_killed)
        return Exit(self._task.result(), None)

    async def kill(self) -> Exit:
        """End the visitor."""
        self._is_killed = True
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({self._task})
        return await self.wait()

    def stderr_tail(self) -> bytes:
        """Return nothing: it prints nothing."""
        return b""

    def freeze(self) -> bool:
        """Do nothing: nobody stops a task."""
        return False

    def thaw(self) -> None:
        """Do nothing."""

    def stalled(self) -> None:
        """Tell nothing."""

    def meter(self) -> None:
        """Tell nothing."""

    def usage(self) -> Usage:
        """Return nothing."""
        return Usage()

    def breaches(self) -> tuple[str, ...]:
        """Return nothing, for nothing is held."""
        return ()


@dataclass(slots=True)
class Visiting:
    """A driver whose bots are visitors."""

    lane: str
    seed: str
    ledger: Ledger
    name: str = "fake"
    lives: Counter[str] = field(default_factory=Counter)

    async def probe(self) -> PolicyReport:
        """Report that nothing is isolated."""
        return REPORT

    async def start(self, spec: SandboxSpec) -> ClientProcess:
        """Let a visitor come, with a random source of its own, whoever comes first."""
        self.lives[spec.name] += 1
        rng = random.Random(f"{self.seed}/{spec.name}/{self.lives[spec.name]}")
        token = spec.environment["ROUNDHOUSE_TOKEN"]
        place = (self.lane, int(spec.name))
        return ClientProcess(Visitor(spec.socket, token, place, rng, self.ledger))


@dataclass(slots=True)
class Table:
    """Lanes in a row until enough messages are sent."""

    seed: str
    messages: int
    ledger: Ledger
    lives: Counter[int] = field(default_factory=Counter)

    async def play(self, at: Path, number: int) -> None:
        """Play lanes at one of several tables that share the ledger."""
        lane = 0
        while self.ledger.messages < self.messages:
            name = f"t{number}-l{lane}"
            seed = f"{self.seed}/{name}"
            driver = Visiting(name, seed, self.ledger)
            with Stage(at) as stage:
                request = _lane(name, random.Random(seed), at / "bot")
                await Lane(
                    LaneRequest.parse(request), driver, REPORT, stage, _Settling(self, request).emit
                ).play()
            self.lives[number] += driver.lives.total()
            lane += 1


@dataclass(slots=True)
class _Settling:
    table: Table
    request: PlayLaneRequest

    async def emit(self, response: PlayLaneResponse) -> None:
        """Take what the lane sends, as its service would."""
        ledger = self.table.ledger
        if response.HasField("game_aborted"):
            aborted = response.game_aborted
            reason = AbortReason.Name(aborted.reason).removeprefix("ABORT_REASON_")
            ledger.aborts[reason] += 1
            ledger.forget(aborted.game_id, len(self.request.seats))
            if reason != "OVERLOAD":
                ledger.fail(f"{aborted.game_id} was aborted: {aborted.sentence}")
        if response.HasField("game_finished"):
            game = response.game_finished
            ledger.settle(game.game_id, len(self.request.seats), list(game.forfeits))
            if ledger.games % VERIFIED == 0:
                verification = verify(load_log(game.log))
                if not verification.ok:
                    ledger.fail(f"{game.game_id}: {verification.sentence}")


def _lane(name: str, rng: random.Random, bot: Path) -> PlayLaneRequest:
    archive = pack(bot)
    version = content_hash(archive)
    seats = range(rng.choice([2, 3]))
    return PlayLaneRequest(
        lane_id=name,
        edition="tiny",
        time_control=encode_time_control(CONTROL),
        seats=[LaneSeat(bot=f"{n}", version=version, archive=archive) for n in seats],
        games=[LaneGame(game_id=f"{name}-{n}", seed=rng.randbytes(32)) for n in range(GAMES)],
    )


async def fuzz(seed: str, messages: int, ledger: Ledger, *, at_once: int) -> int:
    """Send so many messages at least, and return how many bots have lived."""
    with tempfile.TemporaryDirectory(prefix="rh-") as folder:
        at = Path(folder)
        (at / "bot").mkdir()
        manifest = 'name = "fuzzer"\nlanguage = "none"\nentry = ["none"]\n'
        (at / "bot" / "roundhouse.toml").write_text(manifest)
        table = Table(seed, messages, ledger)
        async with asyncio.TaskGroup() as tables:  # one that fails takes the others with it
            for number in range(at_once):
                tables.create_task(table.play(at, number))
        return table.lives.total()
