"""Tickets on their way: offers, the market, and what goes under the deck (R-14, R-15, V-3, V-5)."""

from typing import TYPE_CHECKING

from roundhouse.rules.actions import KeepTickets
from roundhouse.rules.chance import OPENING_REJECTS, shuffle
from roundhouse.rules.events import (
    Event,
    MarketFilled,
    TicketChosen,
    TicketExchanged,
    TicketsKept,
    TicketsOffered,
    TicketsShown,
)
from roundhouse.rules.phase import TICKET_OFFER

if TYPE_CHECKING:
    from roundhouse.rules.state import State

MARKET_SLOTS = 3
"""Tickets that lie face up in a `ticket_market` (V-3)."""


def has_tickets(state: "State") -> bool:
    """Tell whether a seat may ask for an offer (R-14); never in `solo` (R-26)."""
    return state.tables.has_later_offers and (bool(state.ticket_deck) or has_market(state.market))


def has_market(market: tuple[int, ...]) -> bool:
    """Tell whether a ticket lies face up (V-3)."""
    return bool(market) and max(market) >= 0


def draw_tickets(state: "State", count: int, seat: int | None) -> tuple[int, ...]:
    """Take tickets from the top of the deck, as many as are left; `seat` sees them, None is all."""
    drawn = tuple(state.ticket_deck[:count])
    del state.ticket_deck[:count]
    for ticket in drawn:
        state.returned_by[ticket] = -1
    first, last = state.mixed
    if last:
        state.mixed = (max(0, first - len(drawn)), max(0, last - len(drawn)))
        if first < len(drawn) and seat is not None:
            # Some of the shuffled rejects are gone, and only this seat knows which: to the others
            # those that are left may be any. To go on showing them would tell what was drawn.
            for ticket in state.ticket_deck[: state.mixed[1]]:
                if state.returned_by[ticket] != seat:
                    state.returned_by[ticket] = -1
    return drawn


def offer_tickets(state: "State", seat: int, count: int, events: list[Event] | None) -> None:
    """Offer the top of the deck to a seat: as many as are left (R-14)."""
    offer = draw_tickets(state, count, seat)
    state.offers[seat] = offer
    if events is not None:
        events.append(TicketsOffered(seat, offer, len(offer)))


def choose_ticket(state: "State", seat: int, slot: int | None, events: list[Event] | None) -> None:
    """Add a ticket of the market, or the top of the deck, to an offer (V-3)."""
    if slot is None:
        (ticket,) = draw_tickets(state, 1, seat)
    else:
        ticket = state.market[slot]
        state.market = (*state.market[:slot], -1, *state.market[slot + 1 :])
        state.shown += (ticket,)
    state.offers[seat] += (ticket,)
    if events is not None:
        events.append(TicketChosen(seat, slot, ticket))
    is_full = len(state.offers[seat]) == state.rules.later_offer
    if is_full or not (state.ticket_deck or has_market(state.market)):
        state.phase = TICKET_OFFER


def fill_market(state: "State", events: list[Event] | None) -> None:
    """Reveal tickets until the market is as full as the deck allows (V-3)."""
    for slot, lying in enumerate(state.market):
        if lying < 0 and state.ticket_deck:
            (ticket,) = draw_tickets(state, 1, None)
            state.market = (*state.market[:slot], ticket, *state.market[slot + 1 :])
            if events is not None:
                events.append(MarketFilled(slot, ticket))


def keep_tickets(
    state: "State", seat: int, answer: KeepTickets, events: list[Event] | None
) -> None:
    """Carry out the answer to an offer."""
    state.offers[seat] = ()
    state.shown = ()
    state.tickets[seat] += answer.keep
    _put_under(state, answer.give_back, seat)
    if events is not None:
        kept, given_back = answer.keep, answer.give_back
        events.append(TicketsKept(seat, kept, given_back, len(kept), len(given_back)))
        _show_tickets(state, seat, events)


def mix_rejects(state: "State", first: int) -> None:
    """Shuffle all tickets from a place of the deck to its end together (`refresh-2025`).

    What a seat gave back lies among them, and the seat knows no more (`mixed`).
    """
    rejects = shuffle(state.seed, OPENING_REJECTS, 0, sorted(state.ticket_deck[first:]))
    state.ticket_deck[first:] = rejects
    state.mixed = (first, len(state.ticket_deck)) if rejects else (0, 0)


def exchange_ticket(
    state: "State", seat: int, ticket: int | None, events: list[Event] | None
) -> None:
    """Put a kept ticket under the deck and take the top one; None leaves all as it is (V-5)."""
    if ticket is None:
        return
    # Where it lies is known to whoever knew the ticket (V-1).
    _put_under(state, (ticket,), state.seats if state.rules.open_tickets else seat)
    (taken,) = draw_tickets(state, 1, seat)
    state.tickets[seat] = tuple([taken if own == ticket else own for own in state.tickets[seat]])
    if events is not None:
        events.append(TicketExchanged(seat, ticket, taken))
        _show_tickets(state, seat, events)


def take_back_offer(state: "State", seat: int) -> None:
    """Put a pending offer under the deck in the order offered (R-24)."""
    _put_under(state, state.offers[seat], seat)
    state.offers[seat] = ()
    state.shown = ()


def _put_under(state: "State", tickets: tuple[int, ...], known_to: int) -> None:
    """Put tickets under the deck in the order given; the seat knows where they lie (R-15)."""
    state.ticket_deck.extend(tickets)
    for ticket in tickets:
        state.returned_by[ticket] = known_to


def _show_tickets(state: "State", seat: int, events: list[Event]) -> None:
    if state.rules.open_tickets:  # V-1
        events.append(TicketsShown(seat, state.tickets[seat]))
