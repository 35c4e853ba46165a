"""A lane in this very process, under drivers that fail as machines do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

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
    Stage,
    Usage,
    choose_driver,
)
from referee.verdict import AbortReason
from referee.wire import write_decision
from tests.referee.serving import EXAMPLES, HURRIED, finished, lane
from tests.referee.test_misbehaving import folder_of

if TYPE_CHECKING:
    from pathlib import Path

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

    def meter(self) -> None:
        return None

    def usage(self) -> Usage:
        return Usage()


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
