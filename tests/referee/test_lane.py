"""A lane in this very process, under drivers that fail as machines do."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

import pytest

import referee.game
import referee.lane
from referee.lane import Lane
from referee.request import LaneRequest
from referee.sandbox import (
    Exit,
    PolicyReport,
    SandboxError,
    SandboxSettings,
    SandboxUnavailable,
    Stage,
    Usage,
    choose_driver,
)
from referee.verdict import AbortReason, ForfeitReason
from referee.wire import write_decision
from tests.referee.serving import EXAMPLES, HURRIED, finished, lane
from tests.referee.test_misbehaving import IMPATIENT, folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.decision import Decision
    from referee.sandbox import BotProcess, Driver, SandboxSpec
    from roundhouse.api.referee.v1.match_pb2 import PlayLaneRequest, PlayLaneResponse

RANDOM, GREEDY = EXAMPLES / "random", EXAMPLES / "greedy"
NOTHING = PolicyReport("fake", is_isolated=False, enforced=(), missing=())


class Ended:
    """A process that had ended before the bot's first instruction, by our fault."""

    pid = 0

    async def wait(self) -> Exit:
        return Exit(1, None, is_ours=True)

    kill = wait

    def stderr_tail(self) -> bytes:
        return b""

    def freeze(self) -> bool:
        return False

    def thaw(self) -> None:
        pass

    def stalled(self) -> None:
        return None

    def meter(self) -> None:
        return None

    def usage(self) -> Usage:
        return Usage()

    def breaches(self) -> tuple[str, ...]:
        return ()


class Failing:
    """A driver that holds no bot: it cannot start one, or every sandbox breaks at once."""

    name = "fake"

    def __init__(self, *, can_start: bool) -> None:
        self._can_start = can_start

    async def probe(self) -> PolicyReport:
        return NOTHING

    async def start(self, spec: SandboxSpec) -> BotProcess:
        if not self._can_start:
            raise SandboxError(f"{spec.name}: no uid is free")
        return Ended()


def play(request: PlayLaneRequest, driver: Driver, state: Path) -> list[PlayLaneResponse]:
    responses: list[PlayLaneResponse] = []

    async def emit(response: PlayLaneResponse) -> None:
        responses.append(response)

    async def run() -> None:
        with Stage(state) as stage:
            await Lane(LaneRequest.parse(request), driver, NOTHING, stage, emit).play()

    asyncio.run(run())
    return responses


@pytest.mark.parametrize(
    ("can_start", "part"), [(False, "no uid is free"), (True, "the sandbox could not be set up")]
)
def test_a_sandbox_that_fails_aborts_every_game_and_costs_no_seat_anything(
    short_folder: Path, part: str, *, can_start: bool
) -> None:
    request = lane(RANDOM, GREEDY, games=2)
    responses = play(request, Failing(can_start=can_start), short_folder)
    aborted = [r.game_aborted for r in responses if r.HasField("game_aborted")]
    assert [game.game_id for game in aborted] == ["game-0", "game-1"]
    assert {game.reason for game in aborted} == {AbortReason.SANDBOX.value}
    assert all(part in game.sentence for game in aborted)
    assert not any(response.HasField("game_finished") for response in responses)


def test_a_failure_of_ours_in_mid_game_aborts_it_and_the_next_game_is_played(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def fail_once(decision: Decision) -> bytes:
        nonlocal calls
        calls += 1
        if calls == 7:
            raise RuntimeError("a slip of ours")
        return write_decision(decision)

    monkeypatch.setattr(referee.game, "write_decision", fail_once)
    driver = choose_driver(SandboxSettings("trusted", short_folder))
    responses = play(lane(RANDOM, GREEDY, games=2), driver, short_folder)
    (aborted,) = [r.game_aborted for r in responses if r.HasField("game_aborted")]
    assert (aborted.game_id, aborted.reason) == ("game-0", AbortReason.INTERNAL.value)
    assert aborted.sentence == "The referee failed: RuntimeError: a slip of ours."
    (played,) = finished([r for r in responses if not r.HasField("game_aborted")])
    assert (played.log.game_id, played.forfeits) == ("game-1", [])


def test_a_lane_shows_signs_of_life_while_a_bot_thinks(
    short_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert referee.lane.PROGRESS_SECONDS < 5
    monkeypatch.setattr(referee.lane, "PROGRESS_SECONDS", 0.1)
    driver = choose_driver(SandboxSettings("trusted", short_folder))
    request = lane(folder_of("hangs", tmp_path), RANDOM, control=HURRIED)
    responses = play(request, driver, short_folder)
    signs = [r.game_progress for r in responses if r.HasField("game_progress")]
    assert {sign.game_id for sign in signs} == {"game-0"}
    assert sum(sign.decisions == signs[-1].decisions > 0 for sign in signs) >= 5


def test_time_that_ran_out_while_the_referee_stood_still_aborts_the_game(
    short_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = iter([0.6])  # longer than the margin, and once only

    def stand_still() -> None:
        time.sleep(next(stops, 0))

    def write(decision: Decision) -> bytes:
        if decision.decision_id == 3:  # which the bot never answers
            asyncio.get_running_loop().call_later(0.2, stand_still)
        return write_decision(decision)

    monkeypatch.setattr(referee.game, "write_decision", write)
    driver = choose_driver(SandboxSettings("trusted", short_folder))
    request = lane(folder_of("hangs", tmp_path), RANDOM, games=2, control=HURRIED)
    responses = play(request, driver, short_folder)
    (aborted,) = [r.game_aborted for r in responses if r.HasField("game_aborted")]
    assert (aborted.game_id, aborted.reason) == ("game-0", AbortReason.OVERLOAD.value)
    assert "overloaded: hangs ran out of time, but the referee itself stood still" in (
        aborted.sentence
    )
    (played,) = finished([r for r in responses if not r.HasField("game_aborted")])
    assert [forfeit.reason for forfeit in played.forfeits] == [ForfeitReason.TIME.value]


class Wrapped:
    """A process in all but what a test replaces."""

    def __init__(self, process: BotProcess) -> None:
        self._process = process

    def __getattr__(self, name: str) -> object:
        return getattr(self._process, name)


def test_a_bot_that_does_not_connect_on_an_overloaded_machine_forfeits_nothing(
    short_folder: Path, tmp_path: Path
) -> None:
    class Stalled(Wrapped):
        """A bot that never gets a processor."""

        def stalled(self) -> timedelta:
            return timedelta(seconds=time.monotonic())

    class Stalling:
        name = "fake"

        async def probe(self) -> PolicyReport:
            return NOTHING

        async def start(self, spec: SandboxSpec) -> BotProcess:
            return cast("BotProcess", Stalled(await driver.start(spec)))

    driver = choose_driver(SandboxSettings("trusted", short_folder))
    request = lane(folder_of("never_connects", tmp_path), RANDOM, control=IMPATIENT)
    responses = play(request, Stalling(), short_folder)
    (aborted,) = [r.game_aborted for r in responses if r.HasField("game_aborted")]
    assert aborted.reason == AbortReason.OVERLOAD.value
    assert "was kept waiting for a processor" in aborted.sentence


def test_a_bot_that_burns_its_time_on_a_busy_machine_comes_to_its_flag(
    short_folder: Path, tmp_path: Path
) -> None:
    class Waiting(Wrapped):
        """A bot that gets a processor for two fifths of the time."""

        def stalled(self) -> timedelta:
            return timedelta(seconds=0.6 * time.monotonic())

    class Busy:
        name = "fake"

        async def probe(self) -> PolicyReport:
            return NOTHING

        async def start(self, spec: SandboxSpec) -> BotProcess:
            process = await driver.start(spec)
            return cast("BotProcess", Waiting(process)) if spec.name == "burns" else process

    driver = choose_driver(SandboxSettings("trusted", short_folder))
    request = lane(folder_of("burns", tmp_path), RANDOM, control=HURRIED)
    (game,) = finished(play(request, Busy(), short_folder))
    (forfeit,) = game.forfeits
    assert (forfeit.seat, forfeit.reason) == (0, ForfeitReason.TIME.value)
    allowed = HURRIED.decision_cap + HURRIED.margin
    assert forfeit.used.ToTimedelta() > allowed
    # It was given back what it had waited, and that was most of it.
    assert forfeit.passed.ToTimedelta() > 2 * allowed
    assert "of waiting for a processor left out" in forfeit.sentence


def test_a_bot_that_is_not_held_as_promised_plays_no_game(short_folder: Path) -> None:
    class Loose(Wrapped):
        """A bot that has come loose after its first game."""

        looks = 0

        def breaches(self) -> tuple[str, ...]:
            Loose.looks += 1
            return ("it has capabilities",) if Loose.looks == 3 else ()

    class Loosening:
        name = "fake"

        async def probe(self) -> PolicyReport:
            return NOTHING

        async def start(self, spec: SandboxSpec) -> BotProcess:
            return cast("BotProcess", Loose(await driver.start(spec)))

    driver = choose_driver(SandboxSettings("trusted", short_folder))
    responses = play(lane(RANDOM, GREEDY, games=3), Loosening(), short_folder)
    (aborted,) = [r.game_aborted for r in responses if r.HasField("game_aborted")]
    assert (aborted.game_id, aborted.reason) == ("game-1", AbortReason.SANDBOX.value)
    assert aborted.sentence == (
        "No sandbox for random: it is not held as it must be: it has capabilities."
    )
    played = finished([r for r in responses if not r.HasField("game_aborted")])
    assert [game.log.game_id for game in played] == ["game-0", "game-2"]


def test_a_dead_bot_is_noticed_within_a_second_even_while_it_is_held_still(
    short_folder: Path, tmp_path: Path
) -> None:
    """The bot answers its opening and is frozen; then it is killed while its opponent thinks."""
    try:
        driver = choose_driver(SandboxSettings("bubblewrap", short_folder))
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    short_folder.chmod(0o711)
    killed = []

    async def kill_when_it_waits(process: BotProcess) -> None:
        async with asyncio.timeout(20):
            while b"answered" not in process.stderr_tail():  # noqa: ASYNC110 - a tail tells nobody
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)  # it stands still by now
        *_, bot = descendants(process.pid)  # behind bubblewrap's own two processes
        killed.append(datetime.now(UTC))
        os.kill(bot, signal.SIGKILL)

    class Killing:
        """A driver that lets us at the first bot."""

        name = driver.name
        tasks: ClassVar[list[asyncio.Task[None]]] = []

        async def probe(self) -> PolicyReport:
            return await driver.probe()

        async def start(self, spec: SandboxSpec) -> BotProcess:
            process = await driver.start(spec)
            if spec.name == "waits":
                self.tasks.append(asyncio.create_task(kill_when_it_waits(process)))
            return process

    request = lane(folder_of("waits", tmp_path), folder_of("hangs_at_once", tmp_path))
    (game,) = finished(play(request, Killing(), short_folder))
    (forfeit,) = game.forfeits
    assert (forfeit.seat, forfeit.reason, forfeit.exit_code) == (0, ForfeitReason.CRASH.value, -9)
    noticed = game.log.started_at.ToDatetime(UTC) + game.log.entries[-1].at.ToTimedelta()
    assert noticed - killed[0] < timedelta(seconds=1)


def descendants(pid: int) -> Iterator[int]:
    """Yield a process's children and theirs."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text(encoding="ascii").split()):
            yield child
            yield from descendants(child)
