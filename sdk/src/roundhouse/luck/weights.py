"""How many points a unit of each term is worth.

Any constants leave the mean of the margin where it is; good ones remove more of its variance. What
a ticket is worth depends on what a bot does with tickets (it helps who completes them and hurts who
does not), so the fixed weights, which serve every bot, leave tickets out. Weights of a bot of its
own can be fitted: on other deals than those that they are then applied to, since a game must not
choose its own weights.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from roundhouse.luck.draws import Term

Weights = Mapping[Term, float]

FIXED: Weights = MappingProxyType(
    {
        Term.LOCOMOTIVES: 1.2,
        Term.MATCHES: 0.45,
        Term.NEEDED: 0.4,
        Term.SHOWN_LOCOMOTIVES: 0.3,
        Term.SHOWN_MATCHES: 0.15,
        Term.SHOWN_NEEDED: 0.2,
        Term.OPENING: 0.0,
        Term.OFFERS: 0.0,
    }
)
"""Between the fits of 1,200 games of the house bots, pair by pair (`bench/luck.py`)."""

_RIDGE = 0.05
"""Pulls fitted weights to 0 as if that share of the games had shown no effect."""


def fit_weights(terms: Sequence[Sequence[float]], margins: Sequence[float]) -> Weights:
    """Return the weights that explain most of the variance of margins (least squares).

    `terms` has one row a game: the terms of the seat, less what is to be held against them.

    Raises:
        ValueError: there is no game.
    """
    if not margins:
        raise ValueError("No games to fit weights on.")
    mean = sum(margins) / len(margins)
    size = len(Term)
    matrix = [
        [sum(row[i] * row[j] for row in terms) for j in range(size)]
        + [sum(row[i] * (margin - mean) for row, margin in zip(terms, margins, strict=True))]
        for i in range(size)
    ]
    for i in range(size):
        # A term that never varied has nothing to be scaled by; it gets the weight 0.
        matrix[i][i] = matrix[i][i] * (1 + _RIDGE) or 1.0
    return dict(zip(Term, _solve(matrix), strict=True))


def _solve(matrix: list[list[float]]) -> list[float]:
    """Solve a positive definite system by elimination; the right side is the last column."""
    size = len(matrix)
    for i in range(size):
        for j in range(i + 1, size):
            factor = matrix[j][i] / matrix[i][i]
            for k in range(i, size + 1):
                matrix[j][k] -= factor * matrix[i][k]
    found = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(matrix[i][k] * found[k] for k in range(i + 1, size))
        found[i] = (matrix[i][size] - rest) / matrix[i][i]
    return found
