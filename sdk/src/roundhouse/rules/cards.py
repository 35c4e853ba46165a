"""Train cards, and how many of each: a hand, a pile, a payment."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final, TypeAlias

from roundhouse.rules.errors import ErrorCode, RulesError


class Card(IntEnum):
    """Name a kind of train card. The numbers are stable and index every `CardCounts`."""

    PURPLE = 0
    BLUE = 1
    ORANGE = 2
    WHITE = 3
    GREEN = 4
    YELLOW = 5
    BLACK = 6
    RED = 7
    LOCOMOTIVE = 8

    @property
    def word(self) -> str:
        """Return the lower-case English word, as used in CSV files and in the notation."""
        return self.name.lower()


CardCounts: TypeAlias = tuple[int, ...]
"""How many cards of each kind: nine numbers, indexed by `Card`."""

CARDS: Final[tuple[Card, ...]] = tuple(Card)
"""Every kind, by number: an index instead of a call of the enum in hot paths."""

COLOURS: tuple[Card, ...] = CARDS[:8]
"""The ordinary colours: every kind but the locomotive."""

LOCOMOTIVE: Final = 8
"""The locomotive as a plain int, for arithmetic on counts."""

NO_CARDS: CardCounts = (0,) * 9
"""An empty hand."""

_BY_WORD = {card.word: card for card in CARDS}


def card_from_word(word: str) -> Card:
    """Return the card named by an English word.

    >>> card_from_word("red")
    <Card.RED: 7>
    """
    try:
        return _BY_WORD[word]
    except KeyError:
        raise RulesError(
            ErrorCode.UNREADABLE,
            f"There is no card {word!r}; the cards are {', '.join(_BY_WORD)}.",
        ) from None


def count_cards(cards: Iterable[int]) -> CardCounts:
    """Count cards by kind.

    >>> count_cards([Card.RED, Card.RED, Card.BLUE])
    (0, 1, 0, 0, 0, 0, 0, 2, 0)
    """
    counts = [0] * 9
    for card in cards:
        counts[card] += 1
    return tuple(counts)


def spread_cards(counts: Sequence[int]) -> list[int]:
    """List the counted cards one by one, in the order of `Card`: the opposite of `count_cards`."""
    cards: list[int] = []
    for card, count in enumerate(counts):
        cards += [card] * count
    return cards


def describe_cards(counts: Sequence[int], joint: str = ", ") -> str:
    """Write counts in words, for sentences and the notation.

    >>> describe_cards((0, 1, 0, 0, 0, 0, 0, 2, 0))
    '1 blue, 2 red'
    """
    words = [f"{count} {CARDS[card].word}" for card, count in enumerate(counts) if count]
    return joint.join(words) if words else "no cards"
