"""From an event of the rules to its message."""

from typing import assert_never

from roundhouse.api.game.v1 import event_pb2
from roundhouse.codec.cards import encode_card, encode_counts
from roundhouse.codec.standing import encode_standing
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


def make_message(event: Event) -> event_pb2.Event:  # noqa: C901, PLR0911, PLR0912 - one case a kind
    """Return a new message for an event."""
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
