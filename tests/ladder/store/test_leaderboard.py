"""Leaderboards before and after a fit."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ladder.domain.board import boards_of, pool_of_board, require_board
from ladder.errors import InvalidError
from ladder.fit import fit_board
from ladder.fitting import fit_boards
from ladder.store import fits, leaderboard
from ladder.store.results import read_boards
from tests.ladder.world import MINUTE, NOW

if TYPE_CHECKING:
    from ladder.domain.leaderboard import FitSummary, LeaderboardRow
    from tests.ladder.world import World

BOTS = ("alpha", "bravo", "charlie", "delta")


def fit(world: World, anchor: str = "bravo") -> tuple[str, ...]:
    return fit_boards(world.database, anchor, lambda: NOW)


def board(world: World, name: str) -> tuple[LeaderboardRow, ...]:
    with world.database.read() as session:
        return leaderboard.get_leaderboard(session, name)


def summary(world: World, name: str) -> FitSummary:
    with world.database.read() as session:
        found = fits.get_fit(session, name)
    assert found is not None
    return found


def play_a_season(world: World) -> None:
    """Who comes earlier in the alphabet is stronger; tables of two and of four."""
    rng = random.Random(1)
    games = world.planned(*BOTS, deals=8)
    games += world.plan(world.create(*BOTS, table_size=4, deals=6))
    for game in games:
        names = [world.names[version] for version in game.versions]
        marks = [BOTS.index(name) + rng.gauss(0, 2) for name in names]
        world.record(game, [1 + sum(other < own for other in marks) for own in marks])


def test_before_the_first_fit_the_live_elo_sets_the_order(world: World) -> None:
    games = {
        game.id.removeprefix("g-0001-"): game for game in world.planned("alpha", "bravo", "charlie")
    }
    first = games["0-0-0"]
    world.record(first, (1, 2), seats=world.result(first, scores=(90, -7)).seats)
    world.record(games["0-0-1"], (1, 1))  # bravo, alpha
    world.record(games["1-0-0"], (1, 2))  # alpha, charlie

    rows = board(world, "classic/2")

    assert [row.bot for row in rows] == ["alpha", "bravo", "charlie"]
    assert [row.rank for row in rows] == [0, 0, 0]
    assert [row.headline for row in rows] == [None, None, None]
    assert [(row.games, row.wins, row.draws, row.losses) for row in rows] == [
        (3, 2, 1, 0),
        (2, 0, 1, 1),
        (1, 0, 0, 1),
    ]
    assert [row.mean_score for row in rows] == [90, (-7 + 90) / 2, 80]
    assert sum(row.rating or 0 for row in rows) == pytest.approx(3 * 1500, abs=1e-9)
    with world.database.read() as session:
        for row in rows:
            assert leaderboard.get_standing(session, "classic/2", row.bot) == row
        assert leaderboard.get_leaderboard(session, "classic/2", limit=1) == rows[:1]


def test_a_fit_orders_the_board_and_says_how_sure_it_is(world: World) -> None:
    play_a_season(world)

    assert fit(world) == ("classic/2", "classic/4", "classic/multi", "all")

    rows = board(world, "classic/2")
    headlines = [row.headline for row in rows if row.headline is not None]
    assert len(headlines) == 4
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [one.elo for one in headlines] == sorted((one.elo for one in headlines), reverse=True)
    anchor = next(row.headline for row in rows if row.bot == "bravo")
    assert anchor is not None
    assert (anchor.elo, anchor.margin) == (1500, 0)
    for one in headlines:
        assert one.mean_margin > 20
        assert one.deal_groups == 24
        assert not one.is_provisional
        assert 1 <= one.best_rank <= one.worst_rank <= 4
    assert headlines[-1].superiority is None
    assert all(0.5 <= (one.superiority or 0) <= 1 for one in headlines[:-1])


def test_a_fit_is_the_one_of_the_numerics(world: World) -> None:
    play_a_season(world)
    fit(world)
    with world.database.read() as session:
        games = {one.name: one for one in read_boards(session)}["all"]
    fitted = fit_board(games.results(), 4, anchor=1)

    rows = {row.bot: row for row in board(world, "all")}

    for index, bot in enumerate(BOTS):
        headline = rows[bot].headline
        assert headline is not None
        assert headline.elo == pytest.approx(fitted.elo[index], abs=1e-9)
        assert headline.margin == pytest.approx(fitted.margin[index], abs=1e-9)
    with world.database.read() as session:
        names, chances = fits.list_superiorities(session, "all", range(4))
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            assert chances[row][column] == pytest.approx(
                fitted.superiority(BOTS.index(one), BOTS.index(other)), abs=1e-4
            )


def test_boards_count_their_own_games_and_the_joint_one_all(world: World) -> None:
    play_a_season(world)
    fit(world)

    assert {row.games for row in board(world, "classic/2")} == {3 * 16}
    assert {row.games for row in board(world, "classic/4")} == {24}
    assert board(world, "classic/4")[0].rating == board(world, "classic/multi")[0].rating
    joint = board(world, "all")
    assert {row.games for row in joint} == {3 * 16 + 24}
    assert {row.rating for row in joint} == {None}
    assert all(row.wins + row.draws + row.losses == row.games for row in joint)
    found = summary(world, "all")
    assert (found.games, found.deal_groups) == (96 + 24, 48 + 6)
    assert [(one.table, one.seat) for one in found.seats] == [
        ("classic/2", 1), ("classic/4", 1), ("classic/4", 2), ("classic/4", 3)
    ]  # fmt: skip


def test_the_fit_says_up_to_which_game_it_holds(world: World) -> None:
    first, second, *_ = world.planned("alpha", "bravo", deals=2)
    world.record(first)
    fit(world)
    world.record(second, (2, 1))

    found = summary(world, "classic/2")
    assert (found.recorded, found.games, found.anchor) == (1, 1, "bravo")
    assert found.fitted_at == NOW
    with world.database.read() as session:
        assert (fits.last_fitted(session), fits.last_recorded(session)) == (1, 2)
    fit(world)
    assert summary(world, "classic/2").recorded == 2


def test_bots_that_played_since_the_fit_come_last_by_their_live_elo(world: World) -> None:
    world.record(world.planned("alpha", "bravo")[0])
    fit(world)
    for game in world.planned("charlie", "delta"):
        world.record(game, (2, 1) if world.names[game.versions[0]] == "charlie" else (1, 2))

    rows = board(world, "classic/2")

    assert [row.bot for row in rows] == ["alpha", "bravo", "delta", "charlie"]
    assert [row.rank for row in rows] == [1, 2, 0, 0]
    assert rows[2].headline is None
    assert rows[2].games == 2


def test_bots_that_never_met_the_others_are_provisional(world: World) -> None:
    for game in world.planned("alpha", "bravo", "charlie", deals=2):
        world.record(game)
    for game in world.planned("echo", "foxtrot"):
        world.record(game)
    fit(world)

    rows = board(world, "classic/2")

    assert [one.headline.is_provisional for one in rows if one.headline] == [False] * 3 + [True] * 2
    assert {row.bot for row in rows[3:]} == {"echo", "foxtrot"}
    assert [row.rank for row in rows[3:]] == [0, 0]


def test_an_older_fit_does_not_replace_a_newer_one(world: World) -> None:
    first, second = world.planned("alpha", "bravo")
    world.record(first)
    with world.database.read() as session:
        old = next(read_boards(session))
    world.record(second)
    fit(world)

    with world.database.write() as session:
        fits.save_fit(session, old, fit_board(old.results(), 2), 1, NOW + MINUTE)

    assert summary(world, "classic/2").recorded == 2


def test_unrated_games_are_not_fitted(world: World) -> None:
    world.add_bots("alpha", "bravo")
    for game in world.plan(world.create("alpha", "bravo", is_rated=False)):
        world.record(game)

    assert fit(world) == ()
    assert board(world, "classic/2") == ()


def test_without_its_anchor_a_board_is_measured_from_its_mean(world: World) -> None:
    world.record(world.planned("alpha", "bravo")[0])
    fit(world, anchor="nobody")

    assert summary(world, "classic/2").anchor is None
    headlines = [row.headline for row in board(world, "classic/2")]
    assert np.mean([one.elo for one in headlines if one]) == pytest.approx(1500)


def test_neighbours_are_those_above_and_below(world: World) -> None:
    play_a_season(world)
    fit(world)
    order = [row.bot for row in board(world, "classic/2")]

    with world.database.read() as session:
        second = leaderboard.list_neighbours(session, "classic/2", order[1], 1)
        nobody = leaderboard.list_neighbours(session, "classic/2", "nobody", 1)

    assert [name for name, _ in second] == [order[0], order[2]]
    assert second[0][1] <= 0.5 <= second[1][1]
    assert nobody == ()


def test_large_boards_keep_no_covariance(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fits, "PAIRS", 1)
    world.record(world.planned("alpha", "bravo")[0])
    fit(world)

    with world.database.read() as session:
        assert fits.list_superiorities(session, "classic/2", range(2)) == ((), ())
        assert leaderboard.list_neighbours(session, "classic/2", "alpha", 2) == ()


def test_editions_have_boards_of_their_own(world: World) -> None:
    world.add_bots("alpha", "bravo")
    for edition in ("classic", "tiny"):
        for game in world.plan(world.create("alpha", "bravo", edition=edition)):
            world.record(game, edition=edition)

    assert fit(world) == ("classic/2", "tiny/2", "all")
    assert {row.games for row in board(world, "all")} == {4}


@pytest.mark.parametrize("name", ["", "classic", "classic/6", "classic/1", "ALL", "Classic/2"])
def test_a_malformed_board_is_refused(world: World, name: str) -> None:
    with world.database.read() as session, pytest.raises(InvalidError, match="is not a board"):
        leaderboard.get_leaderboard(session, name)


def test_boards_and_pools_go_together() -> None:
    for name in (*boards_of("classic", {2, 3, 5}), "all"):
        require_board(name)
    assert pool_of_board("classic/5") == "classic/multi"
    assert boards_of("tiny", {3}) == {"tiny/3": (3,), "tiny/multi": (3,)}
