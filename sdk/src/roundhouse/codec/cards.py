"""Train cards and counts of them."""

from functools import lru_cache

from roundhouse.api.game.v1 import card_pb2
from roundhouse.errors import ProtocolError
from roundhouse.rules import Card, CardCounts

_CARDS = tuple(Card)
# On the wire 0 is "no card", so that every card's number is one higher.
_NONE = card_pb2.CARD_UNSPECIFIED
_TO_WIRE = tuple(card_pb2.Card.Value(f"CARD_{card.name}") for card in _CARDS)


def encode_card(card: Card | None) -> card_pb2.Card.ValueType:
    """Return the wire's number of a card; None is CARD_UNSPECIFIED."""
    return _NONE if card is None else _TO_WIRE[card]


def decode_card(number: int) -> Card | None:
    """Return the card of a number on the wire, None for CARD_UNSPECIFIED."""
    if number == 0:
        return None
    try:
        return _CARDS[number - 1] if number > 0 else _refuse(number)
    except IndexError:
        return _refuse(number)


def require_card(number: int) -> Card:
    """Return the card of a number on the wire, which may not be CARD_UNSPECIFIED."""
    card = decode_card(number)
    return _refuse(number) if card is None else card


@lru_cache(maxsize=4096)
def encode_counts(counts: CardCounts) -> card_pb2.CardCounts:
    """Return the message for counts of cards. It is shared: never change it."""
    return card_pb2.CardCounts(
        purple=counts[0],
        blue=counts[1],
        orange=counts[2],
        white=counts[3],
        green=counts[4],
        yellow=counts[5],
        black=counts[6],
        red=counts[7],
        locomotive=counts[8],
    )


@lru_cache(maxsize=4096)
def serialise_counts(counts: CardCounts) -> bytes:
    """Return the bytes of the message for counts of cards."""
    return encode_counts(counts).SerializeToString()


def decode_counts(message: card_pb2.CardCounts) -> CardCounts:
    """Return counts of cards, indexed by `Card`."""
    return _read_counts(message.SerializeToString())


# Writing the message and looking its bytes up is faster than asking for nine fields.
@lru_cache(maxsize=4096)
def _read_counts(content: bytes) -> CardCounts:
    message = card_pb2.CardCounts.FromString(content)
    return (
        message.purple,
        message.blue,
        message.orange,
        message.white,
        message.green,
        message.yellow,
        message.black,
        message.red,
        message.locomotive,
    )


def _refuse(number: int) -> Card:
    raise ProtocolError(f"There is no card {number}; the cards are 1 (purple) to 9 (locomotive).")
