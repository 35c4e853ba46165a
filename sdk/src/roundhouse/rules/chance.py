"""Chance, keyed by a seed of 256 bits. `docs/chance.md` specifies it for any language.

Every shuffle has a stream of its own, named by a label and a counter. So the order of a deck
depends on the seed alone and never on what was played before: two games that differ in their
actions still meet the same k-th shuffle of the same cards.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import unpack
from typing import TYPE_CHECKING, TypeVar

from roundhouse.rules.errors import ErrorCode, RulesError

if TYPE_CHECKING:
    from hashlib import _Hash

SEED_SIZE = 32
"""Bytes in a seed."""

TRAIN_DECK = b"train-deck"
"""The label of the train deck; the counter is how many shuffles went before."""

TICKET_DECK = b"ticket-deck"
"""The label of the ticket deck; it is shuffled once, with counter 0."""

OPENING_REJECTS = b"opening-rejects"
"""The label of the rejects of the opening, where an edition shuffles them; the counter is 0."""

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))

_WORDS = 1 << 32  # how many values a word of the stream has

T = TypeVar("T")


def check_seed(seed: object) -> bytes:
    """Return the seed. Raise `RulesError` (BAD_SET_UP) unless it is 32 bytes."""
    if not isinstance(seed, bytes) or len(seed) != SEED_SIZE:
        size = f"{len(seed)} bytes" if isinstance(seed, bytes) else type(seed).__name__
        raise RulesError(ErrorCode.BAD_SET_UP, f"A seed is {SEED_SIZE} bytes, not {size}.")
    return seed


def commitment(seed: bytes) -> bytes:
    """Return what may be published before the game: SHA-256 of the seed."""
    return sha256(check_seed(seed)).digest()


def stream(seed: bytes, label: bytes, counter: int) -> Iterator[int]:
    """Yield the 32-bit words of one stream, without end."""
    key = _keyed(_authenticate(_keyed(seed), label + counter.to_bytes(8, "big")))
    block = 0
    while True:
        yield from unpack(">8I", _authenticate(key, block.to_bytes(8, "big")))
        block += 1


# HMAC-SHA-256 (RFC 2104) in its two halves, hashed with the key once and copied for each message.
# `hmac.digest` looks its algorithm up at every call, which takes ten times as long as the hashing,
# and was a third of a random game.
def _keyed(key: bytes) -> "tuple[_Hash, _Hash]":
    block = key.ljust(64, b"\0")
    return sha256(block.translate(_INNER)), sha256(block.translate(_OUTER))


def _authenticate(key: "tuple[_Hash, _Hash]", message: bytes) -> bytes:
    inner, outer = key[0].copy(), key[1].copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


def shuffle(seed: bytes, label: bytes, counter: int, items: Sequence[T]) -> list[T]:
    """Return the items in an order drawn from one stream, all orders equally likely."""
    return order_by(stream(seed, label, counter), items)


def order_by(words: Iterator[int], items: Sequence[T]) -> list[T]:
    """Return the items in an order drawn from words of 32 bits.

    It is the Fisher-Yates shuffle from the last place down to the second; the place to swap with is
    a word modulo the number of places, and words that would favour the low places are skipped.
    """
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        places = last + 1
        fair = _WORDS - _WORDS % places
        word = next(words)
        while word >= fair:
            word = next(words)
        other = word % places
        order[last], order[other] = order[other], order[last]
    return order
