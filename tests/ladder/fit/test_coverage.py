"""In simulation the 95 % intervals hold the truth in 93 to 97 % of the cases.

`python -m bench.ratings` does the same with more replicates, more bots and other sizes.
"""

from __future__ import annotations

import numpy as np
import pytest

from ladder.fit import fit_board
from ladder.fit.simulation import Truth, simulate_all

ELO = np.array([0.0, 160.0, 90.0, 30.0, -20.0, -110.0])
SEATS = np.array([0.0, -15.0, -25.0, -35.0, -45.0])
REPLICATES = 250


@pytest.mark.parametrize(
    ("sizes", "deals"), [((2,), 100), ((3,), 60), ((4,), 45), ((5,), 36), ((2, 3, 4, 5), 25)]
)
def test_intervals_cover_the_truth(sizes: tuple[int, ...], deals: int) -> None:
    held, held_mean = [], []
    for seed in range(REPLICATES):
        results = simulate_all(Truth(ELO, SEATS), sizes, deals, np.random.default_rng(seed))
        fitted = fit_board(results, len(ELO), anchor=0, replicates=0)
        miss = fitted.elo - 1500 - ELO
        held.append(np.abs(miss)[1:] <= fitted.margin[1:])
        held_mean.append(np.abs(miss - miss.mean()) <= fitted.mean_margin)
    assert 0.93 <= np.mean(held) <= 0.97
    assert 0.93 <= np.mean(held_mean) <= 0.97


def test_margins_follow_what_deal_groups_share() -> None:
    """Luck that rotations share cancels between bots: independent games would vary by a third more.

    The estimates scatter as their margins say; margins that took games for independent would not.
    """
    truth = Truth(ELO, SEATS, luck_elo=300)
    boards = [
        fit_board(
            simulate_all(truth, (2,), 200, np.random.default_rng(seed)),
            len(ELO),
            anchor=0,
            replicates=0,
        )
        for seed in range(100)
    ]
    scatter = np.std([fitted.elo[1:] for fitted in boards], axis=0).mean()
    shown = np.mean([fitted.margin[1:] for fitted in boards]) / 1.959964
    dispersion = np.mean([fitted.dispersion for fitted in boards])
    assert 0.95 < shown / scatter < 1.15
    assert dispersion < 0.65
    assert shown / dispersion**0.5 / scatter > 1.2
