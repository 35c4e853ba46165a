"""Laws of whole games besides those of `laws`: other processes, copies, forfeits."""

from __future__ import annotations

import os
import random
import subprocess
import sys

from roundhouse.rules import (
    start_game,
)
from tests.rules.games import (
    CLASSIC,
    check_conservation,
    final_state,
    play_through,
    seed_of,
)


def test_a_game_is_the_same_in_another_process_whatever_the_hash_seed() -> None:
    program = "from tests.rules.games import *; print(final_state(CLASSIC, 3, 11).digest().hex())"
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert digests == {final_state(CLASSIC, 3, 11).digest().hex()}


def test_a_copy_shares_nothing_that_changes() -> None:
    for state, seat, action in play_through(CLASSIC, 3, 5):
        copy = state.copy()
        assert copy.digest() == state.digest()
        assert copy.legal_actions() == state.legal_actions()
        assert (copy.phase, copy.turn_seat) == (state.phase, state.turn_seat)
        before = state.digest()
        copy.push(action, seat)
        for _ in range(5):
            if not copy.is_over():
                copy.push(copy.legal_actions()[-1])
        assert state.digest() == before


def test_forfeits_at_any_moment_keep_every_law() -> None:
    rng = random.Random(3)
    for number in range(60):
        seats = 2 + number % 4
        state, _ = start_game(CLASSIC, seats, seed_of(number))
        for _ in range(rng.randrange(150)):
            if not state.is_over():
                state.push(rng.choice(state.legal_actions()))
        for seat in rng.sample(range(seats), seats):
            if not state.is_over():
                copy = state.copy()
                copy.forfeit(seat)
                assert copy.digest() != state.digest()
                state.forfeit(seat)
                check_conservation(state)
                for viewer in range(seats):
                    seen = state.observe(viewer)
                    assert seen.sample_state(rng).observe(viewer) == seen
                for _ in range(rng.randrange(10)):
                    if not state.is_over():
                        state.apply(rng.choice(state.legal_actions()))
                        check_conservation(state)
        while not state.is_over():
            state.push(rng.choice(state.legal_actions()))
        placements = sorted(standing.placement for standing in state.standings())
        assert placements[0] == 1
        finished = [s.placement for s in state.standings() if not s.forfeited]
        assert max(finished) <= seats
