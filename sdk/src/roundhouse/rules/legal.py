"""Which actions are legal: one answer for the state and for the observation."""

from collections.abc import Sequence
from itertools import permutations

from roundhouse.rules.actions import (
    Action,
    ChooseTicket,
    DrawCard,
    DrawTickets,
    ExchangeTicket,
    KeepTickets,
    TakeCard,
)
from roundhouse.rules.phase import BLIND_CARD, TICKET_CHOICE, Phase
from roundhouse.rules.tables import Tables

SLOTS = 5
"""Slots of the display."""

# Actions are values, so that one of each kind serves all lists.
_TAKE: tuple[Action, ...] = tuple(TakeCard(slot) for slot in range(SLOTS))
_DRAW: Action = DrawCard()
_TICKETS: Action = DrawTickets()


def turn_actions(
    tables: Tables,
    display: Sequence[int],
    hand: Sequence[int],
    open_routes: int,
    *,
    has_deck: bool,
    has_tickets: bool,
) -> list[Action]:
    """List what a seat may do at the start of its turn.

    `display` holds -1 where a slot is empty; `has_deck` counts the discard pile too (R-06);
    `open_routes` is cut to what the supply of trains covers.
    """
    found = [_TAKE[slot] for slot in range(SLOTS) if display[slot] >= 0]
    if has_deck:
        found.append(_DRAW)
    if has_tickets:
        found.append(_TICKETS)
    found += tables.payments.list_claims(hand, open_routes)
    return found


def second_card_actions(tables: Tables, display: Sequence[int], *, has_deck: bool) -> list[Action]:
    """List what may be a second card; there is no stopping (R-05).

    A face-up locomotive is none (R-04), unless V-2 makes it one.
    """
    most = tables.highest_second_card
    found = [_TAKE[slot] for slot in range(SLOTS) if 0 <= display[slot] <= most]
    if has_deck:
        found.append(_DRAW)
    return found


def keep_actions(offer: Sequence[int], keep_at_least: int) -> list[Action]:
    """List the answers to an offer: what is given back, in every order (R-14, R-15)."""
    most_returned = max(0, len(offer) - keep_at_least) if offer else -1
    ascending = sorted(offer)
    return [
        KeepTickets(tuple([t for t in ascending if t not in give_back]), give_back)
        for count in range(most_returned + 1)
        for give_back in permutations(offer, count)
    ]


def special_actions(
    phase: Phase, market: Sequence[int], tickets: Sequence[int], *, has_deck: bool
) -> list[Action]:
    """List what is legal in a phase that only some editions and variants have.

    `market` holds -1 where a slot is empty; `tickets` are those that the seat has kept, and
    `has_deck` speaks of the ticket deck.
    """
    if phase is BLIND_CARD:  # a duty, and the deck's alone
        return [_DRAW]
    if phase is TICKET_CHOICE:  # V-3
        found: list[Action] = [
            ChooseTicket(slot) for slot, ticket in enumerate(market) if ticket >= 0
        ]
        return [*found, ChooseTicket(None)] if has_deck else found
    return [ExchangeTicket(None), *(ExchangeTicket(one) for one in tickets if has_deck)]  # V-5


def protected_routes(
    tables: Tables,
    owners: Sequence[int | None],
    seat: int,
    *,
    turns: Sequence[int],
    playing: Sequence[bool],
) -> int:
    """Return the routes, as bits, with which a seat would own both ways into a city (V-4).

    There are none any more once every player has finished two turns; who has left does not count.
    """
    if all(done >= 2 or not plays for done, plays in zip(turns, playing, strict=True)):
        return 0
    closed = 0
    for one_side, other_side in tables.two_ways:
        if any(owners[route_id] == seat for route_id in one_side):
            closed |= sum(1 << route_id for route_id in other_side)
    return closed
