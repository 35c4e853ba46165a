"""Events on the wire."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.api.game.v1 import card_pb2, event_pb2
from roundhouse.codec import (
    ProtocolError,
    decode_event,
    decode_events,
    encode_event,
    encode_events,
)
from roundhouse.rules import (
    Card,
    CardDiscarded,
    CardDrawn,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    Event,
    FinalRound,
    GameEnded,
    MarketFilled,
    RouteClaimed,
    SeatForfeited,
    Standing,
    TicketChosen,
    TicketExchanged,
    TicketsKept,
    TicketsOffered,
    TicketsShown,
    TurnPassed,
)
from tests.sdk.games import all_events

NUMBERS = st.integers(0, 2**32 - 1)
SEATS = st.integers(0, 4)
CARDS = st.sampled_from(Card)
COUNTS = st.lists(NUMBERS, min_size=9, max_size=9).map(tuple)
TICKET = st.integers(1, 2**32 - 1)
TICKETS = st.lists(NUMBERS, min_size=1, max_size=4).map(tuple)
POINTS = st.integers(-(2**31), 2**31 - 1)

STANDINGS = st.builds(
    Standing,
    seat=SEATS,
    placement=NUMBERS,
    total=POINTS,
    route_points=NUMBERS,
    ticket_points=POINTS,
    tickets_completed=NUMBERS,
    tickets_failed=NUMBERS,
    longest_path=NUMBERS,
    longest_bonus=NUMBERS,
    routes_claimed=NUMBERS,
    trains_left=NUMBERS,
    forfeited=st.booleans(),
    tickets=TICKETS,
    tickets_bonus=NUMBERS,
    team_total=POINTS,
)
SHOWN: tuple[st.SearchStrategy[Event], ...] = (
    st.builds(DeckShuffled, NUMBERS, NUMBERS),
    st.builds(
        lambda seat, cards: CardsDealt(seat, cards, len(cards)),
        SEATS,
        st.lists(CARDS, min_size=1, max_size=6).map(tuple),
    ),
    st.builds(DisplayFilled, NUMBERS, CARDS),
    st.builds(DisplayCleared, COUNTS),
    st.builds(lambda seat, tickets: TicketsOffered(seat, tickets, len(tickets)), SEATS, TICKETS),
    st.builds(
        lambda seat, kept, back: TicketsKept(seat, kept, back, len(kept), len(back)),
        SEATS,
        TICKETS,
        TICKETS | st.just(()),
    ),
    st.builds(CardTaken, SEATS, NUMBERS, CARDS),
    st.builds(CardDrawn, SEATS, CARDS),
    st.builds(RouteClaimed, SEATS, NUMBERS, COUNTS, NUMBERS),
    st.builds(TurnPassed, SEATS),
    st.builds(FinalRound, SEATS),
    st.builds(SeatForfeited, SEATS),
    st.builds(
        GameEnded,
        st.lists(STANDINGS, max_size=5).map(tuple),
        st.lists(COUNTS, max_size=5).map(tuple),
    ),
    st.builds(TicketsShown, SEATS, TICKETS | st.just(())),
    st.builds(TicketChosen, SEATS, st.none() | NUMBERS, TICKET),
    st.builds(MarketFilled, NUMBERS, TICKET),
    st.builds(TicketExchanged, SEATS, TICKET, TICKET),
    st.builds(CardDiscarded, NUMBERS, CARDS),
)
EVENTS = st.one_of(SHOWN)


def over_the_wire(event: Event) -> Event | None:
    content = encode_event(event).SerializeToString()
    return decode_event(event_pb2.Event.FromString(content))


def test_every_kind_of_event_is_tried_here() -> None:
    assert len(SHOWN) == len(get_args(Event))


@given(EVENTS)
def test_every_event_comes_back_from_the_wire(event: Event) -> None:
    assert over_the_wire(event) == event


@given(EVENTS, st.none() | SEATS)
def test_what_is_hidden_stays_hidden(event: Event, seat: int | None) -> None:
    hidden = event.redacted(seat)

    assert over_the_wire(hidden) == hidden


@pytest.mark.parametrize("seats", [2, 5])
def test_all_events_of_a_game_come_back_as_each_seat_sees_them(seats: int) -> None:
    events = all_events(seats)
    for seat in (None, *range(seats)):
        shown = [event.redacted(seat) for event in events]
        assert decode_events(encode_events(shown)) == shown


def test_an_event_of_a_newer_kind_is_skipped() -> None:
    newer = event_pb2.Event.FromString(b"\xba\x3e\x02ab")

    assert decode_event(newer) is None
    assert decode_events([newer, encode_event(TurnPassed(1))]) == [TurnPassed(1)]


def test_a_revealed_card_must_exist() -> None:
    for card in (card_pb2.CARD_UNSPECIFIED, 77):
        part = event_pb2.DisplayFilled(slot=1)
        part.MergeFromString(bytes((0x10, card)))
        with pytest.raises(ProtocolError, match=f"There is no card {card};"):
            decode_event(event_pb2.Event(display_filled=part))
