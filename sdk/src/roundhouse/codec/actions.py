"""Actions."""

from collections.abc import Iterable
from functools import lru_cache
from typing import assert_never

from roundhouse.api.game.v1 import action_pb2
from roundhouse.codec.cards import decode_card, encode_card
from roundhouse.errors import ProtocolError
from roundhouse.rules import (
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


def encode_action(action: Action) -> action_pb2.Action:
    """Return the message for an action. It is shared: never change it.

    Raises `TypeError` or `ValueError` when the value is not an action that can be sent, for
    instance with a negative slot.
    """
    try:
        return _encode_once(action)
    except TypeError:  # an action with a list in place of a tuple has no hash, but it has a meaning
        return _encode(action)


def encode_actions(actions: Iterable[Action]) -> list[action_pb2.Action]:
    """Return the messages for actions. They are shared: never change them."""
    return [encode_action(action) for action in actions]


def serialise_action(action: Action) -> bytes:
    """Return the bytes of the message for an action, as `encode_action` makes it."""
    try:
        return _serialise_once(action)
    except TypeError:
        return _encode(action).SerializeToString()


def decode_action(message: action_pb2.Action) -> Action:  # noqa: PLR0911 - one case a kind
    """Return the action, which need not be legal. Raise `ProtocolError` when there is none."""
    kind = message.WhichOneof("kind")
    match kind:
        case "take_card":
            return TakeCard(message.take_card.slot)
        case "draw_card":
            return DrawCard()
        case "draw_tickets":
            return DrawTickets()
        case "keep_tickets":
            return decode_keep(message.keep_tickets)
        case "claim_route":
            claim = message.claim_route
            return ClaimRoute(claim.route_id, decode_card(claim.colour), claim.locomotives)
        case "pass":
            return Pass()
        case "choose_ticket":
            choice = message.choose_ticket
            return ChooseTicket(choice.slot if choice.HasField("slot") else None)
        case "exchange_ticket":
            exchange = message.exchange_ticket
            return ExchangeTicket(exchange.ticket_id if exchange.HasField("ticket_id") else None)
        case None:
            raise ProtocolError(
                "The action is empty, or of a kind that this version does not know."
            )
        case _:
            assert_never(kind)


def encode_keep(action: KeepTickets) -> action_pb2.KeepTickets:
    """Return the message for the answer to an offer."""
    return action_pb2.KeepTickets(keep=action.keep, give_back=action.give_back)


def decode_keep(message: action_pb2.KeepTickets) -> KeepTickets:
    """Return the answer to an offer."""
    return KeepTickets(tuple(message.keep), tuple(message.give_back))


def _encode(action: Action) -> action_pb2.Action:  # noqa: PLR0911 - one case a kind
    match action:
        case TakeCard(slot):
            return action_pb2.Action(take_card=action_pb2.TakeCard(slot=slot))
        case DrawCard():
            return action_pb2.Action(draw_card=action_pb2.DrawCard())
        case DrawTickets():
            return action_pb2.Action(draw_tickets=action_pb2.DrawTickets())
        case KeepTickets():
            return action_pb2.Action(keep_tickets=encode_keep(action))
        case ClaimRoute(route_id, colour, locomotives):
            return action_pb2.Action(
                claim_route=action_pb2.ClaimRoute(
                    route_id=route_id, colour=encode_card(colour), locomotives=locomotives
                )
            )
        case Pass():
            message = action_pb2.Action()
            getattr(message, "pass").SetInParent()  # the field's name is a keyword of Python
            return message
        case ChooseTicket(place):
            return action_pb2.Action(choose_ticket=action_pb2.ChooseTicket(slot=place))
        case ExchangeTicket(ticket_id):
            return action_pb2.Action(exchange_ticket=action_pb2.ExchangeTicket(ticket_id=ticket_id))
        case _:
            raise TypeError(f"{action!r} is not an action")


_encode_once = lru_cache(maxsize=8192)(_encode)  # all claims of a board, and then some


@lru_cache(maxsize=8192)
def _serialise_once(action: Action) -> bytes:
    return _encode(action).SerializeToString()
