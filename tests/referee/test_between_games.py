"""What a bot does while another is still being brought in: no game hears it, none may wait for it.

The other bot's start is held back until the first one's doing is known, however fast or slow this
machine is.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from referee.life import Life
from referee.player import Player
from referee.sandbox import Exit, SandboxSettings, Stage, choose_driver
from referee.strain import Pulse
from referee.verdict import AbortError, ForfeitReason
from roundhouse import API_VERSION
from roundhouse.api.referee.v1.play_pb2 import Welcome
from tests.referee.serving import HURRIED, PATIENT, finished, lane
from tests.referee.test_lane import NOTHING, Ended, play
from tests.referee.test_misbehaving import folder_of

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox import BotProcess, Driver, PolicyReport, SandboxSpec
    from referee.verdict import Fault

LONG_ENOUGH = 60.0
"""Seconds, after which a life that has not noticed its bot's doing never will."""


@dataclass(slots=True)
class HoldingBack:
    """Starts bots, but does not start the late one again until its opponent can play no more."""

    driver: Driver
    late: str
    freely: int
    lives: list[Life] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.driver.name

    async def probe(self) -> PolicyReport:
        return NOTHING

    async def start(self, spec: SandboxSpec) -> BotProcess:
        if spec.name == self.late:
            self.freely -= 1
            if self.freely < 0:
                async with asyncio.timeout(LONG_ENOUGH):
                    while not self._is_opponent_known():  # noqa: ASYNC110 - a life tells nobody
                        await asyncio.sleep(0.01)
        return await self.driver.start(spec)

    def _is_opponent_known(self) -> bool:
        return bool(self.lives) and self.lives[-1].has_failed


def hold_back(
    late: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, freely: int
) -> HoldingBack:
    """Return a driver that starts the late bot so often freely, and knows its opponent's lives."""
    driver = HoldingBack(choose_driver(SandboxSettings("trusted", folder)), late, freely)

    class Known(Life):
        def __init__(self, name: str, welcome: Welcome, pulse: Pulse) -> None:
            super().__init__(name, welcome, pulse)
            if name != late:
                driver.lives.append(self)

    monkeypatch.setattr("referee.player.Life", Known)
    return driver


def test_a_bot_that_ends_while_another_starts_is_replaced_and_forfeits_nothing(
    short_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [  # the second of them starts again for the second game
        folder_of("leaves_between_games", tmp_path),
        folder_of("crashes_in_mid_game", tmp_path),
    ]
    driver = hold_back("crashes-in-mid-game", short_folder, monkeypatch, freely=1)
    games = finished(play(lane(*bots, games=2, control=HURRIED), driver, short_folder))
    assert [[forfeit.seat for forfeit in game.forfeits] for game in games] == [[1], [1]]
    assert len(driver.lives) == 2


def test_a_bot_that_fails_before_its_first_game_forfeits_it_at_its_start(
    short_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [folder_of("speaks_at_once", tmp_path), folder_of("steady", tmp_path)]
    driver = hold_back("steady", short_folder, monkeypatch, freely=0)
    games = finished(play(lane(*bots, games=2, control=HURRIED), driver, short_folder))
    told = [(f.seat, f.reason, f.decision_id) for game in games for f in game.forfeits]
    assert told[0] == (0, ForfeitReason.PROTOCOL.value, 0)
    assert [seat for seat, _, _ in told] == [0, 0]
    assert len(driver.lives) == 2  # one for each game: it is not tried again and again


def test_after_an_abort_no_game_waits_for_a_bot_that_was_let_go_in_it(short_folder: Path) -> None:
    """In a game of three one seat forfeits, and then the game aborts: the next one is played."""

    async def run() -> None:
        pulse = Pulse()
        welcome = Welcome(api_version=API_VERSION, seat=0, games=2)
        with Stage(short_folder) as stage:
            player = Player("any", ("any",), short_folder, welcome, Starting(), stage, pulse)
            player._partings.append(asyncio.create_task(asyncio.sleep(LONG_ENOUGH)))
            await player.kill()
            await player.gone()  # is not cancelled along with the parting
        pulse.stop()

    asyncio.run(run())


class Breaking(Ended):
    """A process that breaks, by our fault, when the test says so."""

    def __init__(self) -> None:
        self.broken = asyncio.Event()

    async def wait(self) -> Exit:
        await self.broken.wait()
        return await super().wait()


class Starting:
    """A driver that only ever holds that process."""

    name = "fake"

    def __init__(self) -> None:
        self.process = Breaking()

    async def probe(self) -> PolicyReport:
        return NOTHING

    async def start(self, _: SandboxSpec) -> BotProcess:
        return self.process


class Unmoved:
    """A game that must not hear a thing."""

    def heard(self, seat: int, message: bytes) -> None:
        raise AssertionError(seat, message)

    def failed(self, seat: int, fault: Fault) -> None:
        raise AssertionError(seat, fault)

    def broke(self, error: AbortError) -> None:
        raise AssertionError(error)


def test_a_sandbox_that_breaks_between_games_aborts_the_next_if_it_comes_too_late_for_another(
    short_folder: Path,
) -> None:
    async def run() -> None:
        pulse = Pulse()
        life = Life("any", Welcome(api_version=API_VERSION, seat=0, games=2), pulse)
        driver = Starting()
        socket = short_folder / "seat.sock"
        start = life.start(driver, ("any",), short_folder, socket, PATIENT.start_up, PATIENT.margin)
        starting = asyncio.create_task(start)
        life.greeted()
        await starting
        assert life.is_fit
        driver.process.broken.set()
        async with asyncio.timeout(LONG_ENOUGH):
            while life.is_fit:  # noqa: ASYNC110 - a life tells nobody
                await asyncio.sleep(0.01)
        assert not life.is_due  # ours: a fresh one takes its place if there is time
        with pytest.raises(AbortError, match="could not be set up"):
            life.enter(Unmoved())
        await life.kill()
        pulse.stop()

    asyncio.run(run())
