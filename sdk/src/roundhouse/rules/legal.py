"""Which actions are legal: one answer for the state and for the observation."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any, Final

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

SLOTS: Final = 5
"""Slots of the display."""

# Actions are values, so that one of each kind serves all lists.
_TAKE: Final[tuple[Action, ...]] = tuple(TakeCard(slot) for slot in range(SLOTS))
_DRAW: Final[Action] = DrawCard()
_TICKETS: Final[Action] = DrawTickets()

# An offer has ten answers or more. To set the fields of a frozen dataclass like this takes 0.16 µs
# rather than the 0.26 of its `__init__`, which asks `object.__setattr__` for each.
_NEW: Final[Any] = object.__new__
_SET_KEEP: Final[Any] = vars(KeepTickets)["keep"].__set__
_SET_GIVE_BACK: Final[Any] = vars(KeepTickets)["give_back"].__set__


def turn_actions(display: list[int], *, has_deck: bool, has_tickets: bool) -> list[Action]:
    """List what a seat may do at the start of its turn, but for the claims, which come last.

    `display` holds -1 where a slot is empty; `has_deck` counts the discard pile too (R-06).
    """
    found = [_TAKE[slot] for slot in range(SLOTS) if display[slot] >= 0]
    if has_deck:
        found.append(_DRAW)
    if has_tickets:
        found.append(_TICKETS)
    return found


def second_card_actions(tables: Tables, display: list[int], *, has_deck: bool) -> list[Action]:
    """List what may be a second card; there is no stopping (R-05).

    A face-up locomotive is none (R-04), unless V-2 makes it one.
    """
    most = tables.highest_second_card
    found = [_TAKE[slot] for slot in range(SLOTS) if 0 <= display[slot] <= most]
    if has_deck:
        found.append(_DRAW)
    return found


def keep_actions(offer: tuple[int, ...], keep_at_least: int) -> list[Action]:
    """List the answers to an offer: what is given back, in every order (R-14, R-15)."""
    found: list[Action] = []
    ascending = sorted(offer)
    for places in _given_back(len(offer), keep_at_least):
        give_back = tuple([offer[place] for place in places])
        keep = tuple([ticket for ticket in ascending if ticket not in give_back])
        answer: KeepTickets = _NEW(KeepTickets)
        _SET_KEEP(answer, keep)
        _SET_GIVE_BACK(answer, give_back)
        found.append(answer)
    return found


@cache
def _given_back(offered: int, keep_at_least: int) -> tuple[tuple[int, ...], ...]:
    """Return the places in an offer of what may be given back, in order."""
    most_returned = max(0, offered - keep_at_least) if offered else -1
    return tuple(
        places
        for count in range(most_returned + 1)
        for places in permutations(range(offered), count)
    )


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


def open_routes(
    tables: Tables, owners: Sequence[int | None], seat: int, seats: int, protected: int
) -> list[int]:
    """Return the routes of each group of payments that are open to a seat, as bits.

    `protected` are those that V-4 keeps from it, as bits by route id.
    """
    found = tables.payments.all_routes[:]
    for route_id, owner in enumerate(owners):
        if owner is not None:
            close_lanes(tables, found, 0, route_id, is_double=closes_sibling(seats, owner == seat))
    if protected:
        for route_id in range(len(owners)):
            if protected >> route_id & 1:
                close_lanes(tables, found, 0, route_id, is_double=False)
    return found


def closes_sibling(seats: int, is_owner: bool) -> bool:  # noqa: FBT001 - named arguments cost
    """Tell whether a claimed route closes its sibling to a seat too (R-13)."""
    return is_owner or seats <= 3


def close_lanes(
    tables: Tables, routes: list[int], first: int, route_id: int, *, is_double: bool
) -> None:
    """Close a route, and its sibling if it is to be, in the groups that begin at a place."""
    payments = tables.payments
    routes[first + payments.group[route_id]] &= ~payments.bit[route_id]
    sibling = tables.siblings[route_id]
    if is_double and sibling:
        routes[first + payments.group[sibling]] &= ~payments.bit[sibling]


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
