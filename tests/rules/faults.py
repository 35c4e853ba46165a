"""What is wrong with an action, found without the engine's checks: every code that fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundhouse.rules import (
    Action,
    Card,
    ChooseTicket,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ErrorCode,
    ExchangeTicket,
    FaceUpLocomotive,
    KeepTickets,
    Phase,
    Route,
    State,
    TakeCard,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def faults(  # noqa: C901, PLR0911 - one case a kind
    state: State, seat: int, action: Action
) -> set[ErrorCode]:
    """Return the codes that fit an action of a kind that the phase knows; none if it is legal."""
    match action:
        case TakeCard(slot):
            is_relaxed = state.rules.face_up_locomotive is FaceUpLocomotive.ORDINARY
            is_second = state.phase is Phase.SECOND_CARD and not is_relaxed
            found = slot_faults(state.display, slot)
            if not found and is_second and state.display[slot] == Card.LOCOMOTIVE:
                found = {ErrorCode.LOCOMOTIVE_SECOND}
            return found
        case DrawCard():
            return set() if state.deck or any(state.discard) else {ErrorCode.NOTHING_TO_DRAW}
        case DrawTickets():
            has_market = any(ticket >= 0 for ticket in state.market)
            is_possible = (state.ticket_deck or has_market) and not state.rules.solo
            return set() if is_possible else {ErrorCode.NO_TICKETS}
        case KeepTickets(keep, give_back):
            is_opening = state.phase is Phase.OPENING
            least = state.rules.opening_keep if is_opening else state.rules.later_keep
            answered = sorted(keep + give_back)
            if answered != sorted(state.offers[seat]) or list(keep) != sorted(keep):
                return {ErrorCode.NOT_OFFERED}
            return {ErrorCode.KEEP_TOO_FEW} if len(keep) < min(least, len(answered)) else set()
        case ChooseTicket(None):
            return set() if state.ticket_deck else {ErrorCode.NO_TICKETS}
        case ChooseTicket(int(slot)):
            return slot_faults(state.market, slot)
        case ExchangeTicket(None):
            return set()
        case ExchangeTicket(ticket):
            found = set() if state.ticket_deck else {ErrorCode.NO_TICKETS}
            return found if ticket in state.tickets[seat] else found | {ErrorCode.NOT_KEPT}
        case ClaimRoute():
            return set(claim_faults(state, seat, action))
    return {ErrorCode.NOT_FORCED}


def slot_faults(row: Sequence[int], slot: int) -> set[ErrorCode]:
    """Return what is wrong with a slot of a row in which -1 is empty."""
    if slot not in range(len(row)):
        return {ErrorCode.NO_SUCH_SLOT}
    return {ErrorCode.EMPTY_SLOT} if row[slot] < 0 else set()


def claim_faults(state: State, seat: int, claim: ClaimRoute) -> Iterator[ErrorCode]:
    """Yield what is wrong with a claim."""
    routes = {route.id: route for route in state.rules.board.routes}
    if claim.route_id not in routes:
        yield ErrorCode.NO_SUCH_ROUTE
        return
    route = routes[claim.route_id]
    yield from route_faults(state, seat, route)
    yield from payment_faults(state, seat, claim, route)


def route_faults(state: State, seat: int, route: Route) -> Iterator[ErrorCode]:
    """Yield why a route is not open to a seat."""
    if state.owners[route.id] is not None:
        yield ErrorCode.ROUTE_TAKEN
    if route.sibling is not None:
        holder = state.owners[route.sibling]
        if holder is not None and (state.seats < 4 or holder == seat):
            yield ErrorCode.SIBLING_CLOSED
    if state.turns and any(  # V-4
        done < 2 and not left for done, left in zip(state.turns, state.forfeits, strict=True)
    ):
        for city in (route.city_a, route.city_b):
            around = [r for r in state.rules.board.routes if city in {r.city_a, r.city_b}]
            ways = {frozenset((r.city_a, r.city_b)) for r in around}
            owned = [r for r in around if state.owners[r.id] == seat or r.id == route.id]
            if len(ways) == 2 == len({frozenset((r.city_a, r.city_b)) for r in owned}):
                yield ErrorCode.ROUTE_PROTECTED
    if state.trains[seat] < route.length:
        yield ErrorCode.NOT_ENOUGH_TRAINS


def payment_faults(state: State, seat: int, claim: ClaimRoute, route: Route) -> Iterator[ErrorCode]:
    """Yield what is wrong with the payment of a claim (R-11)."""
    if claim.locomotives not in range(route.length + 1):
        yield ErrorCode.WRONG_PAYMENT
    count = route.length - claim.locomotives
    colours = set(Card) - {Card.LOCOMOTIVE} if route.colour is None else {route.colour}
    is_named = claim.colour is not None
    if is_named != (count != 0) or (is_named and claim.colour not in colours):
        yield ErrorCode.WRONG_COLOUR
    hand = state.hands[seat]
    if hand[Card.LOCOMOTIVE] < claim.locomotives or (
        claim.colour is not None and hand[claim.colour] < count
    ):
        yield ErrorCode.NOT_ENOUGH_CARDS
