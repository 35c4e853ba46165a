"""Laws that hold in every game, checked over whole games of several kinds of players."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roundhouse.rules import (
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ErrorCode,
    GameEnded,
    KeepTickets,
    Pass,
    RulesError,
    State,
    TakeCard,
    action_from_index,
    action_index,
    format_action,
    format_event,
    parse_action,
    parse_event,
    start_game,
)
from tests.rules.games import (
    CLASSIC,
    PLAYERS,
    TINY,
    check_conservation,
    final_state,
    play_through,
    seed_of,
)

whole_games = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TABLES = [("classic", 2), ("classic", 3), ("classic", 4), ("classic", 5), ("tiny", 2), ("tiny", 3)]
RULES = {"classic": CLASSIC, "tiny": TINY}

every_table = pytest.mark.parametrize(("edition", "seats"), TABLES)
numbers = st.integers(0, 10**6)
players = st.sampled_from(sorted(PLAYERS))


def longest_game(state: State) -> int:
    """Return a bound on the decisions of a game of n seats.

    Every seat answers its opening offer: n. After that a turn is at most two decisions. It claims a
    route (at most 45 a seat, since each takes a train), or draws tickets and keeps one at least (at
    most 30 in all, two decisions each), or draws cards, one a decision. Cards drawn and not yet
    paid never exceed 110, and a claim pays 6 at most, so that at most 110 + 6 * 45 n are drawn.
    Passes are no decisions.
    """
    rules, seats = state.rules, state.seats
    claims = seats * rules.trains
    draws = sum(rules.card_counts) + 6 * claims
    return seats + claims + 2 * len(rules.tickets) + draws


@every_table
@whole_games
@given(number=numbers, player=players)
def test_nothing_is_created_or_lost_and_every_game_ends(
    edition: str, seats: int, number: int, player: str
) -> None:
    decisions = 0
    for state, _seat, _action in play_through(RULES[edition], seats, number, player):
        check_conservation(state)
        decisions += 1
    check_conservation(state)
    assert state.is_over()
    assert decisions <= longest_game(state)


@every_table
@whole_games
@given(number=numbers, player=players, pick_seed=numbers)
def test_every_legal_action_applies_and_push_has_the_same_effect(
    edition: str, seats: int, number: int, player: str, pick_seed: int
) -> None:
    pick = random.Random(pick_seed)
    for state, seat, _action in play_through(RULES[edition], seats, number, player):
        before = state.digest()
        legal = state.legal_actions(seat)
        assert len(set(legal)) == len(legal)
        for action in pick.sample(legal, min(2, len(legal))):
            applied, pushed = state.copy(), state.copy()
            applied.apply(action, seat)
            pushed.push(action, seat)
            assert applied.digest() == pushed.digest() != before
        assert state.digest() == before  # a copy is independent


def some_actions(state: State, pick: random.Random) -> list[Action]:
    """Return actions of every kind, legal and not."""
    offer = [ticket for lot in state.offers for ticket in lot] + [1, 2, 99]
    some = pick.sample(offer, min(len(offer), 3))
    return [
        TakeCard(pick.randrange(-2, 7)),
        DrawCard(),
        DrawTickets(),
        Pass(),
        KeepTickets(tuple(some[:2]), tuple(some[2:])),
        KeepTickets((), tuple(some)),
        *(
            ClaimRoute(pick.randrange(-1, 103), pick.choice([None, *Card]), pick.randrange(-1, 8))
            for _ in range(8)
        ),
    ]


@every_table
@whole_games
@given(number=numbers, player=players, pick_seed=numbers)
def test_what_is_not_in_the_list_is_refused_and_changes_nothing(
    edition: str, seats: int, number: int, player: str, pick_seed: int
) -> None:
    pick = random.Random(pick_seed)
    for state, seat, _action in play_through(RULES[edition], seats, number, player):
        if pick.random() < 0.5:
            continue
        legal = set(state.legal_actions(seat))
        before = state.digest()
        for action in some_actions(state, pick):
            if action in legal:
                continue
            with pytest.raises(RulesError) as caught:
                state.apply(action, seat)
            assert isinstance(caught.value.code, ErrorCode)
            assert str(caught.value).endswith(".")
        assert state.digest() == before
        others = set(range(seats)) - set(state.seats_to_act())
        for other in others:
            assert state.legal_actions(other) == []
            with pytest.raises(RulesError) as caught:
                state.apply(pick.choice(sorted(legal, key=repr)), other)
            assert caught.value.code is ErrorCode.NOT_YOUR_TURN


@every_table
@whole_games
@given(number=numbers, player=players)
def test_notation_and_index_go_there_and_back(
    edition: str, seats: int, number: int, player: str
) -> None:
    board = RULES[edition].board
    for state, seat, action in play_through(RULES[edition], seats, number, player):
        seen = state.observe(seat)
        for legal in state.legal_actions(seat)[::3]:
            assert parse_action(format_action(legal, board), board) == legal
            assert action_from_index(action_index(legal, seen), seen) == legal
        for event in state.copy().apply(action, seat):
            for viewer in (None, *range(seats)):
                shown = event.redacted(viewer)
                text = format_event(shown, board)
                assert "\n" not in text
                assert parse_event(text, board) == shown


@every_table
@whole_games
@given(number=numbers, player=players)
def test_the_same_seed_and_actions_give_the_same_states(
    edition: str, seats: int, number: int, player: str
) -> None:
    rules = RULES[edition]
    played = []
    for state, seat, action in play_through(rules, seats, number, player):
        played.append((seat, format_action(action, rules.board), state.digest()))
    again, _ = start_game(rules, seats, seed_of(number))
    events = []
    for seat, text, digest in played:
        assert again.digest() == digest
        events += again.apply(parse_action(text, rules.board), seat)
    assert again.digest() == state.digest()
    assert isinstance(events[-1], GameEnded)
    assert events[-1].standings == state.standings()


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
