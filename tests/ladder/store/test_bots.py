"""Bots and versions: immutable, numbered, and listed page by page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from ladder.errors import InvalidError, NotFoundError
from ladder.store import bots
from tests.ladder.world import NOW, package

if TYPE_CHECKING:
    from tests.ladder.world import World


def test_a_submission_is_its_bots_latest_version(world: World) -> None:
    (first,) = world.add_bots("planner")
    (second,) = world.add_bots("planner", content="2")

    with world.database.read() as session:
        bot = bots.get_bot(session, "planner")
        versions = bots.list_versions(session, "planner")
        archive = bots.get_archive(session, first.hash)

    assert bot.latest == second
    assert bot.versions == 2
    assert [version.number for version in versions] == [2, 1]
    assert versions[1] == first
    assert first.submitted_at == NOW
    assert archive == package("planner")[1]
    assert first.size == len(archive)


def test_the_same_archive_again_changes_nothing(world: World) -> None:
    (first,) = world.add_bots("planner")
    world.add_bots("planner", content="2")

    with world.database.write() as session:
        again, is_known = bots.add_version(session, *package("planner"), NOW)

    assert is_known
    assert again == first
    with world.database.read() as session:
        assert bots.get_bot(session, "planner").latest.number == 2


def test_one_archive_submitted_at_once_is_one_version(world: World) -> None:
    def add(content: int) -> tuple[int, bool]:
        with world.database.write() as session:
            version, is_known = bots.add_version(session, *package("planner", str(content)), NOW)
        return version.number, is_known

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(add, [0, 1, 2, 3] * 4))

    assert sorted({number for number, _ in outcomes}) == [1, 2, 3, 4]
    assert sum(not is_known for _, is_known in outcomes) == 4


def test_what_does_not_exist_is_not_found(world: World) -> None:
    with world.database.read() as session:
        for look_up in (bots.get_bot, bots.list_versions, bots.get_archive):
            with pytest.raises(NotFoundError, match="'nobody'"):
                look_up(session, "nobody")


def test_a_listing_shows_every_bot_once_while_others_are_added(world: World) -> None:
    names = ["alpha", "bravo", "charlie", "delta", "echo"]
    world.add_bots(*reversed(names))
    shown, token = [], ""
    while True:
        with world.database.read() as session:
            page = bots.list_bots(session, limit=2, token=token)
        shown += [bot.name for bot in page.items]
        world.add_bots("aardvark")  # before the page that is shown: it moves nothing
        token = page.next_token
        if not token:
            break

    assert shown == names


@pytest.mark.parametrize("token", ["x", "!", "Z2FtZXM6MQ"])  # the last is another listing's
def test_a_foreign_page_token_is_refused(world: World, token: str) -> None:
    with world.database.read() as session, pytest.raises(InvalidError, match="page token"):
        bots.list_bots(session, token=token)
