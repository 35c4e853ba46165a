"""Pages name edition and variants, and what must be told about an edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from ladder.schema import upgrade
from ladder.settings import Settings
from ladder.store.database import Database
from ladder.web.app import create_app
from roundhouse.rules import edition
from tests.ladder.web.conftest import Site

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "variants", "seats", "columns"),
    [
        ("refresh-2025", ["open_tickets", "quick", "ticket_market"], 2, []),
        ("mega", ["teams"], 4, ["Most tickets", "Team"]),
        ("classic", ["solo"], 1, []),
    ],
)
def test_every_page_of_a_tournament_names_its_rules(
    tmp_path: Path, name: str, variants: list[str], seats: int, columns: list[str]
) -> None:
    rules = edition(name, variants)
    database = Database.open(f"sqlite:///{tmp_path}/ladder.sqlite3")
    upgrade(database)
    site = Site(database)
    bots = ["greedy", "hoarder", "random", "planner"][:seats]
    site.submit(*bots)
    games = site.plan("cup", bots, deals=1, rules=rules)
    site.play(*games, rules=rules)
    (late, *_) = site.plan("later", bots, deals=1, rules=rules)  # a game that nobody has played
    title = " + ".join([name, *variants])
    with TestClient(create_app(database, Settings.from_environment({}))) as client:
        cup = client.get("/tournaments/cup").text
        replay = client.get(f"/games/{games[0].id}").text
        pages = [
            client.get(path).text
            for path in ("/tournaments", "/games", "/bots/greedy", f"/games/{late.id}")
        ]
    database.close()
    for page in (cup, replay, *pages):
        assert title in page
    assert (rules.notice in cup) or not rules.notice
    assert all(f">{column}</th>" in replay for column in columns)
