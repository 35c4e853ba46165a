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
        Term.LOCOMOTIVES: 0.7,
        Term.MATCHES: 0.27,
        Term.NEEDED: 0.25,
        Term.SHOWN_LOCOMOTIVES: 0.2,
        Term.SHOWN_MATCHES: 0.1,
        Term.SHOWN_NEEDED: 0.1,
        Term.OPENING: 0.0,
        Term.OFFERS: 0.0,
    }
)
"""Some way below the fits of 1,200 games of the house bots, pair by pair: too small a weight leaves
variance where it was, too great a one adds some."""

_RIDGE = 0.2
"""Pulls fitted weights to 0 as if that share of the games had shown no effect."""

Terms = Sequence[float]
"""The terms of a seat, by `Term`."""


def fit_weights(
    own: Sequence[Terms], others: Sequence[Terms], margins: Sequence[float]
) -> tuple[Weights, Weights]:
    """Fit the weights of a bot and those of its opponents (least squares).

    For each game: the bot's terms, the mean of the others', and the bot's margin. Three numbers are
    fitted for each side, a factor on the fixed weights of cards and display and the weights of
    opening and offers: eight would follow the noise of some hundred games.

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
    size = len(rows[0])
    matrix = [
        [sum(row[i] * row[j] for row in rows) for j in range(size)]
        + [sum(row[i] * (margin - mean) for row, margin in zip(rows, margins, strict=True))]
        for i in range(size)
    ]
    for i in range(size):
        # What never varied has nothing to be scaled by; it gets the weight 0.
        matrix[i][i] = matrix[i][i] * (1 + _RIDGE) or 1.0
    found = _solve(matrix)
    return _weights(found[: size // 2]), _weights(found[size // 2 :])


def _columns(terms: Terms) -> list[float]:
    cards = sum(FIXED[term] * terms[term] for term in Term)
    return [cards, terms[Term.OPENING], terms[Term.OFFERS]]


def _weights(fitted: Sequence[float]) -> Weights:
    factor, opening, offers = fitted
    scaled = {term: factor * weight for term, weight in FIXED.items()}
    return scaled | {Term.OPENING: opening, Term.OFFERS: offers}


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
