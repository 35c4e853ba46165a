"""How a match is split into lanes for a referee."""

from __future__ import annotations

import pytest

from roundhouse.cli.sandboxed import CHUNK_GAMES, seating, split


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("games", [1, 2, 7, 3 * CHUNK_GAMES + 1])
def test_every_game_is_asked_for_once_with_the_others_of_its_rotation(
    games: int, seats: int
) -> None:
    lanes = split(games, seats)
    assert sorted(number for lane in lanes for number in lane) == list(range(games))
    for lane in lanes:
        assert 1 <= len(lane) <= CHUNK_GAMES
        assert len({number % seats for number in lane}) == 1
        assert len({number // seats for number in lane}) == len(lane), "a deal comes twice"


def test_every_bot_sits_once_in_every_seat() -> None:
    assert [seating(3, number) for number in range(4)] == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
        (0, 1, 2),
    ]
