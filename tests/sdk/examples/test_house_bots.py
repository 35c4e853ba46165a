"""The house bots: legal in every game, as strong as promised, quick, and short enough to read."""

from __future__ import annotations

import statistics
from functools import cache
from typing import TYPE_CHECKING

import pytest

from roundhouse.arena import Entrant, play_match, summarise
from roundhouse.cli.folders import HOUSE_BOTS, find_bots, house_folder, load_bot
from roundhouse.rules import EDITIONS
from tests.rules.tables import TOGETHER, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from roundhouse.arena import GameResult, Tally
    from roundhouse.bot import Bot

MOST_LINES = 120


@cache
def house_bot(name: str) -> Callable[[], Bot]:
    [bot] = find_bots([name])
    return load_bot(bot)


def play(*names: str, games: int, rules: str = "classic") -> list[GameResult]:
    entrants = [Entrant(name, house_bot(name)) for name in names]
    return list(play_match(entrants, games=games, seed="house bots", rules=named(rules)))


def first(results: list[GameResult]) -> Tally:
    return summarise(results)[0]


@pytest.mark.parametrize(
    ("bot", "other", "games", "least"),
    [
        ("planner", "random", 40, 0.95),
        ("planner", "greedy", 40, 0.6),
        ("planner", "hoarder", 40, 0.6),
        ("hoarder", "greedy", 20, 0.6),
        ("greedy", "random", 20, 0.9),
    ],
)
def test_a_stronger_bot_wins(bot: str, other: str, games: int, least: float) -> None:
    tally = first(play(bot, other, games=games))
    assert tally.wins / tally.games >= least


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_no_bot_forfeits_at_larger_tables_and_the_planner_leads(seats: int) -> None:
    names = ("planner", "hoarder", "greedy", "random", "greedy")[:seats]
    results = play(*names, games=2 * seats)
    assert [forfeit for result in results for forfeit in result.forfeits] == []
    placements = {tally.name: tally.mean_placement for tally in summarise(results)}
    assert min(placements, key=lambda name: placements[name]) == "planner"


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_every_bot_plays_every_edition_of_this_version(name: str) -> None:
    for rules in EDITIONS:
        results = play(name, name, "random", games=3, rules=rules)
        assert [forfeit for result in results for forfeit in result.forfeits] == []


@pytest.mark.parametrize("name", HOUSE_BOTS)
@pytest.mark.parametrize(("label", "seats"), TOGETHER)
def test_every_bot_plays_with_variants(name: str, label: str, seats: int) -> None:
    results = play(*[name] * seats, games=1, rules=label)
    assert [forfeit for result in results for forfeit in result.forfeits] == []


def test_the_planner_decides_in_about_a_millisecond() -> None:
    [result] = play("planner", "random", games=1)
    seat = result.entrants.index(0)
    used = [
        entry.action.used.ToTimedelta().total_seconds()
        for entry in result.log.entries
        if entry.action.seat == seat
    ]
    assert statistics.median(used) < 0.002


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_every_bot_is_short_enough_to_be_read_at_once(name: str) -> None:
    for path in (house_folder() / name).glob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) < MOST_LINES, path
