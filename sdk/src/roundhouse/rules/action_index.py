"""A stable small integer for every action, for learning code. `docs/notation.md` has the table.

The numbers depend on the board alone, and for answers to an offer on the places of the tickets in
the offer: 0 is the ticket that lay on top. They are the same in every edition on a board.
"""

from functools import cache
from itertools import permutations
from typing import Protocol

from roundhouse.rules.actions import (
    Action,
    ChooseTicket,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ExchangeTicket,
    KeepTickets,
    Pass,
    TakeCard,
)
from roundhouse.rules.board import Board
from roundhouse.rules.cards import COLOURS, Card
from roundhouse.rules.errors import ErrorCode, RulesError

DRAW_INDEX = 5
TICKETS_INDEX = 6
PASS_INDEX = 7
FIRST_KEEP_INDEX = 8

MOST_OFFERED = 5
"""Tickets in the largest offer of any edition (`mega`)."""

# What is given back, as places in the offer, in order; at least one ticket is kept. Shorter ones
# come first, so that the list for a smaller offer is part of the list for a larger one.
_GIVE_BACK = tuple(
    places for count in range(MOST_OFFERED) for places in permutations(range(MOST_OFFERED), count)
)
_KEEP_INDEX = {places: FIRST_KEEP_INDEX + number for number, places in enumerate(_GIVE_BACK)}

FIRST_CLAIM_INDEX = FIRST_KEEP_INDEX + len(_GIVE_BACK)
"""214: claims follow, by route id, then colour, then locomotives."""

MARKET_SLOTS = 3
"""Slots of the ticket market (V-3); the index after theirs is the top of the deck."""

# After the claims: the choices of a ticket (V-3), then the exchanges (V-5), of which the first is
# none and the others are by the ticket's place among the own tickets.
_CHOICES: tuple[ChooseTicket, ...] = (
    *(ChooseTicket(slot) for slot in range(MARKET_SLOTS)),
    ChooseTicket(None),
)
_EXCHANGES = 1 + MOST_OFFERED
_VARIANT_INDICES = len(_CHOICES) + _EXCHANGES

ACTION_COUNT = 1284
"""How many indices the USA board needs; they are 0 to `ACTION_COUNT` - 1."""


class Offered(Protocol):
    """What an index of an answer depends on: an `Observation` has it."""

    @property
    def board(self) -> Board:
        """Return the map."""

    @property
    def offer(self) -> tuple[int, ...]:
        """Return the tickets offered, the top of the deck first."""

    @property
    def tickets(self) -> tuple[int, ...]:
        """Return the tickets kept, in the order kept."""


def action_count(board: Board) -> int:
    """Return how many indices a board needs.

    >>> from roundhouse.rules import load_board
    >>> action_count(load_board("usa")) == ACTION_COUNT
    True
    """
    return FIRST_CLAIM_INDEX + len(_claims(board)) + _VARIANT_INDICES


def action_index(action: Action, seen: Offered) -> int:  # noqa: PLR0911 - one case a kind
    """Return the index of an action that is legal for the seat that sees `seen`.

    Raise `RulesError` (NOT_OFFERED, NO_SUCH_ROUTE, WRONG_PAYMENT, NO_SUCH_SLOT) for an action that
    could never be legal there.
    """
    match action:
        case TakeCard(slot) if 0 <= slot < DRAW_INDEX:
            return slot
        case DrawCard():
            return DRAW_INDEX
        case DrawTickets():
            return TICKETS_INDEX
        case Pass():
            return PASS_INDEX
        case KeepTickets(keep, give_back) if sorted(keep + give_back) == sorted(seen.offer):
            return _KEEP_INDEX[tuple(seen.offer.index(ticket) for ticket in give_back)]
        case ClaimRoute() if action in _claim_index(seen.board):
            return FIRST_CLAIM_INDEX + _claim_index(seen.board)[action]
        case ChooseTicket() if action in _CHOICES:
            return _first_choice(seen.board) + _CHOICES.index(action)
        case ExchangeTicket(None):
            return _first_choice(seen.board) + len(_CHOICES)
        case ExchangeTicket(ticket_id) if ticket_id in seen.tickets[:MOST_OFFERED]:
            place = seen.tickets.index(ticket_id)
            return _first_choice(seen.board) + len(_CHOICES) + 1 + place
    raise RulesError(ErrorCode.WRONG_PAYMENT, f"{action} has no index on {seen.board.name}.")


def action_from_index(index: int, seen: Offered) -> Action:
    """Return the action of an index: the opposite of `action_index`.

    The action need not be legal. Raise `RulesError` when no action has that index here.
    """
    claims = _claims(seen.board)
    if 0 <= index < DRAW_INDEX:
        return TakeCard(index)
    if FIRST_CLAIM_INDEX <= index < FIRST_CLAIM_INDEX + len(claims):
        return claims[index - FIRST_CLAIM_INDEX]
    if FIRST_KEEP_INDEX <= index < FIRST_CLAIM_INDEX:
        places = _GIVE_BACK[index - FIRST_KEEP_INDEX]
        if all(place < len(seen.offer) for place in places) and len(places) < len(seen.offer):
            give_back = tuple(seen.offer[place] for place in places)
            return KeepTickets(tuple(sorted(set(seen.offer) - set(give_back))), give_back)
        raise RulesError(
            ErrorCode.NOT_OFFERED,
            f"The index {index} does not fit an offer of {len(seen.offer)} tickets.",
        )
    plain: dict[int, Action] = {
        DRAW_INDEX: DrawCard(),
        TICKETS_INDEX: DrawTickets(),
        PASS_INDEX: Pass(),
    }
    if _first_choice(seen.board) <= index < action_count(seen.board):
        return _variant_action(index - _first_choice(seen.board), seen)
    if index not in plain:
        raise RulesError(
            ErrorCode.UNREADABLE,
            f"There is no action {index}; the indices are 0 to {action_count(seen.board) - 1}.",
        )
    return plain[index]


def _first_choice(board: Board) -> int:
    return FIRST_CLAIM_INDEX + len(_claims(board))


def _variant_action(number: int, seen: Offered) -> Action:
    """Return an action that only variants have, numbered from 0."""
    if number < len(_CHOICES):
        return _CHOICES[number]
    place = number - len(_CHOICES) - 1
    if place < 0:
        return ExchangeTicket(None)
    if place >= len(seen.tickets):
        raise RulesError(
            ErrorCode.NOT_KEPT, f"There is no ticket {place + 1} of {len(seen.tickets)} kept."
        )
    return ExchangeTicket(seen.tickets[place])


@cache
def _claims(board: Board) -> tuple[ClaimRoute, ...]:
    found: list[ClaimRoute] = []
    for route in board.routes:
        colours: tuple[Card, ...] = COLOURS if route.colour is None else (route.colour,)
        found += [
            ClaimRoute(route.id, colour, locomotives)
            for colour in colours
            for locomotives in range(route.length)
        ]
        found.append(ClaimRoute(route.id, None, route.length))
    return tuple(found)


@cache
def _claim_index(board: Board) -> dict[ClaimRoute, int]:
    return {claim: number for number, claim in enumerate(_claims(board))}
