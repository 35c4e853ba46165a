"""Events as one line of text, hidden ones included. The strictness is that of `notation`."""

import re
from collections.abc import Callable
from dataclasses import fields

from roundhouse.rules import events as e
from roundhouse.rules.board import Board
from roundhouse.rules.cards import Card, card_from_word
from roundhouse.rules.notation import format_cards, parse_cards, read_numbers, refuse_text
from roundhouse.rules.standing import Standing


def format_event(event: e.Event, board: Board) -> str:  # noqa: C901, PLR0911, PLR0912 - one case a kind
    """Write an event.

    >>> from roundhouse.rules import load_board
    >>> format_event(e.CardDrawn(1, None), load_board("usa"))
    'seat 1 draws a card'
    """
    match event:
        case e.DeckShuffled(count, cards):
            return f"shuffle {count} makes a deck of {cards}"
        case e.DisplayFilled(slot, card):
            return f"slot {slot} shows {card.word}"
        case e.DisplayCleared(cards):
            return f"display cleared of {format_cards(cards)}"
        case e.FinalRound(seat):
            return f"seat {seat} starts the final round"
        case e.CardsDealt(seat, cards, count):
            dealt = f"{count} cards" if cards is None else _words(cards)
            return f"seat {seat} is dealt {dealt}"
        case e.TicketsOffered(seat, tickets, count):
            offered = f"{count} tickets" if tickets is None else f"tickets {_join(tickets)}"
            return f"seat {seat} is offered {offered}"
        case e.TicketsKept(seat, kept, given_back, kept_count, given_back_count):
            if kept is None or given_back is None:
                return f"seat {seat} keeps {kept_count} tickets and returns {given_back_count}"
            return f"seat {seat} keeps tickets {_join(kept)} and returns {_join(given_back)}"
        case e.TicketsShown(seat, shown):
            return f"seat {seat} shows tickets {_join(shown)}"
        case e.TicketChosen(seat, place, ticket):
            what = "a ticket" if ticket is None else f"ticket {ticket}"
            return f"seat {seat} chooses {what} from {_place(place)}"
        case e.MarketFilled(slot, ticket):
            return f"market slot {slot} shows ticket {ticket}"
        case e.TicketExchanged(seat, given_back, taken):
            what = "a ticket" if given_back is None else f"ticket {given_back} for {taken}"
            return f"seat {seat} exchanges {what}"
        case e.CardDiscarded(slot, card):
            return f"{card.word} is discarded from slot {slot}"
        case e.CardTaken(seat, slot, card):
            return f"seat {seat} takes {card.word} from slot {slot}"
        case e.CardDrawn(seat, card):
            return f"seat {seat} draws {'a card' if card is None else card.word}"
        case e.RouteClaimed(seat, route_id, payment, points):
            paid = format_cards(payment)
            return f"seat {seat} claims {board.route(route_id)} ({paid}) for {points}"
        case e.TurnPassed(seat):
            return f"seat {seat} passes"
        case e.SeatForfeited(seat):
            return f"seat {seat} forfeits"
        case e.GameEnded(standings, hands):
            parts = [
                f"{_format_standing(standing)} hand={_join(hand, ',')}"
                for standing, hand in zip(standings, hands, strict=True)
            ]
            return f"game over: {'; '.join(parts)}"


def parse_event(text: str, board: Board) -> e.Event:  # noqa: RET503 - `refuse_text` never returns
    """Read an event. Raise `RulesError` (UNREADABLE, NO_SUCH_ROUTE) when the text is not one."""
    for pattern, read in _READERS:
        if match := pattern.fullmatch(text):
            event = read(match, board)
            if format_event(event, board) == text:
                return event
    refuse_text(text, "an event")


def _join(numbers: tuple[int, ...], joint: str = " ") -> str:
    return joint.join(map(str, numbers)) or "none"


def _split(text: str, joint: str = " ") -> tuple[int, ...]:
    return () if text == "none" else read_numbers(text.replace(joint, " "))


def _place(slot: int | None) -> str:
    return "the deck" if slot is None else f"slot {slot}"


def _words(cards: tuple[Card, ...]) -> str:
    return " ".join(card.word for card in cards) or "none"


def _format_standing(standing: Standing) -> str:
    parts = []
    for field in fields(Standing):
        value = getattr(standing, field.name)
        if value == field.default:
            continue  # what only some rules have is written where it is not 0
        shown = _join(value, ",") if isinstance(value, tuple) else str(int(value))
        parts.append(f"{field.name}={shown}")
    return " ".join(parts)


def _read_standing(text: str) -> tuple[Standing, tuple[int, ...]]:
    values = dict(part.split("=", 1) for part in text.split(" "))
    hand = _split(values.pop("hand", "none"), ",")
    tickets = _split(values.pop("tickets", "none"), ",")
    forfeited = values.pop("forfeited", "0") == "1"
    numbers = {name: int(value) for name, value in values.items()}
    return Standing(**numbers, forfeited=forfeited, tickets=tickets), hand


def _read_dealt(seat: int, text: str) -> e.Event:
    cards = () if text == "none" else tuple(card_from_word(word) for word in text.split(" "))
    return e.CardsDealt(seat, cards, len(cards))


def _read_kept(seat: int, kept: tuple[int, ...], given_back: tuple[int, ...]) -> e.Event:
    return e.TicketsKept(seat, kept, given_back, len(kept), len(given_back))


def _read_end(match: re.Match[str], _: Board) -> e.Event:
    try:
        parts = [_read_standing(part) for part in match[1].split("; ")]
    except (TypeError, ValueError):
        refuse_text(match[0], "an event")
    return e.GameEnded(tuple(part[0] for part in parts), tuple(part[1] for part in parts))


def _pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern in which # is a number and @ a text of any kind."""
    return re.compile(text.replace("#", "([0-9]{1,6})").replace("@", "(.+)"))


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Board], e.Event]], ...] = (
    (_pattern("shuffle # makes a deck of #"), lambda m, _: e.DeckShuffled(int(m[1]), int(m[2]))),
    (
        _pattern("slot # shows @"),
        lambda m, _: e.DisplayFilled(int(m[1]), card_from_word(m[2])),
    ),
    (_pattern("display cleared of @"), lambda m, _: e.DisplayCleared(parse_cards(m[1]))),
    (_pattern("seat # starts the final round"), lambda m, _: e.FinalRound(int(m[1]))),
    (
        _pattern("seat # is dealt # cards"),
        lambda m, _: e.CardsDealt(int(m[1]), None, int(m[2])),
    ),
    (_pattern("seat # is dealt @"), lambda m, _: _read_dealt(int(m[1]), m[2])),
    (
        _pattern("seat # is offered # tickets"),
        lambda m, _: e.TicketsOffered(int(m[1]), None, int(m[2])),
    ),
    (
        _pattern("seat # is offered tickets ([0-9 ]+|none)"),
        lambda m, _: e.TicketsOffered(int(m[1]), _split(m[2]), len(_split(m[2]))),
    ),
    (
        _pattern("seat # keeps # tickets and returns #"),
        lambda m, _: e.TicketsKept(int(m[1]), None, None, int(m[2]), int(m[3])),
    ),
    (
        _pattern("seat # keeps tickets ([0-9 ]+|none) and returns ([0-9 ]+|none)"),
        lambda m, _: _read_kept(int(m[1]), _split(m[2]), _split(m[3])),
    ),
    (
        _pattern("seat # takes @ from slot #"),
        lambda m, _: e.CardTaken(int(m[1]), int(m[3]), card_from_word(m[2])),
    ),
    (
        _pattern("seat # shows tickets ([0-9 ]+|none)"),
        lambda m, _: e.TicketsShown(int(m[1]), _split(m[2])),
    ),
    (
        _pattern("seat # chooses ticket # from slot #"),
        lambda m, _: e.TicketChosen(int(m[1]), int(m[3]), int(m[2])),
    ),
    (
        _pattern("seat # chooses ticket # from the deck"),
        lambda m, _: e.TicketChosen(int(m[1]), None, int(m[2])),
    ),
    (
        _pattern("seat # chooses a ticket from the deck"),
        lambda m, _: e.TicketChosen(int(m[1]), None, None),
    ),
    (
        _pattern("market slot # shows ticket #"),
        lambda m, _: e.MarketFilled(int(m[1]), int(m[2])),
    ),
    (
        _pattern("seat # exchanges ticket # for #"),
        lambda m, _: e.TicketExchanged(int(m[1]), int(m[2]), int(m[3])),
    ),
    (
        _pattern("seat # exchanges a ticket"),
        lambda m, _: e.TicketExchanged(int(m[1]), None, None),
    ),
    (
        _pattern("@ is discarded from slot #"),
        lambda m, _: e.CardDiscarded(int(m[2]), card_from_word(m[1])),
    ),
    (_pattern("seat # draws a card"), lambda m, _: e.CardDrawn(int(m[1]), None)),
    (_pattern("seat # draws @"), lambda m, _: e.CardDrawn(int(m[1]), card_from_word(m[2]))),
    (
        _pattern(r"seat # claims @ \(([^()]*)\) for #"),
        lambda m, board: e.RouteClaimed(
            int(m[1]), board.route_named(m[2]).id, parse_cards(m[3]), int(m[4])
        ),
    ),
    (_pattern("seat # passes"), lambda m, _: e.TurnPassed(int(m[1]))),
    (_pattern("seat # forfeits"), lambda m, _: e.SeatForfeited(int(m[1]))),
    (_pattern("game over: @"), _read_end),
)
