"""Bots that play for one another: results that move together more than the ratings allow.

Given the strengths of a table, the Plackett-Luce model says how often each order comes, and so the
mean of each normalised rank, and the covariance of two: below 0, since one's gain is another's
loss. Two things are looked at for each pair at tables of three or more, over deal groups:

* whether the product of their deviations is above that covariance: they rise and fall together;
* whether the sum of their deviations is above 0: both do better at a table with the other than
  their strengths, fitted on all tables, allow.

Bots that leave each other alone by their style do that as well. It is a reason to look at games.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from ladder.domain.alarm import Alarm, AlarmKind, WatchedGame
from ladder.statistics.shift import LEAST_GROUPS, one_sided


@dataclass(frozen=True, slots=True)
class Strengths:
    """What is expected of bots in seats, in natural units of log-strength."""

    bots: Mapping[str, float]
    seats: Mapping[tuple[int, int], float] = field(default_factory=dict)
    """By number of seats and seat; a seat that is missing is worth 0."""

    def of(self, bots: Sequence[str]) -> tuple[float, ...]:
        """Return the strengths of a table in seat order."""
        size = len(bots)
        return tuple(
            self.bots[bot] + self.seats.get((size, seat), 0.0) for seat, bot in enumerate(bots)
        )


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the model expects of the normalised ranks of one table."""

    means: tuple[float, ...]
    covariances: Mapping[tuple[int, int], float]
    """By pair of seats, the lower first."""


def expect(strengths: Sequence[float]) -> Expectation:
    """Return means and covariances of the ranks of a table, over all its orders.

    >>> found = expect([0.0, 0.0, 0.0])
    >>> [round(mean, 3) for mean in found.means], round(found.covariances[0, 1], 4)
    ([0.5, 0.5, 0.5], -0.0833)
    """
    size = len(strengths)
    weights = [math.exp(one - max(strengths)) for one in strengths]
    means = [0.0] * size
    products = dict.fromkeys(combinations(range(size), 2), 0.0)
    for order in permutations(range(size)):
        chance = 1.0
        ranks = [0.0] * size
        for place, seat in enumerate(order):
            chance *= weights[seat] / math.fsum(weights[other] for other in order[place:])
            ranks[seat] = 1 - place / (size - 1)
        for seat, rank in enumerate(ranks):
            means[seat] += chance * rank
        for one, other in products:
            products[one, other] += chance * ranks[one] * ranks[other]
    return Expectation(
        tuple(means),
        {(i, j): value - means[i] * means[j] for (i, j), value in products.items()},
    )


def find_collusion(games: Sequence[WatchedGame], strengths: Strengths) -> list[Alarm]:
    """Return what both tests say of every pair that shared enough tables of three or more."""
    together: defaultdict[tuple[str, str], defaultdict[int, float]] = defaultdict(
        lambda: defaultdict(float)
    )
    above: defaultdict[tuple[str, str], defaultdict[int, float]] = defaultdict(
        lambda: defaultdict(float)
    )
    known: dict[tuple[str, ...], Expectation] = {}
    for game in games:
        if len(game.bots) < 3:
            continue
        if game.bots not in known:
            known[game.bots] = expect(strengths.of(game.bots))
        expected = known[game.bots]
        off = [game.rank(seat) - mean for seat, mean in enumerate(expected.means)]
        for (i, j), covariance in expected.covariances.items():
            pair = min(game.bots[i], game.bots[j]), max(game.bots[i], game.bots[j])
            together[pair][game.group] += off[i] * off[j] - covariance
            above[pair][game.group] += off[i] + off[j]
    enough = sorted(pair for pair, groups in together.items() if len(groups) >= LEAST_GROUPS)
    looked_at = 2 * len(enough)
    return [
        _alarm(pair, groups[pair], looked_at, words)
        for pair in enough
        for groups, words in (
            (together, "rise and fall together at shared tables more than"),
            (above, "both do better at shared tables than"),
        )
    ]


def _alarm(pair: tuple[str, str], groups: Mapping[int, float], looked_at: int, words: str) -> Alarm:
    values = list(groups.values())
    spread = statistics.stdev(values) / math.sqrt(len(values))
    deviations = statistics.fmean(values) / spread if spread else 0.0
    return Alarm(
        kind=AlarmKind.COLLUSION,
        subjects=pair,
        deviations=deviations,
        chance=one_sided(deviations, looked_at),
        groups=len(values),
        sentence=f"{pair[0]} and {pair[1]} {words} their ratings allow.",
    )
