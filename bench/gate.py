"""How often the gate errs, and how long it plays: many gates over simulated deal groups.

    python bench/gate.py [--runs N] [--seed S]

Tables of 2 to 5 seats, where each deal favours some seats and the first seats have an edge, so that
the games of a group depend on one another. The distribution of a group's score is sampled from that
model and tilted until its mean is exactly what the hypothesis says; then whole gates are drawn from
it. A false accept is H1 accepted where elo0 is true, a false reject is H0 accepted where elo1 is.
"""

import argparse
import math
import statistics
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from random import Random

from roundhouse.statistics import (
    Gate,
    GroupScores,
    Hypotheses,
    Verdict,
    half_points,
    score_of_elo,
)

SAMPLED_GROUPS = 20_000
DEAL_EFFECT = 1.0
"""Standard deviation of what a deal gives to a seat, in log-strength: 174 Elo."""
SEAT_EFFECT = 0.15
"""What a seat has over the next one, in log-strength."""


def sample_scores(seats: int, groups: int, rng: Random) -> list[float]:
    """Return the share of each score of a deal group between equals, in rising order."""
    counts = Counter(_play_group(seats, rng) for _ in range(groups))
    steps = len(GroupScores.empty(seats).counts)
    return [counts[points] / groups for points in range(steps)]


def tilt(shares: Sequence[float], mean: float) -> list[float]:
    """Return the nearest distribution that has this mean score."""
    steps = len(shares) - 1
    low, high = -50.0, 50.0
    for _ in range(100):
        slope = (low + high) / 2
        weights = [share * math.exp(slope * k / steps) for k, share in enumerate(shares)]
        total = math.fsum(weights)
        found = math.fsum(k * weight for k, weight in enumerate(weights)) / (steps * total)
        low, high = (slope, high) if found < mean else (low, slope)
    return [weight / total for weight in weights]


def run_gate(
    gate: Gate, seats: int, shares: Sequence[float], rng: Random, most: int = 1_000_000
) -> tuple[Verdict, int]:
    """Play one gate to its verdict, or to `most` groups; return the groups that it took."""
    cumulative = list(accumulate(shares))
    scores = GroupScores.empty(seats)
    for number in range(1, most + 1):
        drawn = min(bisect(cumulative, rng.random()), len(shares) - 1)
        scores = scores.with_group(drawn)
        verdict = gate.judge(scores).verdict
        if verdict is not Verdict.OPEN:
            return verdict, number
    return Verdict.OPEN, most


def error_rate(
    gate: Gate, seats: int, shares: Sequence[float], runs: int, rng: Random, *, is_h1: bool
) -> tuple[float, float]:
    """Return how often gates go wrong where a hypothesis is true, and their mean groups."""
    tested = gate.hypotheses
    true = tilt(shares, score_of_elo(tested.elo1 if is_h1 else tested.elo0))
    wrong = Verdict.H0 if is_h1 else Verdict.H1
    ended = [run_gate(gate, seats, true, rng) for _ in range(runs)]
    return (
        sum(verdict is wrong for verdict, _ in ended) / runs,
        statistics.fmean(groups for _, groups in ended),
    )


def main() -> None:
    """Print a line for each table size and pair of hypotheses."""
    parser = argparse.ArgumentParser(description="Measure the gate's error rates.")
    parser.add_argument("--runs", type=int, default=2000, help="gates for each line and hypothesis")
    parser.add_argument("--seed", default="gate")
    options = parser.parse_args()
    rng = Random(options.seed)
    print(f"{options.runs} gates a hypothesis, alpha = beta = 5 %, seed {options.seed!r}")
    print("seats  [elo0, elo1]  false accept  false reject   mean games if elo0 / elo1")
    for seats, elo0, elo1 in ((2, 0, 15), (2, 0, 40), (3, 0, 40), (4, 0, 40), (5, 0, 40)):
        shares = sample_scores(seats, SAMPLED_GROUPS, rng)
        gate = Gate(Hypotheses(elo0, elo1))
        accept, groups0 = error_rate(gate, seats, shares, options.runs, rng, is_h1=False)
        reject, groups1 = error_rate(gate, seats, shares, options.runs, rng, is_h1=True)
        error = math.sqrt(0.05 * 0.95 / options.runs)
        print(
            f"{seats:5}  [{elo0}, {elo1}]{'':6}"
            f"{100 * accept:8.1f} %    {100 * reject:8.1f} %   "
            f"{seats * groups0:8.0f} / {seats * groups1:.0f}"
            f"   (error of a rate {100 * error:.1f} %)",
            flush=True,
        )


def _play_group(seats: int, rng: Random) -> int:
    """Return the half points of one bot in all rotations of one deal."""
    deal = [rng.gauss(0, DEAL_EFFECT) - SEAT_EFFECT * seat for seat in range(seats)]
    points = 0
    for own in range(seats):
        # Plackett-Luce: the order of log-strength plus a Gumbel variable.
        luck = [effect - math.log(-math.log(rng.random())) for effect in deal]
        placements = [1 + sum(other > value for other in luck) for value in luck]
        points += half_points(placements, own)
    return points


if __name__ == "__main__":
    main()
