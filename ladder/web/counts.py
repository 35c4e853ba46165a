"""Counts of cards and rows of slots, as frames hold them."""

from typing import TypeVar

from roundhouse.rules import Card

T = TypeVar("T")


def plus(counts: tuple[int, ...], cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return counts with some cards more."""
    return tuple(count + cards.count(kind) for kind, count in zip(Card, counts, strict=True))


def added(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sum of counts, kind by kind."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def with_slot(row: tuple[T | None, ...], slot: int, item: T | None) -> tuple[T | None, ...]:
    """Return a row of slots with one of them filled anew, or emptied."""
    return (*row[:slot], item, *row[slot + 1 :])
