"""What an action does. Nothing is checked here: `checking` has done it, or the caller vouches."""

from typing import TYPE_CHECKING

from roundhouse.rules.actions import (
    Action,
    ChooseTicket,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ExchangeTicket,
    KeepTickets,
    TakeCard,
)
from roundhouse.rules.cards import LOCOMOTIVE
from roundhouse.rules.draws import draw_blind, fill_display, take_from_display
from roundhouse.rules.events import Event, RouteClaimed
from roundhouse.rules.legal import close_lanes, closes_sibling
from roundhouse.rules.offers import (
    choose_ticket,
    exchange_ticket,
    fill_market,
    keep_tickets,
    offer_tickets,
)
from roundhouse.rules.phase import OPENING, TICKET_CHOICE, TICKET_OFFER, Phase
from roundhouse.rules.tables import ROUTE_POINTS
from roundhouse.rules.turns import end_turn, next_exchange, settle_opening

if TYPE_CHECKING:
    from roundhouse.rules.state import State


def perform(  # noqa: C901 - one case a kind
    state: "State", seat: int, action: Action, events: list[Event] | None
) -> None:
    """Carry out a legal action and all that follows from it.

    `events` is extended by what happened; None spares building the events, which is all that
    `push` saves. There is no second implementation of any rule.
    """
    goes_on: Phase | None = None
    match action:
        case TakeCard():
            goes_on = take_from_display(state, seat, action.slot, events)
        case DrawCard():
            goes_on = draw_blind(state, seat, events)
        case ClaimRoute():
            _claim(state, seat, action, events)
        case DrawTickets():
            if state.market:  # V-3; nothing is offered yet
                state.phase = TICKET_CHOICE
                return
            offer_tickets(state, seat, state.rules.later_offer, events)
            state.phase = TICKET_OFFER
            return
        case KeepTickets():
            if state.phase is OPENING:
                state.answers[seat] = action
                settle_opening(state, events)
                return
            keep_tickets(state, seat, action, events)
            fill_market(state, events)
        case ChooseTicket():
            choose_ticket(state, seat, action.slot, events)
            return
        case ExchangeTicket():
            exchange_ticket(state, seat, action.ticket_id, events)
            next_exchange(state, seat + 1, events)
            return
        case _:  # a pass is never performed: the engine records it by itself
            raise AssertionError(action)
    if goes_on is not None:
        state.phase = goes_on
        return
    state.passes = 0
    end_turn(state, events)


def _claim(state: "State", seat: int, action: ClaimRoute, events: list[Event] | None) -> None:
    route_id, colour, locomotives = action.route_id, action.colour, action.locomotives
    length = state.tables.lengths[route_id]
    if colour is not None:
        _pay(state, seat, colour, length - locomotives)
    if locomotives:
        _pay(state, seat, LOCOMOTIVE, locomotives)
    state.trains[seat] -= length
    points = ROUTE_POINTS[length]
    state.points[seat] += points
    state.owners[route_id] = seat
    close_route(state, seat, route_id)
    if events is not None:
        payment = [0] * 9
        payment[LOCOMOTIVE] = locomotives
        if colour is not None:
            payment[colour] = length - locomotives
        events.append(RouteClaimed(seat, route_id, tuple(payment), points))
    if -1 in state.display:
        fill_display(state, events)


def _pay(state: "State", seat: int, card: int, count: int) -> None:
    """Put cards of one kind from a hand on the discard pile."""
    state.hands[seat][card] -= count
    state.discard[card] += count
    # What everybody knows of this hand: the cards paid may be the ones seen taken.
    place = seat * 9 + card
    state.known[place] = max(0, state.known[place] - count)


def close_route(state: "State", seat: int, route_id: int) -> None:
    """Close a claimed route to everybody, and its sibling to whom R-13 says."""
    tables = state.tables
    groups = tables.payments.groups
    for other in range(state.seats):
        is_double = closes_sibling(state.seats, other == seat)
        close_lanes(tables, state.open_routes, other * groups, route_id, is_double=is_double)
