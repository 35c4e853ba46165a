"""Chance, keyed by a seed of 256 bits. `docs/chance.md` specifies it for any language.

Every shuffle has a stream of its own, named by a label and a counter. So the order of a deck
depends on the seed alone and never on what was played before: two games that differ in their
actions still meet the same k-th shuffle of the same cards.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from struct import unpack
from typing import TYPE_CHECKING, Final, TypeVar

from roundhouse.rules.errors import ErrorCode, RulesError

if TYPE_CHECKING:
    from hashlib import _Hash

SEED_SIZE: Final = 32
"""Bytes in a seed."""

TRAIN_DECK: Final = b"train-deck"
"""The label of the train deck; the counter is how many shuffles went before."""

TICKET_DECK: Final = b"ticket-deck"
"""The label of the ticket deck; it is shuffled once, with counter 0."""

OPENING_REJECTS: Final = b"opening-rejects"
"""The label of the rejects of the opening, where an edition shuffles them; the counter is 0."""

_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))

_WORDS: Final = 1 << 32  # how many values a word of the stream has

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
    """Return the 32-bit words of one stream, without end."""
    return _stream_from(_stream_key(seed, label, counter), 0)


def _stream_from(key: "tuple[_Hash, _Hash]", block: int) -> Iterator[int]:
    while True:
        yield from _words(key, block, 1)
        block += 1


def _stream_key(seed: bytes, label: bytes, counter: int) -> "tuple[_Hash, _Hash]":
    return _keyed(_authenticate(_keyed(seed), label + counter.to_bytes(8, "big")))


def _words(key: "tuple[_Hash, _Hash]", first: int, blocks: int) -> tuple[int, ...]:
    """Return the words of so many blocks, from the block `first` on."""
    joined = b"".join(
        [_authenticate(key, block.to_bytes(8, "big")) for block in range(first, first + blocks)]
    )
    return unpack(f">{8 * blocks}I", joined)


# HMAC-SHA-256 (RFC 2104) in its two halves, hashed with the key once and copied for each message:
# 1.3 µs a block rather than the 2.1 of `hmac.digest`, which looks its algorithm up at every call.
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
    key = _stream_key(seed, label, counter)
    # The words that are needed are made at once and walked by C: a generator costs as much again.
    # They are enough but once in a hundred thousand shuffles, when a word is skipped.
    blocks = (len(items) + 6) // 8
    return order_by(chain(_words(key, 0, blocks), _stream_from(key, blocks)), items)


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
