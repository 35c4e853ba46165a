"""How many sequences of actions there are from a fixed deal on the tiny board.

A count that changes means that the rules have changed. It is the sharpest test for its length: it
meets every rule in every order. It does not say which rule it was.
"""

from __future__ import annotations

import pytest

from roundhouse.rules import State, start_game
from tests.rules.games import TINY, seed_of


def perft(state: State, depth: int) -> int:
    """Count the sequences of that many actions; a game that is over counts as one."""
    if depth == 0 or state.is_over():
        return 1
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    count = 0
    for action in actions:
        after = state.copy()
        after.push(action)
        count += perft(after, depth - 1)
    return count


def middle_of_a_game(seats: int, number: int, decisions: int) -> State:
    """Play the last action of each list: a fixed game without any random source."""
    state, _ = start_game(TINY, seats, seed_of(number))
    for _ in range(decisions):
        state.push(state.legal_actions()[-1])
    return state


@pytest.mark.parametrize(
    ("seats", "number", "decisions", "counts"),
    [
        (2, 1, 0, (3, 9, 198, 2700, 26118)),
        (3, 2, 0, (3, 9, 27, 297, 2781, 35640)),
        (2, 3, 12, (3, 21, 117, 818, 4552, 32486)),
        (3, 4, 16, (7, 37, 258, 1188, 8244, 40199)),
        (2, 5, 20, (5, 30, 155, 930, 4961, 28409)),
    ],
)
def test_perft(seats: int, number: int, decisions: int, counts: tuple[int, ...]) -> None:
    state = middle_of_a_game(seats, number, decisions)
    assert tuple(perft(state, depth) for depth in range(1, len(counts) + 1)) == counts
