"""Explanations, as they are read from what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.errors import InvalidError, NotFoundError
from ladder.store import explanation, leaderboard, ratings
from ladder.store.explanation import explain_game, explain_rating, rate_without

if TYPE_CHECKING:
    from tests.ladder.world import World

RESULTS = ((1, 2), (2, 1), (1, 1), (1, 2), (1, 2), (2, 1))


def test_every_change_of_a_history_is_explained(world: World) -> None:
    games = world.planned("alpha", "bravo", "charlie")
    for game, placements in zip(games, RESULTS, strict=True):
        world.record(game, placements)

    with world.database.read() as session:
        found = explain_rating(session, "classic/2", "alpha")
        history = ratings.get_rating_history(session, "classic/2", "alpha")
        row = leaderboard.get_standing(session, "classic/2", "alpha")
        assert row is not None
        assert (found.rating, found.games) == (row.rating, row.games)
        last = explain_rating(session, "classic/2", "alpha", limit=1)
        one = explain_rating(session, "classic/2", "alpha", game_id=history[0].game_id)

    assert [(step.game_id, step.before, step.after) for step in found.steps] == [
        (point.game_id, point.before, point.after) for point in history
    ]
    for step in found.steps:
        assert step.change == pytest.approx(step.after - step.before, abs=1e-8)
        assert [pair.opponent for pair in step.pairs] in (["bravo"], ["charlie"])
    assert [step.games_before for step in found.steps] == list(range(len(history)))
    assert last.steps == found.steps[-1:]
    assert one.steps == found.steps[:1]


def test_a_game_is_explained_for_all_its_seats(world: World) -> None:
    game = world.planned("alpha", "bravo", "charlie", table_size=3)[0]
    world.record(game, (2, 1, 2))

    with world.database.read() as session:
        steps = explain_game(session, game.id)

    assert [step.bot for step in steps] == ["alpha", "bravo", "charlie"]
    assert [step.actual for step in steps] == [0.5, 2, 0.5]
    assert [step.expected for step in steps] == [1, 1, 1]
    assert sum(step.change for step in steps) == pytest.approx(0, abs=1e-9)


def test_an_unrated_game_has_nothing_to_explain(world: World) -> None:
    game = world.planned("alpha", "bravo", is_rated=False)[0]
    world.record(game, (1, 2))
    with world.database.read() as session:
        assert explain_game(session, game.id) == ()
        with pytest.raises(NotFoundError, match="has not played a rated game in classic/2"):
            explain_rating(session, "classic/2", "alpha")


@pytest.mark.parametrize("number", range(len(RESULTS)))
def test_leaving_a_game_out_gives_the_rating_that_the_others_give(
    world: World, number: int
) -> None:
    games = world.planned("alpha", "bravo", "charlie")
    for game, placements in zip(games, RESULTS, strict=True):
        world.record(game, placements)
    left_out = games[number]
    twin = world.plan(world.create("alpha", "bravo", "charlie", edition="classic"))
    with world.database.read() as session:
        found = {
            bot: rate_without(session, "classic/2", bot, left_out.id)
            for bot in ("alpha", "bravo", "charlie")
        }
    assert twin  # planned, not recorded: it changes nothing
    assert sum(one.rating_without for one in found.values()) == pytest.approx(4500, abs=1e-6)
    assert all(one.games_rated_again <= len(RESULTS) - number - 1 for one in found.values())
    if number == len(RESULTS) - 1:
        with world.database.read() as session:
            step = explain_game(session, left_out.id)[0]
        assert found[step.bot].rating_without == step.before


def test_what_is_not_there_is_one_sentence(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    games = world.planned("alpha", "bravo", "charlie")
    for game, placements in zip(games, RESULTS, strict=True):
        world.record(game, placements)
    stranger = next(
        game for game in games if "alpha" not in {world.names[version] for version in game.versions}
    )
    with world.database.read() as session:
        with pytest.raises(NotFoundError, match="no game 'none'"):
            rate_without(session, "classic/2", "alpha", "none")
        with pytest.raises(NotFoundError, match="no game 'none'"):
            explain_game(session, "none")
        with pytest.raises(NotFoundError, match="did not change the rating of 'alpha'"):
            explain_rating(session, "classic/2", "alpha", game_id=stranger.id)
        with pytest.raises(NotFoundError, match="'alpha' has not played a rated game in tiny/2"):
            explain_rating(session, "tiny/2", "alpha")
        with pytest.raises(InvalidError, match="is not a pool"):
            explain_rating(session, "tiny", "alpha")
        monkeypatch.setattr(explanation, "MOST_LATER_GAMES", 2)
        with pytest.raises(InvalidError, match="5 rated games came after"):
            rate_without(session, "classic/2", "alpha", games[0].id)
