"""Which actions are legal: one answer for the state and for the observation."""

from collections.abc import Sequence
from itertools import permutations

from roundhouse.rules.actions import Action, DrawCard, DrawTickets, KeepTickets, TakeCard
from roundhouse.rules.cards import LOCOMOTIVE
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
    found += tables.list_claims(hand, open_routes)
    return found


def second_card_actions(display: Sequence[int], *, has_deck: bool) -> list[Action]:
    """List what may be a second card: no face-up locomotive (R-04); and no stopping (R-05)."""
    found = [_TAKE[slot] for slot in range(SLOTS) if 0 <= display[slot] < LOCOMOTIVE]
    if has_deck:
        found.append(_DRAW)
    return found


def keep_actions(offer: Sequence[int], keep_at_least: int) -> list[Action]:
    """List the answers to an offer: what is given back, in every order (R-14, R-15)."""
    most_returned = max(0, len(offer) - keep_at_least) if offer else -1
    return [
        KeepTickets(tuple(sorted(set(offer).difference(give_back))), give_back)
        for count in range(most_returned + 1)
        for give_back in permutations(offer, count)
    ]
