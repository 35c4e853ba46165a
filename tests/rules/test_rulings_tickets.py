"""R-14 and R-15: destination tickets."""

from __future__ import annotations

import pytest

from roundhouse.rules import (
    DrawCard,
    DrawTickets,
    ErrorCode,
    KeepTickets,
    Phase,
    Position,
    State,
    TicketsKept,
    TicketsOffered,
)
from tests.rules.games import CLASSIC, cards, check_conservation, refused


def with_ticket_deck(*deck: int, seats: int = 2) -> State:
    """Set up seat 0's turn with these tickets in the deck, the top first; seat 1 holds the rest."""
    held = tuple(ticket.id for ticket in CLASSIC.tickets if ticket.id not in deck)
    return Position(
        rules=CLASSIC,
        hands=(cards(),) * seats,
        tickets=((), held, *[()] * (seats - 2)),
        ticket_deck=deck,
    ).state()


@pytest.mark.parametrize("left", [5, 3, 2, 1])
def test_r14_an_offer_is_three_tickets_or_what_is_left(left: int) -> None:
    deck = (9, 4, 7, 2, 1)[:left]
    state = with_ticket_deck(*deck)
    assert state.apply(DrawTickets()) == [TicketsOffered(0, deck[:3], min(3, left))]
    assert (state.phase, state.turn_seat) == (Phase.TICKET_OFFER, 0)
    kept = {len(a.keep) for a in state.legal_actions() if isinstance(a, KeepTickets)}
    assert kept == set(range(1, min(3, left) + 1))  # at least one, or all of one
    check_conservation(state)


def test_r14_no_tickets_can_be_drawn_from_an_empty_deck() -> None:
    state = with_ticket_deck()
    assert DrawTickets() not in state.legal_actions()
    assert refused(state, DrawTickets()) is ErrorCode.NO_TICKETS


@pytest.mark.parametrize(
    ("keep", "give_back", "code"),
    [
        ((), (9, 4, 7), ErrorCode.KEEP_TOO_FEW),
        ((4, 4), (9, 7), ErrorCode.NOT_OFFERED),
        ((4,), (9,), ErrorCode.NOT_OFFERED),
        ((2,), (9, 4), ErrorCode.NOT_OFFERED),
        ((4, 9), (9,), ErrorCode.NOT_OFFERED),
        ((9, 4), (7,), ErrorCode.NOT_OFFERED),
        ((4, 7, 9, 2), (), ErrorCode.NOT_OFFERED),
    ],
)
def test_r14_each_offered_ticket_is_kept_or_given_back_once(
    keep: tuple[int, ...], give_back: tuple[int, ...], code: ErrorCode
) -> None:
    state = with_ticket_deck(9, 4, 7, 2)
    state.apply(DrawTickets())
    assert refused(state, KeepTickets(keep, give_back)) is code
    assert refused(state, KeepTickets((4,), (9, 7)), 1) is ErrorCode.NOT_YOUR_TURN


def test_r15_tickets_go_under_the_deck_in_the_order_given() -> None:
    state = with_ticket_deck(9, 4, 7, 2, 1)
    state.apply(DrawTickets())
    assert state.apply(KeepTickets((4,), (7, 9)))[0] == TicketsKept(0, (4,), (7, 9), 1, 2)
    assert state.ticket_deck == [2, 1, 7, 9]
    assert state.tickets[0] == (4,)
    places = [(place.position, place.ticket_id) for place in state.observe(0).known_tickets]
    assert places == [(2, 7), (3, 9)]
    assert state.observe(1).known_tickets == ()
    assert state.turn_seat == 1


def test_r15_kept_tickets_cannot_be_returned() -> None:
    state = with_ticket_deck(9, 4, 7, 2, 1)
    state.apply(DrawTickets())
    state.apply(KeepTickets((4,), (7, 9)))
    state.apply(DrawCard())
    state.apply(DrawCard())
    assert state.apply(DrawTickets()) == [TicketsOffered(0, (2, 1, 7), 3)]
    assert refused(state, KeepTickets((2,), (1, 7, 4))) is ErrorCode.NOT_OFFERED
