"""From the message of an event to the event, one function for each kind."""

from collections.abc import Callable
from types import MappingProxyType

from roundhouse.api.game.v1 import event_pb2
from roundhouse.codec.cards import decode_card, decode_counts, require_card
from roundhouse.codec.standing import decode_standing
from roundhouse.rules import (
    CardDiscarded,
    CardDrawn,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    Event,
    FinalRound,
    GameEnded,
    MarketFilled,
    RouteClaimed,
    SeatForfeited,
    TicketChosen,
    TicketExchanged,
    TicketsKept,
    TicketsOffered,
    TicketsShown,
    TurnPassed,
)


def _decode_shuffled(message: event_pb2.Event) -> Event:
    part = message.deck_shuffled
    return DeckShuffled(part.count, part.cards)


def _decode_dealt(message: event_pb2.Event) -> Event:
    part = message.cards_dealt
    cards = tuple(require_card(card) for card in part.cards)
    return CardsDealt(part.seat, cards if len(cards) == part.count else None, part.count)


def _decode_filled(message: event_pb2.Event) -> Event:
    part = message.display_filled
    return DisplayFilled(part.slot, require_card(part.card))


def _decode_cleared(message: event_pb2.Event) -> Event:
    return DisplayCleared(decode_counts(message.display_cleared.cards))


def _decode_offered(message: event_pb2.Event) -> Event:
    part = message.tickets_offered
    tickets = tuple(part.tickets)
    return TicketsOffered(part.seat, tickets if len(tickets) == part.count else None, part.count)


def _decode_kept(message: event_pb2.Event) -> Event:
    part = message.tickets_kept
    kept, given_back = tuple(part.kept), tuple(part.given_back)
    is_shown = len(kept) == part.kept_count and len(given_back) == part.given_back_count
    return TicketsKept(
        part.seat,
        kept if is_shown else None,
        given_back if is_shown else None,
        part.kept_count,
        part.given_back_count,
    )


def _decode_taken(message: event_pb2.Event) -> Event:
    part = message.card_taken
    return CardTaken(part.seat, part.slot, require_card(part.card))


def _decode_drawn(message: event_pb2.Event) -> Event:
    part = message.card_drawn
    return CardDrawn(part.seat, decode_card(part.card))


def _decode_claimed(message: event_pb2.Event) -> Event:
    part = message.route_claimed
    return RouteClaimed(part.seat, part.route_id, decode_counts(part.payment), part.points)


def _decode_passed(message: event_pb2.Event) -> Event:
    return TurnPassed(message.turn_passed.seat)


def _decode_final_round(message: event_pb2.Event) -> Event:
    return FinalRound(message.final_round.seat)


def _decode_forfeited(message: event_pb2.Event) -> Event:
    return SeatForfeited(message.seat_forfeited.seat)


def _decode_ended(message: event_pb2.Event) -> Event:
    part = message.game_ended
    return GameEnded(
        tuple(decode_standing(standing) for standing in part.standings),
        tuple(decode_counts(hand) for hand in part.hands),
    )


def _decode_shown(message: event_pb2.Event) -> Event:
    part = message.tickets_shown
    return TicketsShown(part.seat, tuple(part.tickets))


def _decode_chosen(message: event_pb2.Event) -> Event:
    part = message.ticket_chosen
    return TicketChosen(
        part.seat, part.slot if part.HasField("slot") else None, part.ticket or None
    )


def _decode_market(message: event_pb2.Event) -> Event:
    part = message.market_filled
    return MarketFilled(part.slot, part.ticket)


def _decode_exchanged(message: event_pb2.Event) -> Event:
    part = message.ticket_exchanged
    return TicketExchanged(part.seat, part.given_back or None, part.taken or None)


def _decode_discarded(message: event_pb2.Event) -> Event:
    part = message.card_discarded
    return CardDiscarded(part.slot, require_card(part.card))


DECODERS: MappingProxyType[str, Callable[[event_pb2.Event], Event]] = MappingProxyType(
    {
        "deck_shuffled": _decode_shuffled,
        "cards_dealt": _decode_dealt,
        "display_filled": _decode_filled,
        "display_cleared": _decode_cleared,
        "tickets_offered": _decode_offered,
        "tickets_kept": _decode_kept,
        "card_taken": _decode_taken,
        "card_drawn": _decode_drawn,
        "route_claimed": _decode_claimed,
        "turn_passed": _decode_passed,
        "final_round": _decode_final_round,
        "seat_forfeited": _decode_forfeited,
        "game_ended": _decode_ended,
        "tickets_shown": _decode_shown,
        "ticket_chosen": _decode_chosen,
        "market_filled": _decode_market,
        "ticket_exchanged": _decode_exchanged,
        "card_discarded": _decode_discarded,
    }
)
"""By the name of the field that holds the event."""
