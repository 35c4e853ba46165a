"""Alarms ring for what is planted, and stay silent where nothing is."""

from __future__ import annotations

import math
import statistics
from random import Random
from typing import TYPE_CHECKING

import pytest

from ladder.domain.alarm import Alarm, AlarmKind, WatchedGame
from ladder.statistics.alarms import CHANCE, HOUSE_BOTS, anchors_with, find_alarms, fit_strengths
from ladder.statistics.collusion import Strengths, expect, find_collusion
from ladder.statistics.environment import find_drifts, find_hosts
from ladder.statistics.intransitive import find_triples, measure_meetings
from ladder.statistics.shift import Observation, measure_shift
from tests.ladder.statistics.leagues import BOTS, LEVELS, play_league

if TYPE_CHECKING:
    from collections.abc import Sequence


def raised(alarms: Sequence[Alarm]) -> list[Alarm]:
    return [alarm for alarm in alarms if alarm.chance < CHANCE]


@pytest.fixture(scope="module")
def honest() -> list[list[WatchedGame]]:
    """Leagues in which nothing is planted, of two and of three seats."""
    return [
        play_league(Random(f"{seats} {number}"), seats=seats, deals=deals)
        for seats, deals in ((2, 40), (3, 20))
        for number in range(12)
    ]


def test_honest_leagues_are_silent(honest: list[list[WatchedGame]]) -> None:
    alarms = [find_alarms(games, anchors=BOTS) for games in honest]
    assert sum(bool(one) for one in alarms) <= 1


def test_deviations_in_honest_leagues_are_standard_normal(
    honest: list[list[WatchedGame]],
) -> None:
    strengths = Strengths(LEVELS)
    collusion = [
        alarm.deviations
        for games in honest
        if len(games[0].bots) > 2
        for alarm in find_collusion(games, strengths)
    ]
    surroundings = [
        alarm.deviations
        for games in honest
        for alarm in [*find_drifts(games, BOTS), *find_hosts(games)]
    ]
    for values in (collusion, surroundings):
        assert len(values) > 100
        assert abs(statistics.fmean(values)) < 0.35
        assert 0.8 < statistics.stdev(values) < 1.25


def test_a_cycle_is_found_and_named_once() -> None:
    beats = {("ann", "ben"), ("ben", "cat"), ("cat", "ann")}

    def change(game: WatchedGame, strengths: list[float], _: Random) -> None:
        one, other = game.bots
        if {one, other} <= {"ann", "ben", "cat"}:
            strengths[0] += 2 * ((one, other) in beats) - 2 * ((other, one) in beats)

    games = play_league(Random(1), seats=2, deals=100, bots=BOTS[:4], change=change)
    found = raised(find_triples(games))
    assert [alarm.subjects for alarm in found] == [("ann", "ben", "cat")]
    assert found[0].kind is AlarmKind.INTRANSITIVE
    assert "ann beats ben" in found[0].sentence
    assert "cat beats ann" in found[0].sentence


def test_an_anchor_that_becomes_weaker_is_found_and_by_how_much() -> None:
    def change(game: WatchedGame, strengths: list[float], _: Random) -> None:
        if "cat" in game.bots and game.order > 600:  # of 1,200
            strengths[game.bots.index("cat")] -= 1.5

    games = play_league(Random(2), seats=2, deals=60, change=change)
    (found,) = raised(find_drifts(games, ["cat", "nobody"]))
    assert found.subjects == ("cat",)
    assert found.deviations < -3
    assert "cat does worse by" in found.sentence
    assert raised(find_drifts(games, [])) == []


def test_the_anchor_of_the_boards_is_judged_beside_the_house_bots() -> None:
    assert anchors_with("cat") == ("cat", *HOUSE_BOTS)
    assert sorted(anchors_with("greedy")) == sorted(HOUSE_BOTS)


def test_a_new_version_is_no_drift() -> None:
    games = play_league(Random(3), seats=2, deals=60)
    changed = [
        WatchedGame(
            game.order,
            game.group,
            game.host,
            game.bots,
            tuple(number + 10 * (game.order > 600) for number in game.versions),
            game.placements if game.order <= 600 else tuple(reversed(game.placements)),
        )
        for game in games
    ]
    assert find_drifts(changed, BOTS) == []


def test_a_host_that_hurts_one_bot_is_found() -> None:
    def change(game: WatchedGame, strengths: list[float], _: Random) -> None:
        if game.host == "host-1" and "ann" in game.bots:
            strengths[game.bots.index("ann")] -= 1.5

    games = play_league(Random(4), seats=2, deals=60, change=change)
    found = raised(find_hosts(games))
    assert ("host-1", "ann") in {alarm.subjects for alarm in found}
    first = min(found, key=lambda alarm: alarm.chance)
    assert first.subjects == ("host-1", "ann")
    assert "ann does worse by" in first.sentence
    assert find_hosts([game for game in games if game.host == "host-1"]) == []


def test_bots_that_rise_and_fall_together_are_found() -> None:
    def change(game: WatchedGame, strengths: list[float], rng: Random) -> None:
        if {"ben", "dan"} <= set(game.bots):
            common = rng.choice([-1.6, 1.6])
            strengths[game.bots.index("ben")] += common
            strengths[game.bots.index("dan")] += common

    games = play_league(Random(5), seats=3, deals=60, change=change)
    found = raised(find_collusion(games, fit_strengths(games)))
    assert found
    assert {alarm.subjects for alarm in found} == {("ben", "dan")}
    assert "ben and dan rise and fall together" in found[0].sentence


def test_bots_that_help_each_other_are_found() -> None:
    def change(game: WatchedGame, strengths: list[float], _: Random) -> None:
        if {"ben", "dan"} <= set(game.bots):
            strengths[game.bots.index("ben")] += 0.9
            strengths[game.bots.index("dan")] += 0.9

    games = play_league(Random(6), seats=3, deals=60, change=change)
    found = raised(find_collusion(games, fit_strengths(games)))
    assert ("ben", "dan") in {alarm.subjects for alarm in found}
    assert max(found, key=lambda alarm: alarm.deviations).subjects == ("ben", "dan")


def test_all_alarms_come_least_likely_first_and_name_their_kind() -> None:
    def change(game: WatchedGame, strengths: list[float], rng: Random) -> None:
        if {"ben", "dan"} <= set(game.bots):
            common = rng.choice([-2.5, 2.5])
            strengths[game.bots.index("ben")] += common
            strengths[game.bots.index("dan")] += common
        if game.host == "host-2" and "cat" in game.bots:
            strengths[game.bots.index("cat")] -= 3

    games = play_league(Random(7), seats=3, deals=50, change=change)
    found = find_alarms(games, anchors=BOTS)
    assert [alarm.chance for alarm in found] == sorted(alarm.chance for alarm in found)
    assert {AlarmKind.HOST, AlarmKind.COLLUSION} <= {alarm.kind for alarm in found}
    assert find_alarms([], BOTS) == []


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_expected_ranks_of_equals_are_those_of_a_random_order(size: int) -> None:
    found = expect([0.7] * size)
    variance = (size + 1) / (12 * (size - 1))  # of the ranks 0, 1/(n-1), ..., 1
    assert found.means == pytest.approx([0.5] * size)
    assert set(found.covariances) == {(i, j) for j in range(size) for i in range(j)}
    assert list(found.covariances.values()) == pytest.approx(
        [-variance / (size - 1)] * (size * (size - 1) // 2)
    )


def test_an_expected_rank_is_the_mean_chance_to_be_above_each_other() -> None:
    strengths = [1.5, 0.0, -40.0, 0.3]

    def above(one: float, other: float) -> float:
        return 1 / (1 + math.exp(other - one))

    for seat, found in enumerate(expect(strengths).means):
        others = [above(strengths[seat], s) for k, s in enumerate(strengths) if k != seat]
        assert found == pytest.approx(statistics.fmean(others))


def test_fitted_strengths_are_those_that_played() -> None:
    games = play_league(Random(8), seats=3, deals=60)
    found = fit_strengths(games)
    middle = statistics.fmean(found.bots.values()) - statistics.fmean(LEVELS.values())
    for bot, level in LEVELS.items():
        assert found.bots[bot] - middle == pytest.approx(level, abs=0.25)
    assert set(found.seats) == {(3, 1), (3, 2)}


def test_meetings_count_deal_groups_and_need_enough_of_them() -> None:
    games = play_league(Random(9), seats=2, deals=19, bots=BOTS[:2])
    assert measure_meetings(games) == {}
    games = play_league(Random(9), seats=2, deals=20, bots=BOTS[:2])
    meetings = measure_meetings(games)
    assert meetings["ann", "ben"].groups == 20
    assert meetings["ann", "ben"].score == pytest.approx(1 - meetings["ben", "ann"].score)


def test_a_shift_is_measured_within_strata_only() -> None:
    rng = Random(10)
    observations = [
        # The mark goes with the stratum, and the stratum with the outcome; within it, nothing.
        Observation(
            stratum,
            100 * stratum + i,
            rng.random() < 0.1 + 0.8 * stratum,
            stratum + rng.gauss(0, 1),
        )
        for stratum in (0, 1)
        for i in range(400)
    ]
    found = measure_shift(observations)
    assert found is not None
    assert abs(found.deviations) < 3
    assert abs(found.difference) < 0.4
    assert measure_shift(observations[:20]) is None
    assert measure_shift([]) is None
