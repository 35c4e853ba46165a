"""A rebuild gives the same bits, whatever was recorded."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from sqlalchemy import select

from ladder.models import RatingChangeRow, RatingRow
from ladder.store import elo
from ladder.store.elo import rebuild_ratings

if TYPE_CHECKING:
    import pytest

    from tests.ladder.world import World


def rows(world: World, model: type[RatingRow | RatingChangeRow]) -> list[tuple[object, ...]]:
    columns = model.__table__.columns
    with world.database.read() as session:
        return sorted(tuple(row) for row in session.execute(select(*columns)))


def play_a_season(world: World) -> None:
    rng = random.Random(1)
    games = world.planned("alpha", "bravo", "charlie", "delta", deals=2)
    games += world.plan(world.create("alpha", "bravo", "charlie", "delta", table_size=4, deals=1))
    games += world.plan(world.create("alpha", "bravo", "charlie", table_size=3, is_rated=False))
    rng.shuffle(games)
    for game in games:
        marks = [rng.randrange(4) for _ in game.versions]
        world.record(game, [1 + sum(other < own for other in marks) for own in marks])


def test_a_rebuild_is_the_same_to_the_last_digit(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elo, "_BATCH", 7)  # so that the season takes several
    play_a_season(world)
    ratings, changes = rows(world, RatingRow), rows(world, RatingChangeRow)

    with world.database.write() as session:
        games = rebuild_ratings(session)

    assert games == 24 + 4
    assert rows(world, RatingRow) == ratings
    assert rows(world, RatingChangeRow) == changes
    assert len(changes) == 24 * 2 + 4 * 4


def test_a_rebuild_mends_what_was_changed_by_hand(world: World) -> None:
    play_a_season(world)
    ratings = rows(world, RatingRow)
    with world.database.write() as session:
        for row in session.scalars(select(RatingRow)):
            row.rating += 1

    with world.database.write() as session:
        rebuild_ratings(session)

    assert rows(world, RatingRow) == ratings


def test_recording_goes_on_after_a_rebuild(world: World) -> None:
    first, second = world.planned("alpha", "bravo")
    world.record(first)
    with world.database.write() as session:
        rebuild_ratings(session)

    world.record(second)

    with world.database.write() as session:
        before = [(row.bot_number, row.rating) for row in session.scalars(select(RatingRow))]
        rebuild_ratings(session)
        after = [(row.bot_number, row.rating) for row in session.scalars(select(RatingRow))]
    assert sorted(before) == sorted(after)


def test_a_ladder_without_games_has_nothing_to_rebuild(world: World) -> None:
    with world.database.write() as session:
        assert rebuild_ratings(session) == 0
