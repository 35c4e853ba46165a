"""Recording: everything changes together, once, and in one order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from ladder.domain.game import ForfeitReason, ForfeitReport, GameStatus
from ladder.domain.tournament import TournamentStatus
from ladder.errors import InvalidError, NotFoundError, WrongMomentError
from ladder.models import GameRow, RatingChangeRow, RatingRow
from ladder.ratings import START
from ladder.store import games, leaderboard, logs, ratings, tournaments
from roundhouse.timecontrol import TimeControl
from tests.ladder.world import MINUTE, NOW

if TYPE_CHECKING:
    from ladder.domain.tournament import Tournament
    from tests.ladder.world import World


def tournament(world: World) -> Tournament:
    with world.database.read() as session:
        return tournaments.get_tournament(session, "t-0001")


def ratings_of(world: World, pool: str = "classic/2") -> dict[str, float]:
    with world.database.read() as session:
        rows = leaderboard.get_leaderboard(session, pool)
    return {row.bot: row.rating for row in rows if row.rating is not None}


def test_a_recorded_game_shows_result_and_rating(world: World) -> None:
    game = world.planned("alpha", "bravo")[0]

    assert not world.record(game, (2, 1))

    with world.database.read() as session:
        found = games.get_game(session, game.id)
    assert found.status is GameStatus.FINISHED
    assert found.is_rated
    assert found.finished_at == NOW + MINUTE
    assert [seat.placement for seat in found.seats] == [2, 1]
    assert [seat.score for seat in found.seats] == [80, 90]
    assert [seat.rating_change for seat in found.seats] == [-16, 16]
    assert [seat.rating_before for seat in found.seats] == [1500, 1500]
    assert ratings_of(world) == {"alpha": 1484, "bravo": 1516}


def test_recording_again_changes_nothing_even_with_another_outcome(world: World) -> None:
    first, second = world.planned("alpha", "bravo")
    world.record(first, (1, 2), log=b"first")

    assert world.record(first, (2, 1), log=b"second")

    world.record(second, (1, 2))
    assert tournament(world).finished_games == 2
    with world.database.read() as session:
        assert logs.get_log(session, first.id) == b"first"
        assert [seat.placement for seat in games.get_game(session, first.id).seats] == [1, 2]


def test_the_last_game_ends_the_tournament(world: World) -> None:
    *others, last = world.planned("alpha", "bravo", "charlie")
    for game in others:
        world.record(game)
    assert tournament(world).status is TournamentStatus.RUNNING
    assert tournament(world).finished_at is None

    world.record(last)

    assert tournament(world).status is TournamentStatus.FINISHED
    assert tournament(world).finished_at == NOW + MINUTE
    assert tournament(world).finished_games == tournament(world).games == 6


def test_logs_stay_closed_until_the_deal_group_has_ended(world: World) -> None:
    first, second, third = world.planned("alpha", "bravo", "charlie", table_size=3)

    def log_of(game_id: str) -> bytes:
        with world.database.read() as session:
            return logs.get_log(session, game_id)

    with pytest.raises(WrongMomentError, match="has not been played yet"):
        log_of(first.id)
    world.record(first, (1, 2, 3), log=b"1")
    with pytest.raises(WrongMomentError, match=r"closed until every game [^;]*; 2 of them are"):
        log_of(first.id)
    world.record(second, (1, 2, 3), log=b"2")
    with pytest.raises(WrongMomentError, match="1 of them is still to come"):
        log_of(first.id)
    with world.database.read() as session:
        assert not games.get_game(session, first.id).is_log_open
    world.record(third, (1, 2, 3), log=b"3")

    assert [log_of(game.id) for game in (first, second, third)] == [b"1", b"2", b"3"]
    with world.database.read() as session:
        assert games.get_game(session, first.id).is_log_open


def test_another_deal_keeps_no_log_closed(world: World) -> None:
    planned = world.planned("alpha", "bravo", deals=2)
    for game in planned:
        if game.deal == 0:
            world.record(game)

    with world.database.read() as session:
        assert logs.get_log(session, planned[0].id) == b"log"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"edition": "tiny"}, "has the edition tiny, but the plan says classic"),
        ({"variants": ("long", "teams")}, "has the variants long, teams, but the plan says none"),
        ({"bots": ("bravo", "alpha")}, "has the bots bravo, alpha, but the plan says alpha, bravo"),
        ({"versions": ("a" * 64, "b" * 64)}, "has the versions aaaa"),
        ({"seed": b"s" * 32}, "has another seed than the plan"),
        ({"time_control": TimeControl(bank=timedelta(seconds=1))}, "has the time control"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_log_that_does_not_match_the_plan_is_refused(
    world: World, changes: dict[str, object], sentence: str
) -> None:
    game = world.planned("alpha", "bravo")[0]

    with pytest.raises(InvalidError, match=sentence):
        world.record(game, **changes)  # type: ignore[arg-type]

    assert tournament(world).finished_games == 0
    assert ratings_of(world) == {}


def test_an_unplanned_game_is_not_found(world: World) -> None:
    game = world.planned("alpha", "bravo")[0]

    with pytest.raises(NotFoundError, match="'g-none'"):
        world.record(replace(game, id="g-none"))


@pytest.mark.parametrize("why", ["not isolated", "unrated tournament"])
def test_a_game_without_isolation_or_of_an_unrated_tournament_moves_no_rating(
    world: World, why: str
) -> None:
    world.add_bots("alpha", "bravo")
    (game, _) = world.plan(world.create("alpha", "bravo", is_rated=why == "not isolated"))

    world.record(game, is_isolated=why != "not isolated")

    assert ratings_of(world) == {}
    with world.database.read() as session:
        found = games.get_game(session, game.id)
    assert not found.is_rated
    assert found.seats[0].placement == 1
    assert found.seats[0].rating_change is None


def test_a_forfeit_is_shown_and_its_output_kept_apart(world: World) -> None:
    game = world.planned("alpha", "bravo")[0]
    result = world.result(game, (1, 2), forfeits={1: ForfeitReason.CRASH})
    report = ForfeitReport(1, "Its process ended.", b"Traceback")

    world.record(game, reports=[report], seats=result.seats)

    with world.database.read() as session:
        found = games.get_game(session, game.id)
        assert logs.list_forfeit_reports(session, game.id) == (report,)
    assert [seat.forfeit for seat in found.seats] == [None, ForfeitReason.CRASH]
    assert found.seats[1].rating_change == -16


def test_what_a_bot_says_cannot_spoil_the_record(world: World) -> None:
    game = world.planned("alpha", "bravo")[0]
    reports = [ForfeitReport(1, "It sent \0 and " + "x" * 5_000, b"\0" * 100_000)] * 2

    world.record(game, reports=reports)

    with world.database.read() as session:
        (kept,) = logs.list_forfeit_reports(session, game.id)
    assert kept.sentence.startswith("It sent \ufffd and xxx")
    assert len(kept.sentence) == 2_000
    assert len(kept.output_tail) == 65_536


def test_pools_are_apart(world: World) -> None:
    duel = world.planned("alpha", "bravo")[0]
    world.add_bots("charlie")
    table = world.plan(world.create("alpha", "bravo", "charlie", table_size=3))[0]

    world.record(duel, (1, 2))
    world.record(table, (3, 2, 1))

    assert ratings_of(world, "classic/2") == {"alpha": 1516, "bravo": 1484}
    assert ratings_of(world, "classic/multi") == {"charlie": 1516, "bravo": 1500, "alpha": 1484}
    with world.database.read() as session:
        assert ratings.list_pools(session) == ("classic/2", "classic/multi")


def test_many_recorders_at_once_record_each_game_once_and_in_one_order(world: World) -> None:
    planned = world.planned("alpha", "bravo", "charlie", deals=4)  # 24 games

    def record(number: int) -> bool:
        game = planned[number % len(planned)]
        return world.record(game, (1, 2) if number % 3 else (2, 1))

    with ThreadPoolExecutor(8) as threads:
        known = list(threads.map(record, [*range(len(planned)), *range(len(planned))]))

    assert sum(not is_known for is_known in known) == len(planned)
    with world.database.read() as session:
        order = session.scalars(select(GameRow.recorded).order_by(GameRow.recorded)).all()
        total = session.scalar(select(func.sum(RatingRow.rating)))
        steps = session.execute(
            select(RatingChangeRow.before, RatingChangeRow.after)
            .where(RatingChangeRow.bot_number == 1)
            .order_by(RatingChangeRow.recorded)
        ).all()
    assert order == [*range(1, len(planned) + 1)]
    assert total == 3 * START
    assert [before for before, _ in steps] == [START, *(after for _, after in steps[:-1])]
    assert tournament(world).status is TournamentStatus.FINISHED
