"""Write messages that are put into messages by hand.

Protobuf's Python copies a message into another by writing it and reading it again, which at every
decision costs more than all the rest. The encoding allows better: a message is the concatenation of
its fields, in any order, and a field that holds a message is its tag, its length and its content.
So parts are written once, kept as bytes, and joined.
"""

from google.protobuf.message import Message

_LENGTH_DELIMITED = 2  # the wire type of a field that holds a message


class MessageField:
    """One field of a message type that holds a message, a list of them, or a packed list."""

    __slots__ = ("_tag",)

    def __init__(self, owner: type[Message], name: str) -> None:
        self._tag = _varint(owner.DESCRIPTOR.fields_by_name[name].number << 3 | _LENGTH_DELIMITED)

    def write(self, content: bytes) -> bytes:
        """Return the field with that content: a serialised message, or packed numbers."""
        return self._tag + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    if number < 0x80:
        return _SMALL[number]
    return bytes((number & 0x7F | 0x80,)) + _varint(number >> 7)


_SMALL = tuple(bytes((number,)) for number in range(0x80))
