"""Log-likelihood ratios: what fastchess and fishtest have published, and an independent maximum."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from roundhouse.statistics import GroupScores, logistic_llr, normalised_llr, score_of_elo
from tests.sdk.statistics.vectors import load, scores_of

if TYPE_CHECKING:
    from collections.abc import Callable

SPRT = load("fastchess_sprt_vectors.json")["cases"]
LOGISTIC = [case for case in SPRT if case["model"] == "logistic"]
NORMALISED = [case for case in SPRT if case["model"] == "normalized"]
FISHTEST = [case for case in load("fishtest_vectors.json")["cases"] if case["model"] == "logistic"]


BAYES = [
    case | {"counts_low_to_high": [case["losses"], case["draws"], case["wins"]]}
    for case in load("fishtest_vectors.json")["cases"]
    if case["model"] == "BayesElo" and "wins" in case
] + [case for case in SPRT if case["model"] == "bayesian"]


def name(case: dict[str, Any]) -> str:
    counts = case.get("counts_low_to_high") or case["pentanomial"]
    return "-".join(str(count) for count in counts)


@pytest.mark.parametrize("case", LOGISTIC, ids=name)
def test_the_logistic_ratio_is_the_published_one(case: dict[str, Any]) -> None:
    llr = logistic_llr(scores_of(case["counts_low_to_high"]), case["elo0"], case["elo1"])
    assert llr == pytest.approx(case["published_llr_fastchess"], abs=0.0051)
    assert llr == pytest.approx(case["own_llr"], abs=1e-6)
    assert llr == pytest.approx(case["fishtest_llr"], abs=1e-6)


@pytest.mark.parametrize("case", FISHTEST, ids=name)
def test_the_pentanomial_ratio_is_fishtest_s(case: dict[str, Any]) -> None:
    llr = logistic_llr(scores_of(case["pentanomial"]), case["elo0"], case["elo1"])
    assert llr == pytest.approx(case["fishtest"]["LLR"], abs=1e-6)


def logistic_bound(bayes_elo: float, counts: list[int]) -> float:
    """Turn a bound in BayesElo into Elo by the rate of draws, as fishtest does."""
    lost, _, won = ((count or 1e-3) / sum(count or 1e-3 for count in counts) for count in counts)
    draw = 200 * math.log10((1 - lost) / lost * (1 - won) / won)
    won, lost = (1 / (1 + 10 ** ((draw + sign * bayes_elo) / 400)) for sign in (-1, 1))
    return -400 * math.log10(1 / (won + (1 - won - lost) / 2) - 1)


@pytest.mark.parametrize("case", BAYES, ids=name)
def test_bounds_in_bayes_elo_give_the_published_ratio(case: dict[str, Any]) -> None:
    counts = case["counts_low_to_high"]
    bounds = [logistic_bound(case[bound], counts) for bound in ("elo0", "elo1")]
    llr = logistic_llr(scores_of(counts), *bounds)
    if "published_llr_fastchess" in case:
        assert llr == pytest.approx(case["published_llr_fastchess"], abs=0.0051)
    else:
        assert llr == pytest.approx(case["fishtest"]["LLR"], abs=1e-8)


@pytest.mark.parametrize("case", NORMALISED, ids=name)
def test_the_normalised_ratio_is_the_published_one(case: dict[str, Any]) -> None:
    llr = normalised_llr(scores_of(case["counts_low_to_high"]), case["elo0"], case["elo1"])
    assert llr == pytest.approx(case["own_llr_approx"], rel=1e-8)
    assert llr == pytest.approx(case["fishtest_llr_alt"], rel=1e-8)
    if 0 not in case["counts_low_to_high"]:  # fastchess smooths empty counts more than fishtest
        assert llr == pytest.approx(case["published_llr_fastchess"], abs=0.0051)


def test_the_ratio_is_that_of_a_maximum_found_by_search() -> None:
    # Three scores of which the mean is prescribed leave one free share: search it.
    scores = GroupScores((31, 20, 49), games=1)

    def most_likely(mean: float) -> float:
        best = -math.inf
        for number in range(1, 20_000):
            draws = number / 20_000
            wins = mean - draws / 2
            losses = 1 - wins - draws
            if wins > 0 and losses > 0:
                best = max(best, 31 * math.log(losses) + 20 * math.log(draws) + 49 * math.log(wins))
        return best

    expected = most_likely(score_of_elo(40)) - most_likely(score_of_elo(-10))
    assert logistic_llr(scores, -10, 40) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("ratio", [logistic_llr, normalised_llr])
@pytest.mark.parametrize("seats", [2, 5])
def test_mirrored_results_turn_the_sign(
    ratio: Callable[[GroupScores, float, float], float], seats: int
) -> None:
    scores = GroupScores.empty(seats)
    for points in (0, 1, 4, 4, len(scores.counts) - 1):
        scores = scores.with_group(min(points, len(scores.counts) - 1))
    mirrored = GroupScores(scores.counts[::-1], scores.games)
    assert ratio(mirrored, -15, 0) == pytest.approx(-ratio(scores, 0, 15))
