from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations, groupby
from math import comb
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.worker.tournaments import HASHES, SEED, tournament, tournaments
from worker.planning import Tournament, deals_per_chunk, plan, rotate

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How long a plan takes is the machine's affair."""


@PATIENT
@given(tournaments())
def test_every_table_meets_once_per_deal_and_rotation(value: Tournament) -> None:
    games = plan(value)
    size = value.table_size
    assert len(games) == comb(len(value.versions), size) * value.deals * size
    met = Counter(frozenset(game.versions) for game in games)
    assert met == {
        frozenset(table): value.deals * size for table in combinations(value.versions, size)
    }


@PATIENT
@given(tournaments())
def test_every_bot_sits_in_every_seat_equally_often(value: Tournament) -> None:
    sat = Counter((seat, bot) for game in plan(value) for seat, bot in enumerate(game.versions))
    each = comb(len(value.versions) - 1, value.table_size - 1) * value.deals
    assert sat == {(seat, bot): each for seat in range(value.table_size) for bot in value.versions}


@PATIENT
@given(tournaments())
def test_a_deal_group_is_one_seed_in_every_rotation(value: Tournament) -> None:
    groups = defaultdict(list)
    for game in plan(value):
        groups[game.pairing, game.deal].append(game)
    assert set(groups) == {
        (pairing, deal)
        for pairing in range(comb(len(value.versions), value.table_size))
        for deal in range(value.deals)
    }
    for group in groups.values():
        assert sorted(game.rotation for game in group) == list(range(value.table_size))
        assert len({game.seed for game in group}) == 1
        for seat in range(value.table_size):
            assert {game.versions[seat] for game in group} == set(group[0].versions)


@PATIENT
@given(tournaments())
def test_no_lane_meets_a_deal_twice(value: Tournament) -> None:
    lanes = defaultdict(list)
    for game in plan(value):
        lanes[game.pairing, game.rotation].append(game)
    for lane in lanes.values():
        assert len({game.versions for game in lane}) == 1
        assert len({game.seed for game in lane}) == len(lane)
        assert [game.deal for game in lane] == list(range(value.deals))


@PATIENT
@given(tournaments())
def test_a_chunk_is_a_run_of_one_lane(value: Tournament) -> None:
    games = plan(value)
    runs = [(key, list(group)) for key, group in groupby(games, key=lambda game: game.chunk_id)]
    assert len({key for key, _ in runs}) == len(runs)  # each chunk stands in one place
    for _, run in runs:
        assert len({(game.pairing, game.rotation, game.versions) for game in run}) == 1
        assert len(run) <= deals_per_chunk(value)


@PATIENT
@given(tournaments())
def test_names_and_deals_are_unique(value: Tournament) -> None:
    games = plan(value)
    assert len({game.game_id for game in games}) == len(games)
    seeds = {(game.pairing, game.deal): game.seed for game in games}
    assert len(set(seeds.values())) == len(seeds)


@PATIENT
@given(tournaments(), st.integers(0, 2**32))
def test_the_plan_does_not_depend_on_the_order_of_the_bots(value: Tournament, salt: int) -> None:
    versions = list(value.versions)
    Random(salt).shuffle(versions)
    assert plan(replace(value, versions=tuple(versions))) == plan(value)


@PATIENT
@given(tournaments())
def test_another_seed_shares_neither_names_nor_deals(value: Tournament) -> None:
    other = replace(value, seed=bytes(byte ^ 1 for byte in value.seed))
    for part in ("game_id", "seed"):
        mine, theirs = ({getattr(game, part) for game in plan(each)} for each in (value, other))
        assert not mine & theirs


def test_the_first_chunk_of_every_lane_comes_before_the_second_of_any() -> None:
    games = plan(tournament(versions=3, deals=13))
    order = [key for key, _ in groupby(int(game.chunk_id.rsplit("-c")[1]) for game in games)]
    assert order == [0, 1, 2]


@pytest.mark.parametrize(
    ("table_size", "bank", "increment", "deals"),
    [
        (2, 60, 0.5, 6),  # the default time control: 9 s a game
        (4, 60, 0.5, 3),
        (5, 60, 0.5, 2),
        (2, 600, 5, 1),  # a game is the least that can be dispatched
        (2, 1, 0, 120),
        (2, 0, 0, 120),  # refereeing costs something, too
    ],
)
def test_a_chunk_is_about_a_minute_of_expected_play(
    table_size: int, bank: float, increment: float, deals: int
) -> None:
    value = tournament(table_size=table_size, versions=5, bank=bank, increment=increment)
    assert deals_per_chunk(value) == deals


def test_at_tables_of_one_everybody_plays_every_deal_of_its_own() -> None:
    value = tournament(table_size=1, versions=3, deals=2)
    games = plan(value)
    assert sorted((game.pairing, game.deal, game.rotation) for game in games) == [
        (pairing, deal, 0) for pairing in range(3) for deal in range(2)
    ]
    assert {game.versions for game in games} == {(version,) for version in value.versions}


def test_rotation_moves_everybody_towards_the_first_seat() -> None:
    assert [rotate(("a", "b", "c"), by) for by in range(3)] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
    ]


def test_a_bot_does_not_always_move_after_the_same_one() -> None:
    games = plan(tournament(versions=7, table_size=4, deals=1))
    follows = Counter(
        (game.versions[seat - 1], game.versions[seat]) for game in games for seat in range(4)
    )
    assert len(follows) == 7 * 6  # every ordered pair of neighbours occurs


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": SEED[:31]}, "tournament t-ab12cd: the seed has 31 bytes, not 32"),
        ({"table_size": 0}, "tournament t-ab12cd: 0 seats at a table, not 1 to 5"),
        ({"table_size": 6}, "tournament t-ab12cd: 6 seats at a table, not 1 to 5"),
        ({"deals": 0}, "tournament t-ab12cd: 0 deals per pairing; at least 1"),
        ({"versions": HASHES[:1] * 2}, "tournament t-ab12cd: a version takes part twice"),
        (
            {"table_size": 5},
            "tournament t-ab12cd: 4 bots can't fill a table of 5",
        ),
    ],
)
def test_what_can_t_be_planned_is_refused(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^tournament ") as refusal:
        replace(tournament(), **change)  # type: ignore[arg-type]
    assert str(refusal.value) == sentence
