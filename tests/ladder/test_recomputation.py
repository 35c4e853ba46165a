"""Ratings recomputed from the logs: the same to the last bit, and the first difference is named."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from ladder.errors import LadderError
from ladder.gamelog import read_result
from ladder.models import GameRow, LogRow, RatingChangeRow, RatingRow, SeatRow
from ladder.recomputation import compare_with_logs, mend
from ladder.store import recorded, recording
from roundhouse.replay import dump_log
from tests.ladder.logs import play
from tests.ladder.world import NOW

if TYPE_CHECKING:
    from ladder.domain.game import PlannedGame
    from ladder.recomputation import Comparison
    from tests.ladder.world import World


def play_a_season(world: World) -> list[PlannedGame]:
    """Really play tables of two and three, rated and not, and record them in a random order."""
    world.add_bots("alpha", "bravo", "charlie")
    games = []
    for size, is_rated in ((2, True), (3, True), (2, False)):
        tournament = world.create(
            "alpha", "bravo", "charlie", table_size=size, is_rated=is_rated, edition="tiny"
        )
        games += world.plan(tournament)
    random.Random(1).shuffle(games)
    for game in games:
        data = dump_log(play(game, world.names))
        with world.database.write() as session:
            recording.record_game(session, read_result(data), data, [], NOW)
    return games


def compare(world: World, *, is_replayed: bool = False) -> Comparison:
    with world.database.read() as session:
        return compare_with_logs(session, is_replayed=is_replayed)


@pytest.mark.parametrize("is_replayed", [False, True])
def test_the_logs_give_every_rating_to_the_last_bit(
    world: World, monkeypatch: pytest.MonkeyPatch, *, is_replayed: bool
) -> None:
    monkeypatch.setattr(recorded, "_BATCH", 4)
    play_a_season(world)

    found = compare(world, is_replayed=is_replayed)

    assert found.difference is None
    assert (found.games, found.rated) == (6 + 3 + 6, 6 + 3)


def test_a_rating_that_is_off_by_one_unit_is_named(world: World) -> None:
    play_a_season(world)
    with world.database.write() as session:
        row = session.scalars(select(RatingRow).where(RatingRow.pool == "tiny/2").limit(1)).one()
        row.rating += 1

    found = compare(world)

    assert found.difference is not None
    assert "in tiny/2 (units, games) is stored as" in found.difference
    assert found.is_mendable


def test_the_first_change_that_is_off_is_named(world: World) -> None:
    games = play_a_season(world)
    with world.database.write() as session:
        numbers = session.scalars(
            select(RatingChangeRow.game_number)
            .where(RatingChangeRow.seat == 0)
            .order_by(RatingChangeRow.recorded)
        ).all()
        changed = session.get_one(GameRow, numbers[2]).id
        for number in numbers[2:]:
            session.execute(
                update(RatingChangeRow)
                .where(RatingChangeRow.game_number == number, RatingChangeRow.seat == 1)
                .values(after=RatingChangeRow.after + 1)
            )

    found = compare(world)

    assert found.difference is not None
    assert f"Seat 1 of game {changed} " in found.difference
    assert found.games < len(games)


def test_a_change_that_is_missing_is_named(world: World) -> None:
    play_a_season(world)
    with world.database.write() as session:
        first = session.scalars(
            select(RatingChangeRow).order_by(RatingChangeRow.recorded, RatingChangeRow.seat)
        ).first()
        session.delete(first)

    found = compare(world)

    assert found.difference is not None
    assert found.is_mendable


def test_a_game_that_its_log_contradicts_is_for_people_to_mend(world: World) -> None:
    play_a_season(world)
    with world.database.write() as session:
        session.execute(update(SeatRow).where(SeatRow.seat == 0).values(score=SeatRow.score + 1))

    found = compare(world)

    assert found.difference is not None
    assert "but its log has" in found.difference
    assert not found.is_mendable


@pytest.mark.parametrize(
    ("data", "sentence"), [(b"nothing", "cannot be read any more"), (None, "is that of game")]
)
def test_a_log_that_is_not_the_games_is_named(
    world: World, data: bytes | None, sentence: str
) -> None:
    play_a_season(world)
    with world.database.write() as session:
        first, second = session.scalars(
            select(LogRow)
            .join(GameRow, GameRow.number == LogRow.game_number)
            .order_by(GameRow.recorded)
            .limit(2)
        ).all()
        first.data = second.data if data is None else data

    found = compare(world)

    assert found.difference is not None
    assert sentence in found.difference
    assert not found.is_mendable


def test_a_game_in_another_pool_than_its_log_says_is_named(world: World) -> None:
    play_a_season(world)
    with world.database.write() as session:
        session.execute(update(GameRow).where(GameRow.pool == "tiny/multi").values(pool="tiny/2"))

    found = compare(world)

    assert found.difference is not None
    assert "is stored as rated in tiny/2, but its log says tiny/multi" in found.difference


def test_ratings_that_are_wrong_are_mended_and_named(world: World) -> None:
    play_a_season(world)
    with world.database.write() as session:
        session.execute(update(RatingRow).values(rating=RatingRow.rating + 1))
        session.execute(update(RatingChangeRow).values(after=RatingChangeRow.after + 1))

    with world.database.write() as session:
        found = mend(session, is_replayed=False)

    assert found.difference is not None
    assert compare(world).difference is None


def test_nothing_is_mended_while_a_later_log_contradicts_its_game(world: World) -> None:
    play_a_season(world)
    with world.database.write() as session:
        first, *_, last = session.scalars(
            select(RatingChangeRow).order_by(RatingChangeRow.recorded)
        ).all()
        first.after += 1
        session.execute(
            update(SeatRow)
            .where(SeatRow.game_number == last.game_number)
            .values(score=SeatRow.score + 1)
        )
    before = compare(world)

    with (
        pytest.raises(LadderError, match=r"Nothing was changed\. Seat 0 of game .* its log has"),
        world.database.write() as session,
    ):
        mend(session, is_replayed=False)

    assert compare(world) == before
    assert before.is_mendable
