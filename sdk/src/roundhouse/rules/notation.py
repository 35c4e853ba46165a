"""Actions and events as one line of text. `docs/notation.md` describes it with examples.

Reading is strict: a text that is not exactly what the writer would write is refused, so that an
action has one text and a text one meaning.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

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
from roundhouse.rules.cards import (
    LOCOMOTIVE,
    Card,
    CardCounts,
    card_from_word,
    describe_cards,
)
from roundhouse.rules.errors import ErrorCode, RulesError

_CLAIM = re.compile(r"claim (?P<route>.+) \((?P<cards>[^()]*)\)")
_TAKE = re.compile(r"take (\d{1,4})")
_CHOOSE = re.compile(r"choose (\d{1,4})")
_EXCHANGE = re.compile(r"exchange (\d{1,4})")
_KEEP = re.compile(r"keep((?: \d{1,4})*)(?: return((?: \d{1,4})+))?")


_PLAIN: Mapping[str, Action] = MappingProxyType(
    {
        "draw": DrawCard(),
        "tickets": DrawTickets(),
        "pass": Pass(),
        "choose deck": ChooseTicket(None),
        "exchange none": ExchangeTicket(None),
    }
)


def format_action(action: Action, board: Board) -> str:  # noqa: PLR0911 - one case a kind
    """Write an action.

    >>> from roundhouse.rules import Card, load_board
    >>> format_action(ClaimRoute(31, Card.GREEN, 1), load_board("usa"))
    'claim Denver-Helena (3 green + 1 locomotive)'
    """
    match action:
        case TakeCard(slot):
            return f"take {slot}"
        case DrawCard():
            return "draw"
        case DrawTickets():
            return "tickets"
        case KeepTickets(keep, give_back):
            returned = f" return{_numbers(give_back)}" if give_back else ""
            return f"keep{_numbers(keep)}{returned}"
        case ClaimRoute(route_id):
            return f"claim {board.route(route_id)} ({format_cards(_payment(action, board))})"
        case Pass():
            return "pass"
        case ChooseTicket(slot_or_deck):
            return f"choose {'deck' if slot_or_deck is None else slot_or_deck}"
        case ExchangeTicket(ticket_id):
            return f"exchange {'none' if ticket_id is None else ticket_id}"


def parse_action(text: str, board: Board) -> Action:
    """Read an action. Raise `RulesError` (UNREADABLE, NO_SUCH_ROUTE) when the text is not one."""
    action = _read_action(text, board)
    if action is None or format_action(action, board) != text:
        refuse_text(text, "an action")
    return action


def _read_action(text: str, board: Board) -> Action | None:  # noqa: PLR0911 - one pattern a kind
    if text in _PLAIN:
        return _PLAIN[text]
    if match := _CHOOSE.fullmatch(text):
        return ChooseTicket(int(match[1]))
    if match := _EXCHANGE.fullmatch(text):
        return ExchangeTicket(int(match[1]))
    if match := _TAKE.fullmatch(text):
        return TakeCard(int(match[1]))
    if match := _KEEP.fullmatch(text):
        return KeepTickets(read_numbers(match[1]), read_numbers(match[2] or ""))
    if match := _CLAIM.fullmatch(text):
        route = board.route_named(match["route"])
        cards = parse_cards(match["cards"])
        kinds = [card for card in Card if cards[card] and card != LOCOMOTIVE]
        if len(kinds) <= 1 and sum(cards) == route.length:
            return ClaimRoute(route.id, kinds[0] if kinds else None, cards[LOCOMOTIVE])
    return None


def _payment(action: ClaimRoute, board: Board) -> CardCounts:
    cards = [0] * 9
    cards[LOCOMOTIVE] = action.locomotives
    if action.colour is not None:
        cards[action.colour] = board.route(action.route_id).length - action.locomotives
    return tuple(cards)


def _numbers(numbers: Sequence[int]) -> str:
    return "".join(f" {number}" for number in numbers)


def read_numbers(text: str) -> tuple[int, ...]:
    """Read numbers that stand between spaces."""
    return tuple(int(word) for word in text.split())


def format_cards(cards: CardCounts) -> str:
    """Write counts of cards, such as `2 red + 1 locomotive`."""
    return describe_cards(cards, " + ")


def parse_cards(text: str) -> CardCounts:
    """Read counts of cards."""
    cards = [0] * 9
    if text != "no cards":
        for part in text.split(" + "):
            count, _, word = part.partition(" ")
            if not re.fullmatch(r"[0-9]{1,3}", count):
                refuse_text(text, "a number of cards")
            cards[card_from_word(word)] += int(count)
    return tuple(cards)


def refuse_text(text: str, what: str) -> NoReturn:
    """Raise `RulesError` (UNREADABLE) for a text that is not in the notation."""
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    raise RulesError(ErrorCode.UNREADABLE, f"{shown!r} is not {what} in the notation.")
