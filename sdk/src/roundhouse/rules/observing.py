"""Make the observation of a seat out of the state: the one place where knowledge is decided."""

from typing import TYPE_CHECKING

from roundhouse.rules.cards import CARDS
from roundhouse.rules.observation import (
    FinalRoundStatus,
    KnownTicket,
    MixedTickets,
    Observation,
    PublicPlayer,
)
from roundhouse.rules.phase import Phase

if TYPE_CHECKING:
    from roundhouse.rules.state import State


def observe(state: "State", seat: int) -> Observation:
    """Return what a seat of this game may know now, and nothing else."""
    opening = state.phase is Phase.OPENING
    answer = state.answers[seat]
    own = state.blind[seat * 9 : seat * 9 + 9]
    known, mixed = _returned_tickets(state, seat)
    return Observation(
        rules=state.rules,
        seat=seat,
        seats=state.seats,
        phase=state.phase,
        turn_seat=0 if opening else state.turn_seat,
        turn_number=state.turn_number,
        hand=tuple(state.hands[seat]),
        tickets=state.tickets[seat],
        offer=state.offers[seat] if answer is None else (),
        display=tuple([None if card < 0 else CARDS[card] for card in state.display]),
        deck_size=len(state.deck),
        discard=tuple(state.discard),
        ticket_deck_size=len(state.ticket_deck),
        route_owner=tuple(state.owners),
        players=tuple([_observe_player(state, player) for player in range(state.seats)]),
        known_tickets=known,
        final_round=_observe_final_round(state),
        shuffles=state.shuffles,
        passes_in_a_row=state.passes,
        deck_pool=tuple([state.pool[card] - own[card] for card in range(9)]),
        answer=answer,
        market=tuple([None if ticket < 0 else ticket for ticket in state.market]),
        shown_offer=state.shown,
        mixed_tickets=mixed,
    )


def _returned_tickets(
    state: "State", seat: int
) -> tuple[tuple[KnownTicket, ...], MixedTickets | None]:
    """Return what a seat knows of the ticket deck: exact places, and what lies among the rejects.

    It knows of what it gave back itself, and of what everybody knows (V-1 with V-5).
    """
    whose, everybody = state.returned_by, state.seats
    known = [
        KnownTicket(place, ticket)
        for place, ticket in enumerate(state.ticket_deck)
        if whose[ticket] == seat or whose[ticket] == everybody
    ]
    first, last = state.mixed
    if not last:
        return tuple(known), None
    inside = [one.ticket_id for one in known if first <= one.position < last]
    outside = [one for one in known if not first <= one.position < last]
    # Sorted: the order in which the rejects lie is not known.
    return tuple(outside), MixedTickets(first, last - first, tuple(sorted(inside)))


def _observe_player(state: "State", seat: int) -> PublicPlayer:
    return PublicPlayer(
        trains=state.trains[seat],
        hand_size=sum(state.hands[seat]),
        ticket_count=len(state.tickets[seat]),
        route_points=state.points[seat],
        forfeited=state.forfeits[seat] > 0,
        known_hand=tuple(state.known[seat * 9 : seat * 9 + 9]),
        offer_size=len(state.offers[seat]),
        forfeit_order=state.forfeits[seat],
        tickets=state.tickets[seat] if state.rules.open_tickets else (),  # V-1
        turns=state.turns[seat] if state.turns else 0,  # V-4
    )


def _observe_final_round(state: "State") -> FinalRoundStatus | None:
    if state.final_seat < 0:
        return None
    if state.phase is Phase.OVER:
        return FinalRoundStatus(state.final_seat, 0)
    ahead = (state.final_seat - state.turn_seat) % state.seats
    coming = range(state.turn_seat, state.turn_seat + ahead + 1)
    left = sum(1 for seat in coming if not state.forfeits[seat % state.seats])
    return FinalRoundStatus(state.final_seat, left)
