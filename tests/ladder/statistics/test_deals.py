"""What deals save, measured on games whose deals do as the test says."""

from __future__ import annotations

from random import Random

import pytest

from ladder.domain.deals import DealGroup, PlayedGame
from ladder.statistics.deals import margin, measure_deals, normalised_rank


def simulate(
    rng: Random, *, seats: int, deals: int, deal_effect: float, first_seat: float = 0.0
) -> list[DealGroup]:
    """Deals favour seats by normal amounts of `deal_effect`; each score has 20 points of noise."""
    names = tuple("abcde"[:seats])
    groups = []
    for pairing, edge in enumerate((0, 30)):  # in the second pairing one bot is far stronger
        for _ in range(deals):
            favour = [rng.gauss(0, deal_effect) for _ in range(seats)]
            favour[0] += first_seat
            games = []
            for rotation in range(seats):
                table = names[rotation:] + names[:rotation]
                scores = tuple(
                    round(1000 * (favour[seat] + edge * (bot == "a") + rng.gauss(0, 20)))
                    for seat, bot in enumerate(table)
                )
                placements = tuple(1 + sum(other > own for other in scores) for own in scores)
                games.append(PlayedGame(table, placements, scores))
            groups.append(DealGroup(pairing, tuple(games)))
    return groups


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("effect", [0.0, 20.0, 60.0])
def test_the_ratio_is_the_share_that_the_deal_does_not_explain(seats: int, effect: float) -> None:
    groups = simulate(Random(f"{seats} {effect}"), seats=seats, deals=300, deal_effect=effect)
    found = measure_deals(groups)
    assert found is not None
    assert (found.groups, found.games) == (600, 600 * seats)
    assert found.margin_ratio is not None
    assert found.rank_ratio is not None
    # The favour of a deal cancels over the rotations, the noise (standard deviation 20) does not.
    expected = 20**2 / (20**2 + effect**2)
    assert found.margin_ratio.value == pytest.approx(expected, abs=4 * found.margin_ratio.error)
    assert found.margin_ratio.error < 0.06
    if effect:
        assert found.rank_ratio.value < 1 - 3 * found.rank_ratio.error
    else:
        assert found.rank_ratio.value == pytest.approx(1, abs=4 * found.rank_ratio.error)


def test_the_error_is_the_spread_of_the_ratio_over_repetitions() -> None:
    ratios, errors = [], []
    for number in range(60):
        found = measure_deals(simulate(Random(number), seats=2, deals=40, deal_effect=20))
        assert found is not None
        assert found.rank_ratio is not None
        ratios.append(found.rank_ratio.value)
        errors.append(found.rank_ratio.error)
    mean = sum(ratios) / len(ratios)
    spread = (sum((ratio - mean) ** 2 for ratio in ratios) / (len(ratios) - 1)) ** 0.5
    assert sum(errors) / len(errors) == pytest.approx(spread, rel=0.3)


def test_the_advantage_of_a_seat_is_found_with_its_error() -> None:
    groups = simulate(Random(5), seats=3, deals=300, deal_effect=5, first_seat=6)
    found = measure_deals(groups)
    assert found is not None
    first, second, third = found.seats
    assert first.margin.value == pytest.approx(6000, abs=3 * first.margin.error)
    assert first.score.value > 0.5 + 4 * first.score.error
    for seat in (second, third):
        assert seat.margin.value == pytest.approx(-3000, abs=3 * seat.margin.error)
        assert seat.score.value < 0.5
    assert sum(seat.score.value for seat in found.seats) == pytest.approx(1.5)
    assert sum(seat.margin.value for seat in found.seats) == pytest.approx(0, abs=1e-6)


def test_without_two_groups_of_a_pairing_nothing_is_said() -> None:
    groups = simulate(Random(1), seats=2, deals=1, deal_effect=1)
    assert measure_deals(groups) is None
    assert measure_deals([]) is None


def test_a_table_of_one_has_nothing_to_compare() -> None:
    alone = DealGroup(0, (PlayedGame(("a",), (1,), (50,)),))
    assert measure_deals([alone] * 20) is None


def test_a_ratio_of_few_groups_is_not_shown() -> None:
    few = measure_deals(simulate(Random(1), seats=2, deals=4, deal_effect=1))
    enough = measure_deals(simulate(Random(1), seats=2, deals=5, deal_effect=1))
    assert few is not None
    assert enough is not None
    assert few.margin_ratio is None
    assert len(few.seats) == 2
    assert enough.margin_ratio is not None


def test_where_nothing_varies_there_is_no_ratio() -> None:
    game = PlayedGame(("a", "b"), (1, 2), (90, 40)), PlayedGame(("b", "a"), (2, 1), (40, 90))
    found = measure_deals([DealGroup(0, game)] * 15)
    assert found is not None
    assert found.rank_ratio is None
    assert found.margin_ratio is None
    assert [seat.score.value for seat in found.seats] == [0.5, 0.5]


def test_rank_and_margin_of_a_seat() -> None:
    game = PlayedGame(("a", "b", "c"), (1, 1, 3), (50, 50, 20))
    assert [normalised_rank(game, seat) for seat in range(3)] == [0.75, 0.75, 0]
    assert [margin(game, seat) for seat in range(3)] == [15, 15, -30]
