"""Boards: the scale, intervals, pairs, ranks, and who cannot be compared."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ladder.fit import ELO_PER_LOGIT, Board, Prior, Results, check, fit_board
from ladder.fit.bootstrap import bootstrap
from ladder.fit.newton import maximise
from ladder.fit.posterior import Posterior
from ladder.fit.simulation import Truth, simulate_all

BOTS = 6
SEATS = np.array([0, -20, -30, -40, -50])
TRUTH = Truth(np.array([0, 150, 80, 30, -20, -110]), SEATS)


def board(deals: int = 60, *, anchor: int | None = 0, replicates: int = 0) -> Board:
    results = simulate_all(TRUTH, (2, 4), deals, np.random.default_rng(1))
    return fit_board(results, BOTS, anchor=anchor, replicates=replicates)


@pytest.fixture(scope="module")
def fitted() -> Board:
    return board()


def test_the_anchor_stands_at_1500_without_a_margin(fitted: Board) -> None:
    assert fitted.elo[0] == 1500
    assert fitted.margin[0] == 0
    assert (fitted.margin[1:] > 0).all()
    assert (fitted.mean_margin > 0).all()


def test_another_anchor_moves_the_scale_and_nothing_else(fitted: Board) -> None:
    other = board(anchor=3)
    assert np.ptp(other.elo - fitted.elo) == pytest.approx(0, abs=1e-9)
    assert other.mean_margin == pytest.approx(fitted.mean_margin)
    assert other.ranking.best.tolist() == fitted.ranking.best.tolist()


def test_without_an_anchor_1500_is_the_mean() -> None:
    fitted = board(anchor=None)
    assert fitted.anchor is None
    assert fitted.elo.mean() == pytest.approx(1500)
    assert fitted.margin == pytest.approx(fitted.mean_margin)


def test_the_margin_is_that_of_a_difference(fitted: Board) -> None:
    """An independent computation from the estimates of many replicates is in test_coverage."""
    variance = fitted.covariance.difference(2, 0)
    assert fitted.margin[2] == pytest.approx(1.959964 * ELO_PER_LOGIT * math.sqrt(variance))


def test_a_pair_has_one_likelihood_of_superiority(fitted: Board) -> None:
    for one in range(BOTS):
        for other in range(BOTS):
            both = fitted.superiority(one, other) + fitted.superiority(other, one)
            assert both == pytest.approx(1)
    assert fitted.superiority(1, 1) == 0.5
    assert fitted.superiority(1, 5) > 0.999


def test_ranks_follow_the_rating_and_ranges_hold_them(fitted: Board) -> None:
    ranking = fitted.ranking
    assert ranking.order.tolist() == np.argsort(-fitted.elo).tolist()
    assert ranking.rank[ranking.order].tolist() == [1, 2, 3, 4, 5, 6]
    assert (ranking.best <= ranking.rank).all()
    assert (ranking.rank <= ranking.worst).all()
    assert ranking.best[1] == ranking.worst[1] == 1  # 70 Elo ahead after 360 games


def test_rank_ranges_close_with_more_games() -> None:
    few, many = board(10).ranking, board(400).ranking
    assert (few.worst - few.best).sum() > (many.worst - many.best).sum()


def test_equal_results_share_a_rank() -> None:
    fitted = fit_board((Results.of("2", [[0, 1], [1, 0]], [[1, 2], [1, 2]]),), 2)
    assert fitted.elo == pytest.approx([1500, 1500])
    assert fitted.ranking.worst.tolist() == [2, 2]
    assert fitted.ranking.best.tolist() == [1, 1]


def test_bots_that_never_met_the_others_are_provisional() -> None:
    duels = [[0, 1], [1, 2], [2, 0], [3, 4]] * 3
    fitted = fit_board((Results.of("2", duels, [[1, 2]] * 12),), 5, anchor=0)
    assert fitted.is_provisional.tolist() == [False, False, False, True, True]
    assert fitted.ranking.order.tolist()[3:] == [3, 4]
    assert fitted.ranking.rank[3:].tolist() == [0, 0]
    assert fitted.ranking.worst.tolist() == [3, 3, 3, 0, 0]


def test_an_anchor_outside_the_main_group_is_passed_over() -> None:
    duels = [[0, 1], [1, 2], [2, 0], [3, 4]]
    fitted = fit_board((Results.of("2", duels, [[1, 2]] * 4),), 5, anchor=3)
    assert fitted.anchor is None
    assert fitted.elo[:3].mean() == pytest.approx(1500)


def test_whoever_won_all_has_a_finite_rating_with_a_wide_margin() -> None:
    duels = Results.of(
        "2", [[0, 1], [1, 0], [1, 2], [2, 1]] * 10, [[1, 2], [2, 1], [1, 2], [1, 2]] * 10
    )
    fitted = fit_board((duels,), 3, anchor=1)
    assert 1750 < fitted.elo[0] < 3000
    assert fitted.margin[0] > 1.5 * fitted.margin[2]


@pytest.mark.parametrize("deals", [5, 50, 1000])
def test_results_that_never_vary_do_not_close_the_interval(deals: int) -> None:
    """Who always wins could be any better: that deal groups agree is no sign of a sure rating."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    bots = [[*seats] for one, other in pairs for seats in ((one, other), (other, one))] * deals
    placements = [[1, 2], [2, 1]] * 3 * deals
    groups = np.repeat(np.arange(3 * deals), 2)
    fitted = fit_board((Results.of("2", bots, placements, groups),), 3, anchor=1)
    assert fitted.dispersion == pytest.approx(1, abs=0.15)
    assert fitted.margin[0] > 350
    assert fitted.check.doubtful.size == 0


def test_seat_terms_are_found_with_their_errors() -> None:
    fitted = board(1500)
    assert [(term.table, term.seat) for term in fitted.seat_terms] == [
        ("2", 1), ("4", 1), ("4", 2), ("4", 3)
    ]  # fmt: skip
    for term in fitted.seat_terms:
        assert abs(term.elo - SEATS[term.seat]) < 4 * term.standard_error
        assert term.standard_error < 9


def test_a_board_without_games_is_empty() -> None:
    fitted = fit_board((), 0)
    assert fitted.elo.size == 0
    assert fitted.deal_groups == 0


def test_the_check_compares_three_standard_errors() -> None:
    found = board(200, replicates=100).check
    assert found.bots.tolist() == [1, 2, 3, 4, 5]  # the anchor has nothing to compare
    assert found.sandwich == pytest.approx(1, abs=0.15)
    assert found.bootstrap == pytest.approx(1, abs=0.25)
    assert found.doubtful.size == 0


def test_a_difference_of_more_than_a_quarter_is_named() -> None:
    """One bot's deal groups say one thing twice: whoever won a deal wins it from the other seat."""
    truth = Truth(np.linspace(-200, 200, 20), SEATS)
    (results,) = simulate_all(truth, (2,), 3000, np.random.default_rng(3))
    first, second = results.placements[:3000], results.placements[3000:]
    plays = (results.bots[:3000] == 7).any(axis=1)
    second[plays] = first[plays, ::-1]
    found = fit_board((results,), 20, replicates=0).check
    assert found.doubtful.tolist() == [7]


def test_a_large_board_is_checked_by_a_seeded_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "CHECKED", 3)
    monkeypatch.setattr(check, "BOOTSTRAP_ORDERINGS", 0)
    one, again = (board(200, replicates=100).check for _ in range(2))
    assert len(one.bots) == 3
    assert one.bots.tolist() == again.bots.tolist()
    assert one.bootstrap is None


def test_the_same_seed_draws_the_same_groups() -> None:
    results = simulate_all(TRUTH, (3,), 30, np.random.default_rng(1))
    posterior = Posterior.of(results, BOTS, Prior())
    x = maximise(posterior).parameters
    one, again, other = (bootstrap(posterior, x, seed=seed, replicates=5) for seed in (7, 7, 8))
    assert (one == again).all()
    assert not (one == other).all()
