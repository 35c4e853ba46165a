"""What is read from a log, and every way in which a log is refused."""

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING

import pytest

from ladder.domain.game import ForfeitReason, PlannedGame
from ladder.errors import InvalidError
from ladder.gamelog import read_result
from roundhouse.api.game.v1 import log_pb2, verdict_pb2
from roundhouse.arena import play_game
from roundhouse.bot import Bot
from roundhouse.replay import LogError, dump_log
from roundhouse.rules import Action, Observation, edition
from roundhouse.testing import RandomBot
from roundhouse.timecontrol import TimeControl
from tests.ladder.logs import play
from tests.ladder.world import seed

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = {"a" * 64: "alpha", "b" * 64: "bravo", "c" * 64: "charlie"}
GAME = PlannedGame("g-1", "t-1-p0-r0-c0", 0, 0, 0, seed("deal"), tuple(NAMES))


@pytest.fixture
def log() -> log_pb2.GameLog:
    return play(GAME, NAMES)


def test_a_result_is_all_that_is_recorded(log: log_pb2.GameLog) -> None:
    result = read_result(dump_log(log))

    assert result.game_id == "g-1"
    assert result.edition == "tiny"
    assert result.bots == ("alpha", "bravo", "charlie")
    assert result.versions == GAME.versions
    assert result.seed == GAME.seed
    assert result.time_control == TimeControl()
    assert result.is_isolated
    assert [(seat.placement, seat.score, seat.forfeit) for seat in result.seats] == [
        (standing.placement, standing.total, None) for standing in log.standings
    ]
    assert result.started_at <= result.finished_at


class Crasher(Bot):
    def choose(self, observation: Observation) -> Action:
        raise RuntimeError(f"I am seat {observation.seat}")


def test_a_forfeit_has_its_reason(log: log_pb2.GameLog) -> None:
    forfeited = play_game(
        [RandomBot(), Crasher(), RandomBot()], seed=GAME.seed, rules=edition("tiny")
    )
    forfeited.time_control.CopyFrom(log.time_control)

    seats = read_result(dump_log(forfeited)).seats

    assert [seat.forfeit for seat in seats] == [None, ForfeitReason.CRASH, None]
    assert seats[1].placement == 3


def change_seed(log: log_pb2.GameLog) -> None:
    log.seed = b"s" * 32


def change_seed_and_commitment(log: log_pb2.GameLog) -> None:
    log.seed = b"s" * 32
    log.seed_commitment = hashlib.sha256(log.seed).digest()


def forfeit(
    reason: verdict_pb2.ForfeitReason.ValueType = verdict_pb2.FORFEIT_REASON_UNSPECIFIED,
    output_tail: bytes = b"",
) -> Callable[[log_pb2.GameLog], None]:
    """Put a forfeit in place of an action."""

    def change(log: log_pb2.GameLog) -> None:
        log.entries[3].forfeit.CopyFrom(
            verdict_pb2.Forfeit(seat=0, reason=reason, sentence="x", output_tail=output_tail)
        )

    return change


def set_placements(*placements: int) -> Callable[[log_pb2.GameLog], None]:
    def change(log: log_pb2.GameLog) -> None:
        for standing, placement in zip(log.standings, placements, strict=True):
            standing.placement = placement

    return change


def raise_a_score(log: log_pb2.GameLog) -> None:
    log.standings[0].total += 1


def drop_a_standing(log: log_pb2.GameLog) -> None:
    del log.standings[2]


def add_a_variant(log: log_pb2.GameLog) -> None:
    log.rules.variants.append("long")


def add_own_tickets(log: log_pb2.GameLog) -> None:
    log.rules.own_tickets.add(id=1, city_a="Ashford", city_b="Brook", value=3)


def drop_the_end(log: log_pb2.GameLog) -> None:
    log.ClearField("finished_at")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (drop_the_end, "has no end"),
        (add_a_variant, "The log of game g-1 is wrong"),
        (add_own_tickets, "has the tickets of an own box"),
        (change_seed, "is not the committed one"),
        (change_seed_and_commitment, "The log of game g-1 is wrong"),
        (raise_a_score, "The log of game g-1 is wrong"),
        (drop_a_standing, "does not have one standing a seat"),
        (set_placements(1, 1, 2), r"1 to 3 with ties sharing one: \[1, 1, 2\]"),
        (set_placements(0, 1, 2), r"1 to 3 with ties"),
        (forfeit(verdict_pb2.FORFEIT_REASON_TIME, b"secret"), "holds a bot's output"),
        (forfeit(), "a forfeit without a reason"),
        (forfeit(verdict_pb2.FORFEIT_REASON_TIME), "do not agree with its forfeits"),
    ],
)
def test_a_log_that_contradicts_itself_is_refused(
    log: log_pb2.GameLog, change: Callable[[log_pb2.GameLog], None], sentence: str
) -> None:
    change(log)

    with pytest.raises(InvalidError, match=sentence):
        read_result(dump_log(log))


@pytest.mark.parametrize("data", [b"", b"log", gzip.compress(b"log"), gzip.compress(b"")[:-4]])
def test_bytes_that_are_no_log_are_refused(data: bytes) -> None:
    with pytest.raises((LogError, InvalidError)):
        read_result(data)
