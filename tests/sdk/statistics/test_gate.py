"""The gate: its bounds, and how often it errs in simulation."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bench.gate import error_rate, run_gate, sample_scores, tilt
from roundhouse.statistics import Gate, GroupScores, Hypotheses, Verdict, score_of_elo

RUNS = 200


def test_the_bounds_are_wald_s() -> None:
    assert Hypotheses().bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert Hypotheses(alpha=0.01, beta=0.1).bounds == pytest.approx((-2.292535, 4.499810), abs=1e-6)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"elo0": 15.0}, "elo0 must be less than elo1, and 15 is not less than 15"),
        ({"alpha": 0.0}, "alpha must lie between 0 and 0.5, and 0 does not"),
        ({"beta": 0.5}, "beta must lie between 0 and 0.5, and 0.5 does not"),
        ({"elo1": 2000.0}, "must lie between -1000 and 1000"),
        ({"elo0": float("nan")}, "elo0 must be less"),
    ],
)
def test_what_is_no_test_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Hypotheses(**fields)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_clean_sweep_is_accepted_and_its_mirror_refused(seats: int) -> None:
    gate = Gate(Hypotheses(0, 100))
    for points, expected in ((len(GroupScores.empty(seats).counts) - 1, "H1"), (0, "H0")):
        verdict, groups = run_gate(
            gate, seats, [float(k == points) for k in range(points + 1)] + [0.0], Random(1), 500
        )
        assert verdict == expected
        assert groups >= 8


def test_nothing_played_says_nothing() -> None:
    judgement = Gate(Hypotheses()).judge(GroupScores.empty(2))
    assert judgement.verdict is Verdict.OPEN
    assert judgement.llr == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize(("seats", "elo1"), [(2, 80.0), (3, 80.0), (4, 80.0)])
def test_it_errs_no_more_often_than_it_says(seats: int, elo1: float) -> None:
    rng = Random(f"gate {seats}")
    shares = sample_scores(seats, 4000, rng)
    gate = Gate(Hypotheses(0, elo1))
    for is_h1 in (False, True):
        wrong, groups = error_rate(gate, seats, shares, RUNS, rng, is_h1=is_h1)
        assert wrong <= 0.05 + 2 * (0.05 * 0.95 / RUNS) ** 0.5
        assert 8 <= groups < 400


def test_a_tilted_distribution_has_the_mean_that_was_asked_for() -> None:
    shares = tilt([0.1, 0.2, 0.4, 0.2, 0.1], score_of_elo(40))
    assert sum(shares) == pytest.approx(1)
    assert sum(k / 4 * share for k, share in enumerate(shares)) == pytest.approx(score_of_elo(40))
