"""Events. What a seat may not see is left out before, by `event.redacted(seat)`."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from types import MappingProxyType
from typing import assert_never

from roundhouse.api.game.v1 import event_pb2
from roundhouse.codec.cards import (
    decode_card,
    decode_counts,
    encode_card,
    encode_counts,
    require_card,
)
from roundhouse.codec.standing import decode_standing, encode_standing
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

_Message = event_pb2.Event


def encode_event(event: Event) -> event_pb2.Event:
    """Return the message for an event; hidden parts are empty lists or CARD_UNSPECIFIED."""
    return _Message.FromString(serialise_event(event))


@lru_cache(maxsize=4096)  # a card drawn by one of the seats, a card in one of the slots, and so on
def serialise_event(event: Event) -> bytes:
    """Return the bytes of the message for an event."""
    return _encode(event).SerializeToString()


def encode_events(events: Iterable[Event]) -> list[event_pb2.Event]:
    """Return the messages for events, in order."""
    return [encode_event(event) for event in events]


def decode_event(message: event_pb2.Event) -> Event | None:
    """Return the event, or None for a kind that this version does not know.

    Such an event is skipped and not refused: the observation is complete without it. Raises
    `ProtocolError` when a card does not exist.
    """
    return _read(message.SerializeToString())


def decode_events(messages: Iterable[event_pb2.Event]) -> list[Event]:
    """Return the events of known kinds, in order."""
    return [event for message in messages if (event := decode_event(message)) is not None]


@lru_cache(maxsize=4096)
def _read(content: bytes) -> Event | None:
    message = _Message.FromString(content)
    kind = message.WhichOneof("kind")
    return None if kind is None else _DECODERS[kind](message)


def _encode(event: Event) -> event_pb2.Event:  # noqa: C901, PLR0911, PLR0912 - one case a kind
    match event:
        case DeckShuffled(count, cards):
            return _Message(deck_shuffled=event_pb2.DeckShuffled(count=count, cards=cards))
        case CardsDealt():
            return _Message(cards_dealt=_encode_dealt(event))
        case DisplayFilled(slot, card):
            return _Message(
                display_filled=event_pb2.DisplayFilled(slot=slot, card=encode_card(card))
            )
        case DisplayCleared(counts):
            return _Message(display_cleared=event_pb2.DisplayCleared(cards=encode_counts(counts)))
        case TicketsOffered():
            return _Message(tickets_offered=_encode_offered(event))
        case TicketsKept():
            return _Message(tickets_kept=_encode_kept(event))
        case CardTaken(seat, slot, card):
            return _Message(
                card_taken=event_pb2.CardTaken(seat=seat, slot=slot, card=encode_card(card))
            )
        case CardDrawn(seat, hidden):
            return _Message(card_drawn=event_pb2.CardDrawn(seat=seat, card=encode_card(hidden)))
        case RouteClaimed():
            return _Message(route_claimed=_encode_claimed(event))
        case TurnPassed(seat):
            return _Message(turn_passed=event_pb2.TurnPassed(seat=seat))
        case FinalRound(seat):
            return _Message(final_round=event_pb2.FinalRound(seat=seat))
        case SeatForfeited(seat):
            return _Message(seat_forfeited=event_pb2.SeatForfeited(seat=seat))
        case GameEnded():
            return _Message(game_ended=_encode_ended(event))
        case TicketsShown(seat, shown):
            return _Message(tickets_shown=event_pb2.TicketsShown(seat=seat, tickets=shown))
        case TicketChosen(seat, place, ticket):
            return _Message(
                ticket_chosen=event_pb2.TicketChosen(seat=seat, slot=place, ticket=ticket or 0)
            )
        case MarketFilled(slot, number):
            return _Message(market_filled=event_pb2.MarketFilled(slot=slot, ticket=number))
        case TicketExchanged(seat, given_back, taken):
            return _Message(
                ticket_exchanged=event_pb2.TicketExchanged(
                    seat=seat, given_back=given_back or 0, taken=taken or 0
                )
            )
        case CardDiscarded(slot, card):
            return _Message(
                card_discarded=event_pb2.CardDiscarded(slot=slot, card=encode_card(card))
            )
        case _:
            assert_never(event)


def _encode_dealt(event: CardsDealt) -> event_pb2.CardsDealt:
    cards = () if event.cards is None else event.cards
    return event_pb2.CardsDealt(
        seat=event.seat, cards=[encode_card(card) for card in cards], count=event.count
    )


def _encode_offered(event: TicketsOffered) -> event_pb2.TicketsOffered:
    return event_pb2.TicketsOffered(seat=event.seat, tickets=event.tickets or (), count=event.count)


def _encode_kept(event: TicketsKept) -> event_pb2.TicketsKept:
    return event_pb2.TicketsKept(
        seat=event.seat,
        kept=event.kept or (),
        given_back=event.given_back or (),
        kept_count=event.kept_count,
        given_back_count=event.given_back_count,
    )


def _encode_claimed(event: RouteClaimed) -> event_pb2.RouteClaimed:
    return event_pb2.RouteClaimed(
        seat=event.seat,
        route_id=event.route_id,
        payment=encode_counts(event.payment),
        points=event.points,
    )


def _encode_ended(event: GameEnded) -> event_pb2.GameEnded:
    return event_pb2.GameEnded(
        standings=[encode_standing(standing) for standing in event.standings],
        hands=[encode_counts(hand) for hand in event.hands],
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


_DECODERS: MappingProxyType[str, Callable[[event_pb2.Event], Event]] = MappingProxyType(
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
