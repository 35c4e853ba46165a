"""Generalised log-likelihood ratios of two hypotheses about the mean score.

Nothing is assumed about the distribution of a group's score except its grid: for each hypothesis
the most likely distribution with the wanted mean is taken (Van den Bergh, "A practical introduction
to the GSPRT"), and so draws, deals and the dependence within a group need no model.
"""

import math
from collections.abc import Sequence

from roundhouse.statistics.elo import NORMALISED_ELO, moments, score_of_elo
from roundhouse.statistics.scores import GroupScores

_PRECISION = 1e-12
_MOST_STEPS = 100


def logistic_llr(scores: GroupScores, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of Elo `elo1` against `elo0`.

    Exact: the most likely distribution of mean s gives the score a the weight p/(1 + x(a - s)),
    where x solves sum p(a - s)/(1 + x(a - s)) = 0.
    """
    weights = scores.weights()
    values = scores.values
    total = math.fsum(weights)
    shares = [weight / total for weight in weights]
    tilts = []
    for elo in (elo0, elo1):
        distances = [value - score_of_elo(elo) for value in values]
        x = _root(shares, distances)
        tilts.append([math.log1p(x * distance) for distance in distances])
    return total * math.fsum(
        share * (under0 - under1) for share, under0, under1 in zip(shares, *tilts, strict=True)
    )


def normalised_llr(scores: GroupScores, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of normalised Elo `elo1` against `elo0`.

    The formula for a normal score of unknown variance, for comparison with other tools. It hardly
    grows when nearly all groups end alike, which is why the gate uses the exact one.
    """
    groups, mean, variance = moments(scores)
    games = groups * scores.games
    t = (mean - 0.5) / math.sqrt(scores.games * variance)  # in deviations of a single game
    t0, t1 = elo0 / NORMALISED_ELO, elo1 / NORMALISED_ELO
    return games / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))


def _root(shares: Sequence[float], distances: Sequence[float]) -> float:
    """Solve sum p d/(1 + x d) = 0 by Newton's method, kept between bounds that close in.

    The sum falls from plus to minus infinity between -1/max(d) and -1/min(d), so there is just one
    root. Needs a negative and a positive distance.
    """
    low, high = -1 / max(distances), -1 / min(distances)
    x = 0.0
    for _ in range(_MOST_STEPS):
        value = slope = 0.0
        for share, distance in zip(shares, distances, strict=True):
            term = distance / (1 + x * distance)
            value += share * term
            slope += share * term * term
        if value > 0:
            low = x
        else:
            high = x
        step = value / slope
        if abs(step) <= _PRECISION * (1 + abs(x)):
            break
        x += step
        if not low < x < high:
            x = (low + high) / 2
    return x
