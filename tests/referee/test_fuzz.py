"""The stream, fuzzed: `bench/fuzz` in a short form, and the model that says what must come of it.

The long form is `python -m bench.fuzz`, 100,000 messages.
"""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.fuzz.ledger import ACCEPTED, Ledger, judge
from bench.fuzz.mutation import MUTATIONS, bytes_field, honest, number_field, varint
from bench.fuzz.reading import GROUP, UnreadableError, read_action, read_answer, read_greeting
from bench.fuzz.table import fuzz
from referee import wire
from referee.session import Session
from referee.verdict import Fault, Forfeit, ForfeitReason
from roundhouse.api.referee.v1.play_pb2 import Decision, PlayResponse
from roundhouse.codec import ProtocolError, encode_action
from roundhouse.rules import edition
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from bench.fuzz.mutation import Mutation

MESSAGES = 1500
"""Some seconds of one core."""
EACH = 300
"""Messages of each mutation that both readers read."""


def opened() -> Decision:
    """An opening decision: an offer of tickets."""
    session = Session(edition("tiny"), 2, bytes(32), TimeControl(), timedelta(0))
    decision = session.open_decisions(timedelta(0))[0]
    return PlayResponse.FromString(wire.write_decision(decision)).decision


def in_turn() -> Decision:
    """A decision with claims and draws."""
    now = timedelta(0)
    session = Session(edition("tiny"), 2, bytes(32), TimeControl(), now)
    decisions = session.open_decisions(now)
    while len(decisions) != 1 or len(decisions[0].legal_actions) < 8:
        for decision in decisions:
            action = decision.legal_actions[0]
            session.answer(decision.seat, decision.decision_id, action, now)
        decisions = session.open_decisions(now)
    return PlayResponse.FromString(wire.write_decision(decisions[0])).decision


DECISIONS = (opened(), in_turn())


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_every_message_comes_to_its_verdict_and_nothing_is_left() -> None:
    ledger = Ledger()
    asyncio.run(fuzz("warm", 100, ledger, at_once=2))
    before = open_descriptors()
    asyncio.run(fuzz("short", MESSAGES, ledger, at_once=2))
    assert ledger.failures == []
    assert ledger.messages >= MESSAGES
    assert {ACCEPTED, "PROTOCOL", "ILLEGAL_ACTION"} <= set(ledger.verdicts)
    assert open_descriptors() <= before


@pytest.mark.parametrize("mutation", dict(MUTATIONS), ids=lambda mutation: mutation.__name__)
def test_two_readers_agree_on_every_message(mutation: Mutation) -> None:
    rng = random.Random(mutation.__name__)
    for _ in range(EACH):
        message = mutation(rng, rng.choice(DECISIONS))
        assert read_by_the_referee(message) == read_by_the_model(message), message.hex()


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=80))
def test_two_readers_agree_on_any_bytes(message: bytes) -> None:
    assert read_by_the_referee(message) == read_by_the_model(message)


def read_by_the_referee(message: bytes) -> object:
    try:
        decision_id, action = wire.read_answer(message)
    except ProtocolError:
        return None
    return decision_id, read_action(encode_action(action).SerializeToString())


def read_by_the_model(message: bytes) -> object:
    said = read_answer(message)
    return None if said is None or said.deed is None else (said.decision_id, said.deed)


def test_an_honest_answer_is_accepted_and_others_are_not() -> None:
    rng = random.Random(1)
    first, second = DECISIONS
    assert judge(honest(rng, first), first) is None
    assert judge(honest(rng, first), second) is ForfeitReason.PROTOCOL
    illegal = bytes_field(
        2, number_field(1, second.decision_id) + bytes_field(2, b"\x0a\x02\x08\x63")
    )
    assert judge(illegal, second) is ForfeitReason.ILLEGAL_ACTION
    assert judge(b"", second) is ForfeitReason.PROTOCOL


@pytest.mark.parametrize(
    "message",
    [
        b"\x0a",
        b"\x0a\x05abc",
        b"\x00\x00",
        b"\x0e\x00",
        b"\x0c",
        b"\x0b",
        b"\x0b\x14",
        varint(1 << 35),
        b"\x80" * 11,
        b"\x0d\x00",
        varint(1 << 3 | GROUP) * 300,
        bytes_field(1, bytes_field(1, b"\xff")),
    ],
    ids=bytes.hex,
)
def test_the_model_knows_what_cannot_be_read(message: bytes) -> None:
    with pytest.raises(UnreadableError):
        read_greeting(message)


def test_a_wrong_verdict_a_missing_one_and_one_for_nothing_are_told() -> None:
    forfeit = Forfeit(0, Fault(ForfeitReason.CRASH, "It ended.")).encode()
    ledger = Ledger()
    ledger.owe("lane-1", 0, ForfeitReason.PROTOCOL, "a word")
    ledger.settle("lane-1", 2, [forfeit])
    assert "forfeited by CRASH" in ledger.failures.pop()
    ledger.settle("lane-2", 2, [forfeit])
    assert "seat 0 forfeited by CRASH for None" in ledger.failures.pop()
    ledger.owe("lane-3", 1, ForfeitReason.PROTOCOL, "a word")
    ledger.settle("lane-3", 2, [])
    assert "seat 1 should forfeit" in ledger.failures.pop()
    ledger.owe("lane-4", 1, ForfeitReason.PROTOCOL, "a word")
    ledger.owe("lane-4", 0, ForfeitReason.CRASH, "an exit")
    ledger.settle("lane-4", 2, [forfeit])  # the game was over before the word was read
    assert ledger.failures == []
