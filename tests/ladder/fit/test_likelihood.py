"""The likelihood, its derivatives, and the two ways of climbing it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from ladder.fit import FitError, Prior, Results, newton
from ladder.fit.newton import factor_at, maximise
from ladder.fit.orderings import expand
from ladder.fit.posterior import Posterior
from ladder.fit.simulation import Truth, simulate_all
from tests.ladder.fit.estimates import FLAT, estimate

Point = np.ndarray[Any, np.dtype[np.float64]]
BOTS = 7
TRUTH = Truth(np.linspace(-250, 250, BOTS), np.array([0, -20, -30, -40, -50]))


def pool(seed: int = 1, deals: int = 12) -> tuple[Results, ...]:
    """Some games of all sizes, a few of them tied."""
    rng = np.random.default_rng(seed)
    results = simulate_all(TRUTH, (2, 3, 4, 5), deals, rng)
    for table in results:
        tied = table.placements[:4]
        tied[tied == 2] = 1
    return results


@pytest.fixture
def posterior() -> Posterior:
    return Posterior.of(pool(), BOTS, Prior())


@pytest.fixture
def point(posterior: Posterior) -> Point:
    return np.random.default_rng(2).normal(size=posterior.parameters)


def test_chances_of_all_orders_sum_to_one() -> None:
    orders = list(itertools.permutations(range(4)))
    results = Results.of("x", orders, [[1, 2, 3, 4]] * len(orders))
    strengths = np.array([0.3, -1.0, 2.0, 0.1])
    chances = [
        math.exp(Posterior.of((one,), 4, FLAT, has_seat_terms=False).value(strengths))
        for one in (Results.of("x", [order], [[1, 2, 3, 4]]) for order in results.bots)
    ]
    assert sum(chances) == pytest.approx(1, abs=1e-14)


def test_the_gradient_is_the_slope(posterior: Posterior, point: Point) -> None:
    step = 1e-5 * np.eye(len(point))
    slopes = [(posterior.value(point + h) - posterior.value(point - h)) / 2e-5 for h in step]
    assert posterior.gradient(point) == pytest.approx(slopes, abs=1e-6)


def test_the_information_is_the_slope_of_the_gradient(posterior: Posterior, point: Point) -> None:
    step = 1e-5 * np.eye(len(point))
    slopes = [(posterior.gradient(point - h) - posterior.gradient(point + h)) / 2e-5 for h in step]
    lower = posterior.padded_information(point, np.float64)[:-1, :-1]
    assert np.tril(lower) + np.tril(lower, -1).T == pytest.approx(np.array(slopes), abs=1e-6)


def test_products_and_diagonal_are_those_of_the_matrix(posterior: Posterior, point: Point) -> None:
    lower = np.tril(posterior.padded_information(point, np.float64)[:-1, :-1])
    matrix = lower + np.tril(lower, -1).T
    vector = np.random.default_rng(3).normal(size=len(point))
    assert posterior.product(point)(vector) == pytest.approx(matrix @ vector, abs=1e-11)
    assert posterior.diagonal(point) == pytest.approx(np.diagonal(matrix), abs=1e-12)


def test_group_scores_sum_to_the_gradient(point: Point) -> None:
    flat = Posterior.of(pool(), BOTS, FLAT)
    total = sum(term.group_scores(point).sum(axis=1) for term in flat.terms)
    assert total == pytest.approx(flat.gradient(point), abs=1e-11)


def test_a_tie_of_two_is_half_a_win_for_each() -> None:
    tied = expand(Results.of("x", [[0, 1]], [[1, 1]]), 1)
    assert {
        (*map(int, column), float(weight))
        for column, weight in zip(tied.bots.T, tied.weight, strict=True)
    } == {(0, 1, 0.5), (1, 0, 0.5)}


@pytest.mark.parametrize(
    ("placements", "orders"),
    [((1, 2, 3), 1), ((1, 1, 3), 2), ((1, 2, 2), 2), ((1, 1, 1), 6), ((1, 1, 3, 3), 4),
     ((2, 1, 2, 2, 5), 6), ((1, 1, 1, 1, 1), 120)],
)  # fmt: skip
def test_ties_stand_for_all_their_orders_in_equal_shares(
    placements: tuple[int, ...], orders: int
) -> None:
    seats = len(placements)
    found = expand(Results.of("x", [range(seats)], [placements]), 1)
    assert found.weight == pytest.approx([1 / orders] * orders)
    for order in found.seats.T:
        ranked = [placements[seat] for seat in order]
        assert ranked == sorted(ranked)


def test_equal_games_are_counted_together() -> None:
    found = expand(Results.of("x", [[0, 1]] * 9 + [[1, 0]], [[1, 2]] * 10), 10)
    assert sorted(found.weight) == [1, 9]
    assert found.shares.sum() == 10


def test_the_order_of_games_and_names_does_not_matter() -> None:
    results = pool()
    rng = np.random.default_rng(4)
    names = rng.permutation(BOTS).astype(np.int32)
    mixed = []
    for table in reversed(results):
        order = rng.permutation(table.games)
        mixed.append(
            Results(table.name, names[table.bots][order], table.placements[order],
                    table.groups[order])
        )  # fmt: skip
    before = estimate(results, BOTS, Prior(), has_seat_terms=True)
    after = estimate(mixed, BOTS, Prior(), has_seat_terms=True)
    assert after.x[:BOTS][names] == pytest.approx(before.x[:BOTS], abs=1e-11)
    assert np.diagonal(after.inverse)[:BOTS][names] == pytest.approx(
        np.diagonal(before.inverse)[:BOTS], abs=1e-11
    )


def test_the_way_for_large_pools_comes_to_the_same(
    posterior: Posterior, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = maximise(posterior)
    monkeypatch.setattr(newton, "SMALL", 0)
    large = maximise(posterior)
    assert large.parameters == pytest.approx(small.parameters, abs=1e-9)
    covariance = large.factor.invert()
    assert covariance.dtype == np.float32
    assert covariance == pytest.approx(small.factor.invert(), rel=0.03, abs=1e-4)


def test_an_inverse_is_whole_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.fit.factor._BLOCK", 3)
    monkeypatch.setattr("ladder.fit.factor._FEW", 0)
    posterior = Posterior.of(pool(), BOTS, Prior())
    lower = posterior.padded_information(np.zeros(posterior.parameters), np.float64)[:-1, :-1]
    matrix = np.tril(lower) + np.tril(lower, -1).T
    inverse = factor_at(posterior, np.zeros(posterior.parameters)).invert()
    assert inverse @ matrix == pytest.approx(np.eye(len(matrix)), abs=1e-10)


def test_whoever_won_everything_has_no_estimate_without_the_ghost() -> None:
    results = [Results.of("x", [[0, 1], [1, 2], [2, 1]], [[1, 2]] * 3)]
    with pytest.raises(FitError, match=r"won or lost all games|never met"):
        estimate(results, 3)
    strengths = estimate(results, 3, Prior()).x
    assert strengths[0] > strengths[1]
    assert np.isfinite(strengths).all()


def test_bots_that_never_met_have_no_estimate_without_the_ghost() -> None:
    results = [Results.of("x", [[0, 1], [1, 0], [2, 3], [3, 2]], [[1, 2]] * 4)]
    with pytest.raises(FitError, match="never met"):
        estimate(results, 4)
    assert estimate(results, 4, Prior()).x == pytest.approx(0, abs=1e-12)


def test_results_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        Results.of("x", [[0, 1]], [[1, 2], [2, 1]])
    with pytest.raises(ValueError, match="at least two seats"):
        Results.of("x", [[0]], [[1]])
