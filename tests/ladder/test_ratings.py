"""Live Elo: the known answers, and what must hold for every table."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from random import Random  # noqa: TC003 - hypothesis reads the annotation
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder import ratings
from ladder.ratings import START, UNITS_PER_ELO, Standing, k_factor, rating_changes, to_elo

VECTORS = json.loads(
    (Path(__file__).parent.parent / "data" / "elo_online_vectors.json").read_text()
)["cases"]
ROUNDING = 5 / UNITS_PER_ELO  # half a unit for each of the 4 pairs of a seat, and the file's own


def cases(name: str) -> list[dict[str, Any]]:
    return [case for case in VECTORS if case["name"] == name]


def play(
    elo: list[float], placements: list[int], games: list[int] | None = None
) -> tuple[float, ...]:
    table = [
        Standing(round(rating * UNITS_PER_ELO), count, placement)
        for rating, placement, count in zip(elo, placements, games or [0] * len(elo), strict=True)
    ]
    return tuple(to_elo(change) for change in rating_changes(table))


placements_of = {
    seats: sorted(
        {
            tuple(1 + sum(other < own for other in marks) for own in marks)
            for marks in itertools.product(range(seats), repeat=seats)
        }
    )
    for seats in range(2, 6)
}


@st.composite
def tables(draw: st.DrawFn) -> list[Standing]:
    seats = draw(st.integers(2, 5))
    rating = st.integers(-1000 * UNITS_PER_ELO, 5000 * UNITS_PER_ELO)
    placements = draw(st.sampled_from(placements_of[seats]))
    return [
        Standing(draw(rating), draw(st.sampled_from([0, 29, 30, 99, 100, 5000])), placement)
        for placement in placements
    ]


@pytest.mark.parametrize("case", cases("1v1"))
@pytest.mark.parametrize(
    ("placements", "answer"), [([1, 2], "new_if_first_wins"), ([1, 1], "new_if_draw")]
)
def test_duels_have_the_known_answers(
    case: dict[str, Any], placements: list[int], answer: str
) -> None:
    changes = play(case["ratings"], placements)

    for before, change, after in zip(case["ratings"], changes, case[answer], strict=True):
        assert before + change == pytest.approx(after, abs=ROUNDING)


@pytest.mark.parametrize("case", cases("multi pairwise K/(n-1)"))
def test_full_tables_have_the_known_answers(case: dict[str, Any]) -> None:
    changes = play(case["ratings"], case["ranks"])

    for before, change, after in zip(case["ratings"], changes, case["new"], strict=True):
        assert before + change == pytest.approx(after, abs=ROUNDING)


def test_five_duels_from_one_rating_give_the_worked_example() -> None:
    (case,) = cases("Wikipedia Elo article worked example")
    placements = {0: [2, 1], 0.5: [1, 1], 1: [1, 2]}
    new = case["player"] + sum(
        play([case["player"], opponent], placements[score])[0]
        for opponent, score in zip(case["opponents"], case["scores"], strict=True)
    )

    assert new == pytest.approx(case["new"], abs=ROUNDING)
    assert round(new) == case["published_new"]


def test_the_step_is_proportional_to_k() -> None:
    (case,) = cases("sublee/elo README")
    change = play(case["ratings"], [1, 2])[0] * case["K"] / 32

    assert change == pytest.approx(case["new"][0] - case["ratings"][0], abs=ROUNDING)


@pytest.mark.parametrize(
    ("games", "k"), [(0, 32), (29, 32), (30, 16), (99, 16), (100, 8), (10**6, 8)]
)
def test_k_falls_with_the_games_played(games: int, k: int) -> None:
    assert k_factor(games) == k


def test_a_pair_uses_the_mean_of_its_two_k() -> None:
    assert play([1500, 1500], [1, 2], [0, 100]) == (10, -10)  # (32 + 8) / 2 * 1/2


@given(tables())
def test_changes_sum_to_zero_exactly(table: list[Standing]) -> None:
    assert sum(rating_changes(table)) == 0


@given(tables())
def test_who_wins_alone_never_loses_and_who_is_last_alone_never_gains(
    table: list[Standing],
) -> None:
    changes = rating_changes(table)
    placements = [standing.placement for standing in table]

    if placements.count(1) == 1:
        assert changes[placements.index(1)] >= 0
    worst = max(placements)
    if placements.count(worst) == 1:
        assert changes[placements.index(worst)] <= 0


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_the_seats_does_not_matter(table: list[Standing], rng: Random) -> None:
    order = list(range(len(table)))
    rng.shuffle(order)
    changes = rating_changes(table)

    assert rating_changes([table[seat] for seat in order]) == tuple(changes[seat] for seat in order)


@given(tables(), st.data())
def test_a_better_placement_never_gives_less(table: list[Standing], data: st.DataObject) -> None:
    """Let one seat overtake the seat just above it: it gains by it, and the other loses by it."""
    below = data.draw(st.sampled_from(range(len(table))))
    above = data.draw(st.sampled_from(range(len(table))))
    if table[above].placement >= table[below].placement:
        return
    swapped = list(table)
    swapped[below] = Standing(table[below].rating, table[below].games, table[above].placement)
    swapped[above] = Standing(table[above].rating, table[above].games, table[below].placement)

    before, after = rating_changes(table), rating_changes(swapped)

    assert after[below] >= before[below]
    assert after[above] <= before[above]


@given(tables())
def test_the_formula_is_met_to_half_a_unit_a_pair(table: list[Standing]) -> None:
    """An independent computation in floats, which are good to some 1e-12 here."""
    for own, change in zip(table, rating_changes(table), strict=True):
        exact = 0.0
        for other in table:
            if other is own:
                continue
            expected = 1 / (1 + math.pow(10, to_elo(other.rating - own.rating) / 400))
            score = 0.5 * ((own.placement < other.placement) + (own.placement <= other.placement))
            k = (k_factor(own.games) + k_factor(other.games)) / 2
            exact += k / (len(table) - 1) * (score - expected)
        assert to_elo(change) == pytest.approx(exact, abs=ROUNDING)


def test_equal_bots_that_draw_keep_their_ratings() -> None:
    assert rating_changes([Standing(START, 0, 1)] * 5) == (0,) * 5


def test_a_long_season_keeps_the_sum_of_the_pool() -> None:
    pool = [START] * 6
    for game in range(2000):
        seats = [(game * 5 + step * (1 + game % 5)) % 6 for step in range(2 + game % 4)]
        if len(set(seats)) < len(seats):
            continue
        table = [Standing(pool[bot], game // 3, 1 + place) for place, bot in enumerate(seats)]
        for bot, change in zip(seats, rating_changes(table), strict=True):
            pool[bot] += change

    assert sum(pool) == 6 * START
    assert len(set(pool)) == 6


def test_one_seat_alone_cannot_be_rated() -> None:
    with pytest.raises(ValueError, match="at least two seats, not 1"):
        rating_changes([Standing(START, 0, 1)])


@pytest.mark.parametrize(
    ("seats", "pool"),
    [(2, "tiny/2"), (3, "tiny/multi"), (4, "tiny/multi"), (5, "tiny/multi")],
)
def test_two_seats_are_a_pool_of_their_own(seats: int, pool: str) -> None:
    assert ratings.pool_of("tiny", seats) == pool
