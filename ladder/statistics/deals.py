"""How much the duplicate deals saved, and what a seat is worth.

A bot meets a deal once in each of the n seats of its lanes. Were the n games independent, the
variance of their mean would be the sum of the n variances over n^2. In a deal group luck that
belongs to the deal appears in all n games, for a bot once and against it otherwise, and cancels:

    ratio = var(x_1 + ... + x_n) / (var(x_1) + ... + var(x_n))

Variances are taken over the deals of a pairing, so that the strengths of the bots and what a seat
is worth on average are no part of them, and numerators and denominators are summed over pairings
and bots. The standard error is the linearised one of a ratio of sums over deal groups.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from ladder.domain.deals import DealGroup, DealStatistics, Measure, PlayedGame, SeatAdvantage
from roundhouse.statistics import half_points

LEAST_GROUPS = 10
"""Below that a ratio of variances is not shown: its error is not known well enough either."""

_Outcome = Callable[[PlayedGame, int], float]
"""What a seat made of a game."""


def measure_deals(groups: Sequence[DealGroup]) -> DealStatistics | None:
    """Measure deal groups of one table size.

    None when no pairing has two of them, and at tables of one seat, which has nobody to beat.
    """
    pairings: defaultdict[int, list[DealGroup]] = defaultdict(list)
    for group in groups:
        pairings[group.pairing].append(group)
    strata = [stratum for stratum in pairings.values() if len(stratum) > 1]
    if not strata or len(groups[0].games) < 2:
        return None
    return DealStatistics(
        groups=len(groups),
        games=sum(len(group.games) for group in groups),
        rank_ratio=_variance_ratio(strata, normalised_rank),
        margin_ratio=_variance_ratio(strata, margin),
        seats=tuple(
            SeatAdvantage(
                seat=seat,
                score=_mean(_in_seat(groups, seat, normalised_rank)),
                margin=_mean(_in_seat(groups, seat, margin)),
            )
            for seat in range(len(groups[0].games))
        ),
    )


def normalised_rank(game: PlayedGame, seat: int) -> float:
    """Return 1 for the first, 0 for the last, and the share of seats below in between."""
    return half_points(game.placements, seat) / (2 * (len(game.placements) - 1))


def margin(game: PlayedGame, seat: int) -> float:
    """Return the score of a seat less the mean of the others'."""
    others = sum(game.scores) - game.scores[seat]
    return game.scores[seat] - others / (len(game.scores) - 1)


def _in_seat(groups: Iterable[DealGroup], seat: int, outcome: _Outcome) -> list[float]:
    """Return for each group the mean of what its bots made of one seat."""
    return [statistics.fmean(outcome(game, seat) for game in group.games) for group in groups]


def _mean(values: Sequence[float]) -> Measure:
    return Measure(statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values)))


def _variance_ratio(strata: Iterable[Sequence[DealGroup]], outcome: _Outcome) -> Measure | None:
    together: list[float] = []  # by group: squared deviations of the sums over rotations
    apart: list[float] = []  # by group: sums of the squared deviations
    for stratum in strata:
        rows = [_by_bot_and_rotation(group, outcome) for group in stratum]
        means = [statistics.fmean(column) for column in zip(*rows, strict=True)]
        rotations = len(stratum[0].games)
        for row in rows:
            off = [value - mean for value, mean in zip(row, means, strict=True)]
            sums = [sum(off[at : at + rotations]) for at in range(0, len(off), rotations)]
            together.append(math.fsum(one * one for one in sums))
            apart.append(math.fsum(one * one for one in off))
    independent = math.fsum(apart)
    if independent == 0 or len(apart) < LEAST_GROUPS:
        return None
    ratio = math.fsum(together) / independent
    count = len(apart)
    residuals = math.fsum((a - ratio * b) ** 2 for a, b in zip(together, apart, strict=True))
    return Measure(ratio, math.sqrt(count / (count - 1) * residuals) / independent)


def _by_bot_and_rotation(group: DealGroup, outcome: _Outcome) -> list[float]:
    """Return the outcomes of a group, bot by bot, and of each bot rotation by rotation."""
    bots = sorted(group.games[0].bots)
    return [outcome(game, game.bots.index(bot)) for bot in bots for game in group.games]
