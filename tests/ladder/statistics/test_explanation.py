"""The terms of a change add up to it; a history without a game is the one without it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from ladder.ratings import START, Standing, rating_changes, to_elo
from ladder.statistics.explanation import OtherHistory, RatedGame, explain_seat


def play(rng: Random, games: int, bots: int = 6) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Tables and placements of random games between bots 0, 1, ...; the lower is the stronger."""
    played = []
    for _ in range(games):
        table = tuple(rng.sample(range(bots), rng.randint(2, 4)))
        worth = {bot: rng.gauss(-bot, 3) for bot in table}
        placements = tuple(
            1 + sum(round(worth[other]) > round(worth[bot]) for other in table) for bot in table
        )
        played.append((table, placements))
    return played


def rate(
    played: list[tuple[tuple[int, ...], tuple[int, ...]]],
) -> tuple[list[RatedGame], dict[int, int]]:
    """Rate games as the ladder does."""
    ratings: dict[int, int] = {}
    counts: dict[int, int] = {}
    games = []
    for bots, placements in played:
        table = tuple(
            Standing(ratings.get(bot, START), counts.get(bot, 0), placement)
            for bot, placement in zip(bots, placements, strict=True)
        )
        games.append(RatedGame(bots, table))
        for bot, change in zip(bots, rating_changes(table), strict=True):
            ratings[bot] = ratings.get(bot, START) + change
            counts[bot] = counts.get(bot, 0) + 1
    return games, ratings


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_steps_of_the_pairs_add_up_to_the_change(seats: int) -> None:
    rng = Random(seats)
    table = [
        Standing(
            START + rng.randrange(-(10**11), 10**11), rng.randrange(150), rng.randint(1, seats)
        )
        for _ in range(seats)
    ]
    names = [f"bot{seat}" for seat in range(seats)]
    for seat, change in enumerate(rating_changes(table)):
        pairs = explain_seat(names, table, seat)
        assert [pair.opponent for pair in pairs] == names[:seat] + names[seat + 1 :]
        assert sum(pair.step for pair in pairs) == pytest.approx(to_elo(change), abs=1e-9)
        for pair in pairs:
            assert pair.step == pytest.approx(pair.k * (pair.actual - pair.expected), abs=1e-8)


def test_k_is_the_mean_of_the_two_over_the_other_seats() -> None:
    table = [Standing(START, 0, 1), Standing(START, 50, 2), Standing(START, 500, 2)]
    first = explain_seat(["a", "b", "c"], table, 0)
    assert [pair.k for pair in first] == [(32 + 16) / 2 / 2, (32 + 8) / 2 / 2]
    assert [(pair.actual, pair.expected) for pair in first] == [(1, 0.5), (1, 0.5)]
    assert [pair.actual for pair in explain_seat(["a", "b", "c"], table, 1)] == [0, 0.5]


@pytest.mark.parametrize("left_out", [0, 7, 59])
def test_the_rating_without_a_game_is_that_of_a_ladder_that_never_had_it(left_out: int) -> None:
    played = play(Random(3), 60)
    games, ratings = rate(played)
    _, expected = rate(played[:left_out] + played[left_out + 1 :])
    history = OtherHistory(games[left_out])
    history.rate(games[left_out + 1 :])
    for bot, rating in ratings.items():
        other = history.rating(bot)
        assert (rating if other is None else other) == expected[bot]


def test_games_that_the_left_out_one_cannot_reach_are_not_rated_again() -> None:
    played: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((0, 1), (1, 2)),
        ((2, 3), (1, 2)),
        ((3, 4), (2, 1)),
        ((1, 2), (1, 2)),
    ]
    games, _ = rate(played)
    history = OtherHistory(games[0])
    seen = []
    for one in games[1:]:
        history.rate([one])
        seen.append(history.games_rated_again)
    assert seen == [0, 0, 1]
    assert history.rating(4) is None
    assert history.rating(2) is not None
    assert all(before <= after for before, after in pairwise(seen))
