"""The fit gives the published answers, to the digits that were printed.

What belongs to other models of ties, priors and programs is in test_other_models.
"""

from __future__ import annotations

import csv
from math import comb, log
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from ladder.fit import ELO_PER_LOGIT, Results
from ladder.fit.likelihood import Term
from ladder.fit.newton import maximise
from ladder.fit.orderings import Orderings
from ladder.fit.posterior import Posterior
from ladder.fit.prior import Prior
from ladder.fit.robust import GroupScores
from tests.ladder.fit.estimates import DATA, FLAT, Estimate, duels, estimate, load, rankings

EXACT = 1e-8


def errors_of(covariance: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(np.sqrt(np.diagonal(covariance)))


def deviance(fitted: Estimate, counts: list[tuple[int, int, int, int]]) -> float:
    saturated = sum(
        wins * log(wins / (own + other))
        for *_, own, other in counts
        for wins in (own, other)
        if wins
    )
    return 2 * (saturated - fitted.loglik)


def test_citations_of_four_journals() -> None:
    known = load("bt_citations.json")
    pairs = known["pairs_item1_item2_wins1_wins2"]
    names = known["items"][1:]
    fitted = estimate([duels((a, b, own, 0, other) for a, b, own, other in pairs)], 4)
    coefficients, covariance = fitted.against(0)

    for found, name in zip(coefficients[1:], names, strict=True):
        assert round(found, 4) == known["published_coef"][name]
        assert found == pytest.approx(known["coef"][name], abs=EXACT)
        assert found * ELO_PER_LOGIT == pytest.approx(known["elo_vs_Biometrika"][name], abs=1e-6)
    for error, name in zip(errors_of(covariance)[1:], names, strict=True):
        assert error == pytest.approx(known["se"][name], abs=EXACT)
    assert covariance[1:, 1:] == pytest.approx(np.array(known["vcov"]), abs=EXACT)
    assert round(deviance(fitted, pairs), 3) == known["published_residual_deviance"]


@pytest.mark.parametrize("model", ["no_home", "with_home"])
def test_baseball_with_and_without_home_advantage(model: str) -> None:
    known = load("bt_baseball1987.json")
    answers = known[model]
    pairs = known["pairs_home_away_homewins_awaywins"]
    fitted = estimate(
        [duels((home, away, won, 0, lost) for home, away, won, lost in pairs)],
        7,
        has_seat_terms=model == "with_home",
    )
    coefficients, covariance = fitted.against(0)
    sign = np.ones(len(coefficients))
    sign[7:] = -1  # our term is the second seat's, theirs the first's
    found = dict(
        zip(
            [*known["items"], "at_home"],
            zip(coefficients * sign, errors_of(covariance), strict=True),
            strict=False,
        )
    )

    for name, published in answers["published_coef"].items():
        assert round(found[name][0], 4) == published
        assert found[name][0] == pytest.approx(answers["coef"][name], abs=EXACT)
    for name, published in answers["published_se"].items():
        # R's are of its last but one step: test_other_models has them to the last digit.
        assert found[name][1] == pytest.approx(published, abs=1e-4)
        assert found[name][1] == pytest.approx(answers["se"][name], abs=EXACT)
    signed = covariance[1:, 1:] * np.outer(sign, sign)[1:, 1:]
    assert signed == pytest.approx(np.array(answers["vcov"]), abs=EXACT)
    choices = sum(log(comb(won + lost, won)) for *_, won, lost in pairs)  # R counts totals
    assert fitted.loglik + choices == pytest.approx(answers["loglik"], abs=EXACT)
    assert round(deviance(fitted, pairs), 3) == answers["published_residual_deviance"]


def test_the_baseball_table_is_the_one_of_the_answers() -> None:
    known = load("bt_baseball1987.json")
    with (DATA / "bradleyterry2_baseball1987.csv").open() as file:
        rows = [
            [
                *(known["items"].index(row[team]) for team in ("home.team", "away.team")),
                *(int(row[wins]) for wins in ("home.wins", "away.wins")),
            ]
            for row in csv.DictReader(file)
        ]
    assert rows == known["pairs_home_away_homewins_awaywins"]


def test_races_of_a_season() -> None:
    with (DATA / "nascar2002_plackett_luce_mle.csv").open() as file:
        answers = list(csv.DictReader(line for line in file if not line.startswith("#")))
    bots = {int(row["id"]): index for index, row in enumerate(answers)}
    races = [
        [bots[int(driver)] for driver in line.split(",") if int(driver) in bots]
        for line in (DATA / "nascar2002_orderings.csv").read_text().splitlines()
        if not line.startswith("#")
    ]
    fitted = estimate(rankings(races), 83)
    centred, covariance = fitted.centred()
    against, covariance_against = fitted.against(0)

    def column(name: str) -> np.ndarray[Any, Any]:
        return np.array([float(row[name]) for row in answers])

    assert centred == pytest.approx(column("log_worth_sum0"), abs=6e-11)
    assert errors_of(covariance) == pytest.approx(column("se_sum0"), abs=6e-11)
    assert against == pytest.approx(column("log_worth_vs_id1"), abs=6e-11)
    assert errors_of(covariance_against) == pytest.approx(column("se_vs_id1"), abs=6e-11)
    assert centred * ELO_PER_LOGIT == pytest.approx(column("elo_sum0"), abs=6e-7)
    assert fitted.loglik == pytest.approx(-4191.097284597, abs=1e-9)
    # What the vignette of the R package prints of the same fit.
    printed = {"PJ Jones": 4.15, "Scott Pruett": 3.62, "Mark Martin": 2.08}
    names = [row["driver"] for row in answers]
    assert {name: round(against[names.index(name)], 2) for name in printed} == printed


def test_rankings_of_films_with_and_without_the_ghost() -> None:
    known = load("pl_netflix.json")
    orders = [
        [film - 1 for film in order]
        for count, order in known["freq_ordering"]
        for _ in range(count)
    ]
    plain = estimate(rankings(orders), 4)
    ghost = estimate(rankings(orders), 4, Prior(0.5, 0))

    coefficients, covariance = plain.against(0)
    assert coefficients == pytest.approx(known["mle_coef_vs_1"], abs=EXACT)
    assert errors_of(covariance) == pytest.approx(known["mle_se"], abs=EXACT)
    assert plain.loglik == pytest.approx(known["loglik"], abs=EXACT)

    coefficients, covariance = ghost.against(0)
    assert [round(value, 5) for value in coefficients] == pytest.approx(
        known["published_coef_vs_1"], abs=5e-5
    )
    worth = np.exp(coefficients) / np.exp(coefficients).sum()
    assert [round(value, 7) for value in worth] == known["published_worth"]
    # The package's errors are of the games alone (test_other_models); ours count the ghost's too.
    for error, published in zip(errors_of(covariance)[1:], known["published_se"][1:], strict=True):
        assert error == pytest.approx(published, abs=5e-5)


def test_tables_of_two_to_five_with_seat_terms() -> None:
    known = load("multiplayer_pl_seat.json")
    games = known["games"]
    tables = [
        Results.of(
            "all",  # one set of seat terms for all sizes, as the answers have it
            [game["players"] for game in games if len(game["players"]) == size],
            [game["ranks"] for game in games if len(game["players"]) == size],
        )
        for size in (2, 3, 4, 5)
    ]

    answers = known["plackett_luce_with_seat"]
    fitted = estimate(tables, 6, has_seat_terms=True)
    coefficients, covariance = fitted.against(0)
    assert coefficients[1:6] == pytest.approx(answers["theta_vs_player0"], abs=EXACT)
    assert coefficients[6:] == pytest.approx(answers["seat2..5_vs_seat1"], abs=EXACT)
    assert errors_of(covariance)[1:] == pytest.approx(answers["se"], abs=EXACT)
    assert errors_of(covariance)[1:] == pytest.approx(answers["phreg_bse"], abs=EXACT)
    assert fitted.loglik == pytest.approx(answers["loglik"], abs=EXACT)

    answers = known["plackett_luce_no_seat"]
    plain = estimate(tables, 6)
    coefficients, covariance = plain.centred()
    assert coefficients == pytest.approx(answers["theta_sum0"], abs=EXACT)
    assert errors_of(covariance) == pytest.approx(answers["se_sum0"], abs=EXACT)
    assert plain.loglik == pytest.approx(answers["loglik"], abs=EXACT)


def test_the_sandwich_over_games_of_the_same_tables() -> None:
    """The pairwise fit is not ours, but its cluster-robust covariance tests our sandwich."""
    known = load("multiplayer_pl_seat.json")
    answers = known["pairwise_bt_with_seat"]
    pairs = [
        (game["players"], (better, worse), number)
        for number, game in enumerate(known["games"])
        for better in range(len(game["players"]))
        for worse in range(len(game["players"]))
        if game["ranks"][better] < game["ranks"][worse]
    ]
    rows, games = len(pairs), len(known["games"])
    shares = sparse.coo_array(
        (np.ones(rows), (np.arange(rows), [number for *_, number in pairs])), shape=(rows, games)
    )
    orderings = Orderings(
        np.array([[bots[seat] for seat in seats] for bots, seats, _ in pairs], dtype=np.int32).T,
        np.array([seats for _, seats, _ in pairs], dtype=np.int32).T,
        np.ones(rows),
        sparse.csr_array(shares),
    )
    posterior = Posterior(6, 10, games, (Term.of(orderings, 6, 10),), FLAT.over(6, 10), (6,))
    maximum = maximise(posterior)
    fitted = Estimate(
        posterior, maximum.parameters, np.asarray(maximum.factor.invert(), dtype=np.float64)
    )
    coefficients, covariance = fitted.centred()
    assert coefficients[:6] == pytest.approx(answers["theta_sum0"], abs=EXACT)
    assert covariance == pytest.approx(np.array(answers["cov_naive_pinv"]), abs=EXACT)

    scores = GroupScores.of(posterior, fitted.x)
    contrasts = np.eye(10)
    contrasts[:6, :6] -= 1 / 6
    robust = scores.sandwich(posterior, fitted.x, fitted.inverse, contrasts)
    correction = 1 - 9 / scores.comparisons  # the answers are without it
    assert robust * correction == pytest.approx(
        np.diagonal(np.array(answers["cov_cluster_by_game"])), abs=EXACT
    )


@pytest.mark.parametrize("model", ["own_no_white", "own_white"])
def test_duels_with_draws_as_half_wins(model: str) -> None:
    known = load("ordo_crosscheck.json")
    games = [
        ("ABCD".index(white), "ABCD".index(black), won, drawn, lost)
        for white, black, won, drawn, lost in known["games_white_black_w_d_l"]
    ]
    has_white = model == "own_white"
    fitted = estimate([duels(games)], 4, has_seat_terms=has_white)
    coefficients, covariance = fitted.against(3)
    key = "A,B,C,white vs D" if has_white else "A,B,C vs D"
    sign = np.array([1, 1, 1, -1])[: 4 if has_white else 3]
    shown = np.array([0, 1, 2, 4])[: len(sign)]

    assert coefficients[shown] * sign * ELO_PER_LOGIT == pytest.approx(known[model][key], abs=1e-6)
    found = errors_of(covariance)[shown] * ELO_PER_LOGIT
    assert found == pytest.approx(known[model]["se_naive_binomial"], abs=1e-6)

    scores = GroupScores.of(fitted.posterior, fitted.x)
    contrasts = np.eye(len(fitted.x))
    contrasts[:4, 3] -= 1
    robust = scores.sandwich(fitted.posterior, fitted.x, fitted.inverse, contrasts)
    robust *= 1 - (len(fitted.x) - 1) / scores.comparisons
    assert np.sqrt(robust)[shown] * ELO_PER_LOGIT == pytest.approx(
        known[model]["se_sandwich"], abs=1e-6
    )
