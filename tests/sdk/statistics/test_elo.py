"""Elo with its error and the likelihood of superiority: what others have published."""

from __future__ import annotations

from typing import Any

import pytest

from roundhouse.statistics import GroupScores, elo_of_score, estimate, half_points, score_of_elo
from tests.sdk.statistics.vectors import load, scores_of

FASTCHESS = load("fastchess_elo_vectors.json")["cases"]
FISHTEST = [case for case in load("fishtest_vectors.json")["cases"] if "get_elo" in case]


@pytest.mark.parametrize("case", FASTCHESS, ids=lambda case: case["id"])
def test_estimates_are_those_that_fastchess_prints(case: dict[str, Any]) -> None:
    found = estimate(scores_of(case["counts_low_to_high"]))
    # Published to two places, and checked by fastchess itself to 1 %.
    assert found.normalised_elo == pytest.approx(case["nelo"], abs=0.015)
    assert found.normalised_elo_error == pytest.approx(case["nelo_err"], abs=0.015)
    if "elo" in case:
        assert found.elo == pytest.approx(case["elo"], abs=0.0051)
        assert found.elo_error == pytest.approx(case["elo_err"], abs=0.0051)
    if "los" in case:
        assert 100 * found.superiority == pytest.approx(case["los"], abs=0.0051)


@pytest.mark.parametrize("case", FASTCHESS, ids=lambda case: case["id"])
def test_estimates_are_those_of_fishtest_to_all_digits(case: dict[str, Any]) -> None:
    found = estimate(scores_of(case["counts_low_to_high"]))
    elo, error, superiority = case["fishtest_get_elo"]
    assert found.elo == pytest.approx(elo, rel=1e-9)
    assert found.elo_error == pytest.approx(error, rel=1e-8)
    assert found.superiority == pytest.approx(superiority, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("case", FISHTEST, ids=lambda case: str(case["pentanomial"]))
def test_pentanomial_estimates_are_those_of_fishtest(case: dict[str, Any]) -> None:
    found = estimate(scores_of(case["pentanomial"]))
    assert found.elo == pytest.approx(case["get_elo"]["elo"], rel=1e-9)
    assert found.elo_error == pytest.approx(case["get_elo"]["err95"], rel=1e-8)
    assert found.superiority == pytest.approx(case["get_elo"]["los"], rel=1e-9)


@pytest.mark.parametrize("elo", [-350.0, -1.0, 0.0, 15.0, 800.0])
def test_score_and_elo_are_each_other_s_inverse(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-9)


def test_a_clean_sweep_and_no_group_at_all_have_finite_estimates() -> None:
    sweep = estimate(GroupScores((0, 0, 0, 0, 9), games=2))
    assert 1000 < sweep.elo < 1300
    assert sweep.superiority == pytest.approx(1)
    nothing = estimate(GroupScores.empty(4))
    assert nothing.elo == pytest.approx(0)
    assert nothing.superiority == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("placements", "points"),
    [
        ((1, 2), (2, 0)),
        ((1, 1), (1, 1)),
        ((3, 1, 2), (0, 4, 2)),
        ((1, 1, 3), (3, 3, 0)),
        ((1, 1, 1, 1, 5), (5, 5, 5, 5, 0)),
    ],
)
def test_half_points_count_who_is_below_and_share_ties(
    placements: tuple[int, ...], points: tuple[int, ...]
) -> None:
    seats = range(len(placements))
    assert tuple(half_points(placements, seat) for seat in seats) == points
    assert sum(points) == len(placements) * (len(placements) - 1)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_first_in_every_rotation_is_the_score_1_and_last_is_0(seats: int) -> None:
    most = sum(half_points(tuple(range(1, seats + 1)), 0) for _ in range(seats))
    scores = GroupScores.empty(seats).with_group(most)
    assert scores.mean == 1
    assert scores.with_group(0).mean == 0.5
    assert scores.with_group(0).groups == 2
