"""The fit agrees with well-kept libraries on games that it has never seen."""

from __future__ import annotations

import warnings

import choix
import numpy as np
import pytest

from ladder.fit import Prior
from ladder.fit.simulation import Truth, simulate_all
from tests.ladder.fit.estimates import estimate

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pandas and patsy deprecate one another at import
    from statsmodels.duration.hazard_regression import PHReg

BOTS = 6
TRUTH = Truth(np.linspace(-200, 200, BOTS), np.array([0, -20, -30, -40, -50]))


@pytest.mark.parametrize("seed", range(3))
def test_choix_finds_the_same_strengths(seed: int) -> None:
    results = simulate_all(TRUTH, (2, 3, 4, 5), 40, np.random.default_rng(seed))
    orders = [
        tuple(int(bots[seat]) for seat in np.argsort(placements))
        for table in results
        for bots, placements in zip(table.bots, table.placements, strict=True)
    ]
    centred, _ = estimate(results, BOTS).centred()
    assert centred == pytest.approx(choix.ilsr_rankings(BOTS, orders, tol=1e-12), abs=1e-8)


def test_cox_regression_finds_the_same_seat_terms_and_covariance() -> None:
    """A Plackett-Luce fit is a Cox model in which each game is a stratum and places are times."""
    results = simulate_all(TRUTH, (4,), 80, np.random.default_rng(5))
    (table,) = results
    design = np.zeros((table.games * 4, BOTS - 1 + 3))
    for row, (bot, seat) in enumerate(
        zip(table.bots.ravel(), np.tile(np.arange(4), table.games), strict=True)
    ):
        if bot:
            design[row, bot - 1] = 1
        if seat:
            design[row, BOTS - 2 + seat] = 1
    model = PHReg(
        table.placements.ravel().astype(float),
        design,
        strata=np.repeat(np.arange(table.games), 4),
    )
    oracle = model.fit(disp=0)

    coefficients, covariance = estimate(results, BOTS, Prior(0, 0), has_seat_terms=True).against(0)
    assert coefficients[1:] == pytest.approx(oracle.params, abs=1e-6)
    assert covariance[1:, 1:] == pytest.approx(oracle.cov_params(), abs=1e-6)
