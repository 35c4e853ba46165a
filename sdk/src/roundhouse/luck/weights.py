"""How many points a unit of each term is worth.

Any constants leave the mean of the margin where it is; good ones remove some of its variance, and
bad ones add some. What a draw is worth depends on what a bot does with it: a good opening offer
helps who completes its tickets and hurts who does not. So the fixed weights, which serve every bot,
hold what helps every house bot and harms none, and that is little. Weights of a bot of its own can
be fitted: on other deals than those that they are then applied to, since a game must not choose its
own weights.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from roundhouse.luck.draws import Term

Weights = Mapping[Term, float]

FIXED: Weights = MappingProxyType(dict.fromkeys(Term, 0.0) | {Term.LOCOMOTIVES: 0.2})
"""For every bot. In 1,800 games of the house bots, pair by pair, a locomotive was worth something
to nearly all; of the other terms none had the same sign for all of them."""

USUAL: Weights = MappingProxyType(
    {
        Term.LOCOMOTIVES: 0.7,
        Term.MATCHES: 0.27,
        Term.NEEDED: 0.25,
        Term.SHOWN_LOCOMOTIVES: 0.2,
        Term.SHOWN_MATCHES: 0.1,
        Term.SHOWN_NEEDED: 0.1,
    }
)
"""How cards compare with one another where they are worth anything."""

_RIDGE = 0.2
"""Pulls fitted weights to 0 as if that share of the games had shown no effect."""
_CAUTION = 4.0
"""A fitted weight keeps the share 1 - 4/t^2 of itself, t being how many standard errors it has.
What is not clearly there weighs nothing: noise in a weight adds variance to every game."""

Terms = Sequence[float]
"""The terms of a seat, by `Term`."""


def fit_weights(
    own: Sequence[Terms], others: Sequence[Terms], margins: Sequence[float]
) -> tuple[Weights, Weights]:
    """Fit the weights of a bot and those of its opponents (least squares, cautiously).

    For each game: the bot's terms, the mean of the others', and the bot's margin. Three numbers are
    fitted for each side, a factor on the usual worth of cards and display and the weights of
    opening and offers: eight would follow the noise of some hundred games. What these games do not
    show clearly gets the weight 0.

    Raises:
        ValueError: there is no game.
    """
    if not margins:
        raise ValueError("No games to fit weights on.")
    rows = [
        _columns(mine) + [-x for x in _columns(theirs)]
        for mine, theirs in zip(own, others, strict=True)
    ]
    mean = sum(margins) / len(margins)
    off = [margin - mean for margin in margins]
    columns = list(zip(*rows, strict=True))
    size = len(columns)
    matrix = [[_dot(one, other) for other in columns] for one in columns]
    for i in range(size):
        # What never varied has nothing to be scaled by; it gets the weight 0.
        matrix[i][i] = matrix[i][i] * (1 + _RIDGE) or 1.0
    inverse = _invert(matrix)
    moments = [_dot(column, off) for column in columns]
    found = [_dot(row, moments) for row in inverse]
    left = [value - _dot(row, found) for row, value in zip(rows, off, strict=True)]
    noise = _dot(left, left) / max(len(rows) - size, 1)
    cautious = [_shrink(weight, noise * inverse[i][i]) for i, weight in enumerate(found)]
    return _weights(cautious[: size // 2]), _weights(cautious[size // 2 :])


def _columns(terms: Terms) -> list[float]:
    cards = sum(weight * terms[term] for term, weight in USUAL.items())
    return [cards, terms[Term.OPENING], terms[Term.OFFERS]]


def _weights(fitted: Sequence[float]) -> Weights:
    factor, opening, offers = fitted
    scaled = {term: factor * weight for term, weight in USUAL.items()}
    return scaled | {Term.OPENING: opening, Term.OFFERS: offers}


def _shrink(weight: float, variance: float) -> float:
    """Draw an estimate to 0, the more the less it is beyond its error (Breiman's garrote, 1995)."""
    if weight == 0:
        return 0.0
    return weight * max(0.0, 1 - _CAUTION * variance / weight**2)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _invert(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Invert a positive definite matrix by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = [value / rows[i][i] for value in rows[i]]
        rows = [[a - row[i] * b for a, b in zip(row, pivot, strict=True)] for row in rows]
        rows[i] = pivot
    return [row[size:] for row in rows]
