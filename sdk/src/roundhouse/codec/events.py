"""Events. What a seat may not see is left out before, by `event.redacted(seat)`."""

from collections.abc import Iterable
from functools import lru_cache

from roundhouse.api.game.v1 import event_pb2
from roundhouse.codec.event_decoding import DECODERS
from roundhouse.codec.event_encoding import make_message
from roundhouse.rules import Event

_Message = event_pb2.Event


def encode_event(event: Event) -> event_pb2.Event:
    """Return the message for an event; hidden parts are empty lists or CARD_UNSPECIFIED."""
    return _Message.FromString(serialise_event(event))


@lru_cache(maxsize=4096)  # a card drawn by one of the seats, a card in one of the slots, and so on
def serialise_event(event: Event) -> bytes:
    """Return the bytes of the message for an event."""
    return make_message(event).SerializeToString()


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
    return None if kind is None else DECODERS[kind](message)
