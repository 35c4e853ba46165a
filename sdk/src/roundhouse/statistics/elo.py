"""Elo, its error and the likelihood of superiority, from the scores of deal groups.

The formulas are those of fishtest and fastchess, whose published numbers pin them in the tests.
With more than two players the mean score is the mean over the others of "placed above it", and in
the Plackett-Luce model that is the same logistic function of the difference in strength as in a
duel: the Elo of a table of five means what it means for two.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from roundhouse.statistics.scores import GroupScores

NORMALISED_ELO = 800 / math.log(10)
"""One standard deviation of a single game, in normalised Elo: near 0 it is the logistic one."""

_MARGIN = 1e-3
"""Scores nearer to 0 or 1 are shown as this one: the Elo of a clean sweep is beyond all bounds."""

_Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the groups so far say. Errors are half the width of a 95 % interval."""

    elo: float
    elo_error: float
    normalised_elo: float
    normalised_elo_error: float
    superiority: float
    """The likelihood of superiority (LOS): that the bot is the stronger, between 0 and 1."""


def score_of_elo(elo: float) -> float:
    """Return the expected score of one that is stronger by so much Elo.

    >>> score_of_elo(0.0), round(score_of_elo(400.0), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return by how much Elo one that has this expected score is the stronger."""
    bounded = min(max(score, _MARGIN), 1 - _MARGIN)
    return -400 * math.log10(1 / bounded - 1)


def moments(scores: GroupScores) -> tuple[float, float, float]:
    """Return how many groups there are, and mean and variance of a group's score.

    Scores that did not occur have their small weight, so that the variance is never 0.
    """
    weights = scores.weights()
    values = scores.values
    total = math.fsum(weights)
    mean = math.fsum(w * value for w, value in zip(weights, values, strict=True)) / total
    variance = (
        math.fsum(w * (value - mean) ** 2 for w, value in zip(weights, values, strict=True)) / total
    )
    return total, mean, variance


def estimate(scores: GroupScores) -> Estimate:
    """Estimate the strength from the scores of deal groups, as many as there are, even none."""
    groups, mean, variance = moments(scores)
    error = math.sqrt(variance / groups)
    game_deviation = math.sqrt(scores.games * variance)
    low, high = elo_of_score(mean - _Z95 * error), elo_of_score(mean + _Z95 * error)
    return Estimate(
        elo=elo_of_score(mean),
        elo_error=(high - low) / 2,
        normalised_elo=(mean - 0.5) / game_deviation * NORMALISED_ELO,
        normalised_elo_error=_Z95 * NORMALISED_ELO / math.sqrt(scores.games * groups),
        superiority=NormalDist().cdf((mean - 0.5) / error),
    )
