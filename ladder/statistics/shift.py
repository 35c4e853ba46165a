"""Does something that should not matter move results? A score test within strata, by clusters.

In each stratum (the same versions in the same seats) outcomes are compared between games with and
without the mark. With h and x the mark and the outcome less their means in the stratum, the sum of
h x over all games is 0 on average if the mark does not matter. Games of a deal group depend on one
another, so the variance is the sum of the squares of the groups' sums.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from statistics import NormalDist, fmean

LEAST_GROUPS = 30
"""Fewer deal groups do not tell their own spread well enough for a normal approximation."""

_LEAST_IN_STRATUM = 4


@dataclass(frozen=True, slots=True)
class Observation:
    """One bot in one game."""

    stratum: Hashable
    group: int
    is_marked: bool
    outcome: float


@dataclass(frozen=True, slots=True)
class Shift:
    """How marked games differ from the others."""

    difference: float
    """Of the mean outcome, within strata."""
    deviations: float
    """In standard errors."""
    groups: int
    """Deal groups in strata that have both kinds."""


def measure_shift(observations: Iterable[Observation]) -> Shift | None:
    """Compare marked with unmarked games; None when too few groups can be compared."""
    strata: defaultdict[Hashable, list[Observation]] = defaultdict(list)
    for one in observations:
        strata[one.stratum].append(one)
    sums: defaultdict[int, float] = defaultdict(float)
    leverage = 0.0
    for stratum in strata.values():
        marked = fmean(one.is_marked for one in stratum)
        if len(stratum) < _LEAST_IN_STRATUM or marked in {0.0, 1.0}:
            continue
        mean = fmean(one.outcome for one in stratum)
        for one in stratum:
            sums[one.group] += (one.is_marked - marked) * (one.outcome - mean)
            leverage += (one.is_marked - marked) ** 2
    spread = math.sqrt(math.fsum(value * value for value in sums.values()))
    if len(sums) < LEAST_GROUPS or spread == 0:
        return None
    total = math.fsum(sums.values())
    return Shift(total / leverage, total / spread, len(sums))


def two_sided(deviations: float, looked_at: int) -> float:
    """Return how often chance does so much, either way, to one of so many (Bonferroni)."""
    return min(1.0, 2 * looked_at * NormalDist().cdf(-abs(deviations)))


def one_sided(deviations: float, looked_at: int) -> float:
    """Return how often chance does so much, upwards, to one of so many (Bonferroni)."""
    return min(1.0, looked_at * NormalDist().cdf(-deviations))
