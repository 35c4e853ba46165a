"""The model: a second reader of a bot's messages, made from the text of the .proto files alone.

It shares no code with protobuf or the codec, so that a slip in either shows as a difference. What a
message says is a value: the decision that it answers, and the action as a plain tuple.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Field = tuple[int, int, int | bytes]
    Deed = tuple[object, ...]

MOST_BYTES = 64 * 1024
MOST_DEPTH = 100
VARINT, FIXED64, LENGTH, GROUP, END_GROUP, FIXED32 = range(6)
CARDS = 9
KINDS = {
    1: "take_card",
    2: "draw_card",
    3: "draw_tickets",
    4: "keep_tickets",
    5: "claim_route",
    6: "pass",
    7: "choose_ticket",
    8: "exchange_ticket",
}


class UnreadableError(ValueError):
    """Bytes that are no protobuf message, or not one of the right type."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: the decision, and the action; None for one that no reader may accept."""

    decision_id: int
    deed: Deed | None


@dataclass(frozen=True, slots=True)
class Greeting:
    """A Hello: the token and the version."""

    token: str = ""
    version: str = ""


def read_answer(message: bytes) -> Said | None:
    """Return what a message answers; None if it is no answer, or cannot be read."""
    if len(message) > MOST_BYTES:
        return None
    try:
        number, answer = _request(message)
    except UnreadableError:
        return None
    if number != 2:
        return None
    action, decision_id = b"", 0
    for field, wire, value in fields(answer):
        if (field, wire) == (1, VARINT) and isinstance(value, int):
            decision_id = value
        elif (field, wire) == (2, LENGTH) and isinstance(value, bytes):
            action += value
    return Said(decision_id, read_action(action))


def read_greeting(message: bytes) -> Greeting:
    """Return the Hello of a first message, an empty one if it holds none.

    Raises:
        UnreadableError: it is no PlayRequest.
    """
    number, hello = _request(message)
    texts = {1: "", 2: ""}
    if number == 1:
        for field, wire, value in fields(hello):
            if field in texts and wire == LENGTH and isinstance(value, bytes):
                texts[field] = value.decode()
    return Greeting(texts[1], texts[2])


def read_action(action: bytes) -> Deed | None:
    """Return an action as a tuple; None for an empty or unknown one, or an unknown colour."""
    number, body = _one_of(action, dict.fromkeys(KINDS, _leaf))
    if not number:
        return None
    kind = KINDS[number]
    if kind == "keep_tickets":
        return (kind, _numbers(body, 1), _numbers(body, 2))
    last = {
        field: value & 0xFFFF_FFFF
        for field, wire, value in fields(body)
        if wire == VARINT and isinstance(value, int)
    }
    if kind == "take_card":
        return (kind, last.get(1, 0))
    if kind == "claim_route":
        colour = last.get(2, 0)
        return None if colour > CARDS else (kind, last.get(1, 0), colour, last.get(3, 0))
    if kind in {"choose_ticket", "exchange_ticket"}:
        return (kind, last.get(1))
    return (kind,)


def fields(data: bytes, depth: int = 0) -> Iterator[Field]:
    """Yield the fields of a message: number, wire type, value; groups are passed over."""
    at = 0
    while at < len(data):
        number, wire, value, at = _field(data, at, depth)
        if wire == END_GROUP:
            raise UnreadableError("the end of a group that never began")
        if wire != GROUP:
            yield number, wire, value


def _request(message: bytes) -> tuple[int, bytes]:
    return _one_of(message, {1: _hello, 2: _answer})


def _one_of(data: bytes, members: Mapping[int, Callable[[bytes], None]]) -> tuple[int, bytes]:
    """Return the member that is set and its bytes: the last wins, and equal ones are merged."""
    current, body = 0, b""
    for number, wire, value in fields(data):
        if number in members and wire == LENGTH and isinstance(value, bytes):
            members[number](value)
            body = body + value if number == current else value
            current = number
    return current, body


def _hello(data: bytes) -> None:
    for number, wire, value in fields(data, 1):
        if number in {1, 2, 3} and wire == LENGTH and isinstance(value, bytes):
            try:
                value.decode()
            except UnicodeDecodeError as error:
                raise UnreadableError("a string that is not UTF-8") from error


def _answer(data: bytes) -> None:
    for number, wire, value in fields(data, 1):
        if (number, wire) == (2, LENGTH) and isinstance(value, bytes):
            _one_of(value, {**dict.fromkeys(KINDS, _leaf), 4: _keep})


def _leaf(data: bytes) -> None:
    for _ in fields(data, 3):
        pass


def _keep(data: bytes) -> None:
    _numbers(data, 1)
    _numbers(data, 2)


def _numbers(data: bytes, wanted: int) -> tuple[int, ...]:
    """Return a repeated number, packed or not."""
    found: list[int] = []
    for number, wire, value in fields(data, 3):
        if number != wanted:
            continue
        if wire == VARINT and isinstance(value, int):
            found.append(value & 0xFFFF_FFFF)
        elif wire == LENGTH and isinstance(value, bytes):
            at = 0
            while at < len(value):
                packed, at = _varint(value, at)
                found.append(packed & 0xFFFF_FFFF)
    return tuple(found)


def _field(data: bytes, at: int, depth: int) -> tuple[int, int, int | bytes, int]:
    tag, after = _varint(data, at)
    if after - at > 5 or tag >= 1 << 32:
        raise UnreadableError("a tag of more than 32 bits")
    number, wire = tag >> 3, tag & 7
    if not number:
        raise UnreadableError("field number 0")
    if wire == VARINT:
        value, after = _varint(data, after)
        return number, wire, value, after
    if wire == GROUP:
        return number, wire, 0, _group(data, after, number, depth + 1)
    if wire == END_GROUP:
        return number, wire, 0, after
    if wire == LENGTH:
        size, after = _varint(data, after)
    elif wire in {FIXED32, FIXED64}:
        size = 4 if wire == FIXED32 else 8
    else:
        raise UnreadableError(f"wire type {wire}")
    if after + size > len(data):
        raise UnreadableError("the end in the middle of a field")
    return number, wire, data[after : after + size], after + size


def _group(data: bytes, at: int, opened: int, depth: int) -> int:
    """Pass over a group and return where it ends."""
    if depth > MOST_DEPTH:
        raise UnreadableError("nested too deeply")
    while at < len(data):
        number, wire, _, at = _field(data, at, depth)
        if wire == END_GROUP:
            if number != opened:
                raise UnreadableError("the end of another group")
            return at
    raise UnreadableError("a group without an end")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(10):
        if at >= len(data):
            raise UnreadableError("the end in the middle of a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
    raise UnreadableError("a number of more than ten bytes")
