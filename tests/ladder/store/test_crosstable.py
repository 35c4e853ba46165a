"""The crosstable: bot against bot, each cell the mirror of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ladder.errors import NotFoundError
from ladder.store.crosstable import get_crosstable

if TYPE_CHECKING:
    from ladder.domain.tournament import Crosstable
    from tests.ladder.world import World


def crosstable(world: World) -> Crosstable:
    with world.database.read() as session:
        return get_crosstable(session, "t-0001")


def test_duels_are_counted_from_both_sides(world: World) -> None:
    games = {
        game.id.removeprefix("g-0001-"): game for game in world.planned("alpha", "bravo", "charlie")
    }
    world.record(games["0-0-0"], (2, 1))  # alpha, bravo
    world.record(games["0-0-1"], (1, 1))  # bravo, alpha
    world.record(games["2-0-1"], (1, 2))  # charlie, bravo

    table = crosstable(world)

    assert table.bots == ("charlie", "bravo", "alpha")
    cells = {
        (cell.bot, cell.opponent): (
            cell.games,
            cell.wins,
            cell.draws,
            cell.losses,
            cell.mean_margin,
        )
        for cell in table.cells
    }
    assert cells == {
        ("alpha", "bravo"): (2, 0, 1, 1, -5),
        ("bravo", "alpha"): (2, 1, 1, 0, 5),
        ("bravo", "charlie"): (1, 0, 0, 1, -10),
        ("charlie", "bravo"): (1, 1, 0, 0, 10),
    }


def test_every_pair_of_a_full_table_meets(world: World) -> None:
    for game in world.planned("alpha", "bravo", "charlie", "delta", table_size=4):
        world.record(game, (1, 2, 3, 4))  # once in each seat

    table = crosstable(world)

    assert table.bots == ("alpha", "bravo", "charlie", "delta")
    assert len(table.cells) == 12
    assert {cell.games for cell in table.cells} == {4}
    for cell in table.cells:
        assert cell.wins + cell.draws + cell.losses == cell.games
    assert sum(cell.mean_margin for cell in table.cells) == 0


def test_a_tournament_without_results_has_its_bots_and_no_cells(world: World) -> None:
    world.planned("bravo", "alpha")

    table = crosstable(world)

    assert table.bots == ("alpha", "bravo")
    assert table.cells == ()


def test_an_unknown_tournament_is_not_found(world: World) -> None:
    with pytest.raises(NotFoundError, match="'t-0001'"):
        crosstable(world)
