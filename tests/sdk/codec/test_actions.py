"""Actions on the wire."""

import contextlib

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.api.game.v1 import action_pb2
from roundhouse.codec import ProtocolError, decode_action, encode_action, encode_actions
from roundhouse.rules import (
    Action,
    Card,
    ChooseTicket,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ExchangeTicket,
    KeepTickets,
    Pass,
    TakeCard,
)
from tests.sdk.games import decisions

NUMBERS = st.integers(0, 2**32 - 1)
TICKETS = st.lists(NUMBERS, max_size=5).map(tuple)
ACTIONS = st.one_of(
    st.builds(TakeCard, NUMBERS),
    st.just(DrawCard()),
    st.just(DrawTickets()),
    st.builds(KeepTickets, TICKETS, TICKETS),
    st.builds(ClaimRoute, NUMBERS, st.none() | st.sampled_from(Card), NUMBERS),
    st.just(Pass()),
    st.builds(ChooseTicket, st.none() | NUMBERS),
    st.builds(ExchangeTicket, st.none() | NUMBERS),
)


def over_the_wire(message: action_pb2.Action) -> action_pb2.Action:
    return action_pb2.Action.FromString(message.SerializeToString())


@given(ACTIONS)
def test_every_action_comes_back_from_the_wire(action: Action) -> None:
    assert decode_action(over_the_wire(encode_action(action))) == action


@pytest.mark.parametrize("seats", [2, 5])
def test_every_legal_action_of_a_game_comes_back(seats: int) -> None:
    for state, seat, _ in decisions(seats):
        actions = state.legal_actions(seat)
        assert [decode_action(message) for message in encode_actions(actions)] == actions


def test_an_empty_action_is_refused() -> None:
    with pytest.raises(ProtocolError, match=r"^The action is empty, or of a kind"):
        decode_action(action_pb2.Action())


def test_an_action_of_a_newer_kind_is_refused() -> None:
    message = action_pb2.Action.FromString(b"\xba\x3e\x02ab")  # field 999, as a later version may

    with pytest.raises(ProtocolError, match=r"or of a kind that this version does not know\."):
        decode_action(message)


def test_an_unknown_colour_is_refused() -> None:
    claim = action_pb2.ClaimRoute(route_id=1)
    claim.MergeFromString(b"\x10\x4d")  # colour = 77

    with pytest.raises(ProtocolError, match=r"There is no card 77; the cards are 1 \(purple\)"):
        decode_action(action_pb2.Action(claim_route=claim))


@given(st.binary(max_size=60))
def test_any_bytes_are_an_action_or_refused(content: bytes) -> None:
    with contextlib.suppress(ProtocolError, DecodeError):
        action = decode_action(action_pb2.Action.FromString(content))
        assert decode_action(encode_action(action)) == action


@pytest.mark.parametrize(
    "value", [None, "draw", TakeCard(-1), ClaimRoute(1, Card.RED, 2**40), Card.RED, object()]
)
def test_what_cannot_be_sent_raises(value: Action) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode_action(value)


def test_lists_in_place_of_tuples_are_sent_all_the_same() -> None:
    action = KeepTickets([1, 2], [3])  # type: ignore[arg-type]

    assert decode_action(encode_action(action)) == KeepTickets((1, 2), (3,))
