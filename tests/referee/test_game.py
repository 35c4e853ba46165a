"""A game between players that live in this process: who is held still, and when."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest

from referee.game import Game
from roundhouse.api.game.v1.log_pb2 import Host, LogSeat
from roundhouse.api.referee.v1.play_pb2 import Answer, PlayRequest, PlayResponse
from roundhouse.replay import Recorder
from roundhouse.rules import edition
from tests.referee.serving import PATIENT

if TYPE_CHECKING:
    from referee.player import Player
    from referee.verdict import Fault

RULES = edition("tiny")


class Guest:
    """Answers at random, later than it was asked, and notes when it was held still."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self.seat = seat
        self.rng = rng
        self.game: Game | None = None
        self.is_frozen = False
        self.is_asked = False
        self.freezes = 0

    def enter(self, game: Game) -> None:
        self.game = game

    def leave(self, owed: int) -> None:
        assert not owed
        self.is_frozen = False

    def freeze(self) -> None:
        assert not self.is_asked, "held still while a decision of it is open"
        self.freezes += not self.is_frozen
        self.is_frozen = True

    def thaw(self) -> None:
        self.is_frozen = False

    def begin_time(self) -> None:
        pass

    def dismiss(self, fault: Fault) -> None:
        raise AssertionError(fault)

    def send(self, message: bytes) -> None:
        response = PlayResponse.FromString(message)
        if response.HasField("decision"):
            assert not self.is_frozen, "asked while it is held still"
            self.is_asked = True
            asyncio.get_running_loop().call_later(0.001 * self.rng.random(), self.answer, response)

    def answer(self, response: PlayResponse) -> None:
        assert not self.is_frozen
        decision = response.decision
        answer = Answer(
            decision_id=decision.decision_id, action=self.rng.choice(decision.legal_actions)
        )
        self.is_asked = False
        assert self.game is not None
        self.game.heard(self.seat, PlayRequest(answer=answer).SerializeToString())


@pytest.mark.parametrize("seats", [2, 3])
def test_only_seats_with_nothing_to_decide_are_held_still(seats: int) -> None:
    async def run() -> list[Guest]:
        rng = random.Random(seats)
        guests = [Guest(seat, rng) for seat in range(seats)]
        recorder = Recorder(
            game_id="any",
            rules=RULES,
            seats=[LogSeat(bot=f"bot-{seat}") for seat in range(seats)],
            seed=bytes(32),
            time_control=PATIENT,
            host=Host(driver="trusted"),
            started_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        players = cast("list[Player]", guests)
        game = Game("any", RULES, PATIENT, bytes(32), players, recorder, first_decision_id=1)
        await game.play()
        return guests

    for guest in asyncio.run(run()):
        assert guest.freezes > 5  # after nearly every answer, the opening's included
        assert not guest.is_frozen  # nobody is left behind
