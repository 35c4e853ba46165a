"""The evidence of forfeits: kept whole, and shown to the owner of the bot alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.domain.game import ForfeitReason, ForfeitReport
from ladder.domain.owner import owner_of
from ladder.errors import InvalidError, NotFoundError, WrongMomentError
from ladder.store import bots
from ladder.store.evidence import list_evidence
from tests.ladder.world import NOW, package

if TYPE_CHECKING:
    from ladder.domain.game import PlannedGame
    from tests.ladder.world import World

ADA, BOB = owner_of("the long key of ada"), owner_of("the long key of bob")
REPORT = ForfeitReport(0, "Its process ended.", b"Traceback", b"all \0 else")


def crashed(world: World, *, others: bool = True) -> PlannedGame:
    """Let Ada's alpha crash against Bob's bravo, and play the other rotation."""
    world.add_bots("alpha", owner=ADA)
    world.add_bots("bravo", owner=BOB)
    first, second = world.planned("alpha", "bravo")
    result = world.result(first, (2, 1), forfeits={0: ForfeitReason.CRASH})
    world.record(first, (2, 1), reports=[REPORT], seats=result.seats)
    if others:
        world.record(second)
    return first


def seen(world: World, game_id: str, owner: str | None) -> tuple[ForfeitReport, ...]:
    with world.database.read() as session:
        return list_evidence(session, game_id, owner)


def test_the_owner_sees_all_of_it(world: World) -> None:
    game = crashed(world)
    assert seen(world, game.id, ADA) == (REPORT,)


@pytest.mark.parametrize("owner", [BOB, owner_of("the long key of eve"), None])
def test_nobody_else_sees_any_of_it(world: World, owner: str | None) -> None:
    game = crashed(world)
    with pytest.raises(NotFoundError, match="with this owner key has forfeited"):
        seen(world, game.id, owner)


def test_a_bot_without_an_owner_is_nobodys(world: World) -> None:
    game = world.planned("alpha", "bravo")[0]
    world.record(game, reports=[REPORT])
    world.record(world.plan(world.create("alpha", "bravo"))[0])
    with pytest.raises(WrongMomentError):
        seen(world, game.id, None)


def test_it_is_closed_as_long_as_the_log_is(world: World) -> None:
    game = crashed(world, others=False)
    with pytest.raises(WrongMomentError, match="closed until every game of its deal"):
        seen(world, game.id, ADA)


def test_there_is_none_of_a_game_that_does_not_exist(world: World) -> None:
    with pytest.raises(NotFoundError, match="There is no game 'gone'"):
        seen(world, "gone", ADA)


def test_whoever_submits_the_same_archive_later_does_not_become_its_owner(world: World) -> None:
    game = crashed(world)
    with world.database.write() as session:
        assert bots.add_version(session, *package("alpha"), NOW, owner=BOB)[1]
    assert seen(world, game.id, ADA) == (REPORT,)
    with pytest.raises(NotFoundError):
        seen(world, game.id, BOB)


@pytest.mark.parametrize("owner", [BOB, None])
def test_a_name_belongs_to_the_owner_of_its_first_version(world: World, owner: str | None) -> None:
    world.add_bots("alpha", owner=ADA)
    with pytest.raises(InvalidError, match="alpha is taken by another owner"):
        world.add_bots("alpha", content="2", owner=owner)
    assert world.add_bots("alpha", content="2", owner=ADA)[0].number == 2


def test_a_name_without_an_owner_is_open_to_all(world: World) -> None:
    world.add_bots("house")
    assert world.add_bots("house", content="2", owner=BOB)[0].number == 2
    assert world.add_bots("house", content="3")[0].number == 3


def test_an_owner_is_not_told_by_its_key_and_keys_must_be_secrets() -> None:
    assert ADA is not None
    assert ADA != BOB
    assert "ada" not in ADA
    assert owner_of("") is None
    for key in ("short", "x" * 257):
        with pytest.raises(InvalidError, match="16 to 256 characters"):
            owner_of(key)
