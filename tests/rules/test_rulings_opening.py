"""R-01 and R-02: set-up and the opening."""

from __future__ import annotations

import pytest

from roundhouse.rules import (
    Card,
    CardsDealt,
    DeckShuffled,
    DisplayCleared,
    KeepTickets,
    Phase,
    TicketsKept,
    TicketsOffered,
    count_cards,
    start_game,
)
from tests.rules.games import CLASSIC, check_conservation, seed_of

BLUE, GREEN, RED, LOCO = Card.BLUE, Card.GREEN, Card.RED, Card.LOCOMOTIVE


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r01_set_up_deals_four_cards_five_face_up_and_three_tickets(seats: int) -> None:
    state, events = start_game(CLASSIC, seats, seed_of(7))
    assert events[0] == DeckShuffled(0, 110)
    dealt = [event for event in events if isinstance(event, CardsDealt)]
    offered = [event for event in events if isinstance(event, TicketsOffered)]
    assert [event.seat for event in dealt] == [event.seat for event in offered]
    assert [event.seat for event in dealt] == list(range(seats))
    assert {event.count for event in dealt} == {4}
    assert {event.count for event in offered} == {3}
    for event in dealt:
        assert event.cards is not None
        assert count_cards(event.cards) == tuple(state.hands[event.seat])
    assert min(state.display) >= 0
    assert len(state.ticket_deck) == 30 - 3 * seats
    assert state.seats_to_act() == tuple(range(seats))
    check_conservation(state)


def test_r01_set_up_replaces_a_display_with_three_locomotives() -> None:
    cleared = [
        number
        for number in range(300)
        if any(isinstance(e, DisplayCleared) for e in start_game(CLASSIC, 2, seed_of(number))[1])
    ]
    assert cleared  # about 1 deal in 40
    for number in cleared:
        state, _ = start_game(CLASSIC, 2, seed_of(number))
        assert state.display.count(LOCO) < 3
        check_conservation(state)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_r02_opening_answers_may_come_in_any_order(order: tuple[int, ...]) -> None:
    state, _ = start_game(CLASSIC, 3, seed_of(3))
    answers = [state.legal_actions(seat)[seat + 1] for seat in range(3)]
    told = [state.apply(answers[seat], seat) for seat in order]
    assert told[:2] == [[], []]  # nothing happens before the last one
    kept = [event for event in told[2] if isinstance(event, TicketsKept)]
    assert [event.seat for event in kept] == [0, 1, 2]
    in_order, _ = start_game(CLASSIC, 3, seed_of(3))
    for seat in range(3):
        in_order.push(answers[seat], seat)
    assert state.digest() == in_order.digest()
    assert (state.phase, state.turn_seat, state.turn_number) == (Phase.TURN, 0, 1)


def test_r02_an_answer_is_seen_by_nobody_before_all_have_answered() -> None:
    state, _ = start_game(CLASSIC, 3, seed_of(3))
    before = state.observe(0), state.observe(2)
    answer = state.legal_actions(1)[2]
    state.apply(answer, 1)
    assert (state.observe(0), state.observe(2)) == before
    assert state.observe(1).answer == answer
    assert state.seats_to_act() == (0, 2)


def test_r02_opening_rejects_go_under_the_deck_in_seat_order() -> None:
    state, _ = start_game(CLASSIC, 2, seed_of(3))
    rejects = [state.offers[seat][1] for seat in range(2)]
    deck = list(state.ticket_deck)
    for seat in (1, 0):
        offer = state.offers[seat]
        keep = tuple(sorted({*offer} - {rejects[seat]}))
        state.apply(KeepTickets(keep, (rejects[seat],)), seat)
    assert state.ticket_deck == deck + rejects


def test_r02_at_least_two_tickets_are_kept_at_the_opening() -> None:
    state, _ = start_game(CLASSIC, 2, seed_of(3))
    kept = [len(a.keep) for a in state.legal_actions(0) if isinstance(a, KeepTickets)]
    assert sorted(kept) == [2, 2, 2, 3]
