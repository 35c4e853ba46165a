"""R-24: forfeits."""

from __future__ import annotations

import pytest

from roundhouse.rules import (
    DrawCard,
    DrawTickets,
    ErrorCode,
    GameEnded,
    Phase,
    Position,
    RulesError,
    SeatForfeited,
    State,
    start_game,
)
from tests.rules.games import CLASSIC, cards, check_conservation, refused, seed_of


def with_ticket_deck(*deck: int, seats: int = 2) -> State:
    """Set up seat 0's turn with these tickets in the deck, the top first; seat 1 holds the rest."""
    held = tuple(ticket.id for ticket in CLASSIC.tickets if ticket.id not in deck)
    return Position(
        rules=CLASSIC,
        hands=(cards(),) * seats,
        tickets=((), held, *[()] * (seats - 2)),
        ticket_deck=deck,
    ).state()


def last_turns(state: State) -> list[int]:
    """Play blind draws to the end; return the seats in the order of their turns."""
    turns: list[int] = []
    while not state.is_over():
        if state.phase is Phase.TURN:
            turns.append(state.turn_seat)
        state.apply(DrawCard())
    return turns


def forfeits_of(*order: int) -> list[int]:
    """Return the placements of five seats when some forfeit one after the other."""
    state = Position(rules=CLASSIC, hands=(cards(),) * 5, routes=((1,), (3,), (), (), ())).state()
    for seat in order:
        state.forfeit(seat)
    return [standing.placement for standing in state.standings()]


def test_r24_who_left_first_is_last() -> None:
    assert forfeits_of() == [1, 2, 3, 3, 3]
    assert forfeits_of(0) == [5, 1, 2, 2, 2]
    assert forfeits_of(0, 3) == [5, 1, 2, 4, 2]
    assert forfeits_of(0, 3, 1) == [5, 3, 1, 4, 1]
    assert forfeits_of(0, 3, 1, 2) == [5, 3, 2, 4, 1]


def test_r24_with_two_seats_the_other_wins_at_once() -> None:
    for seat in (0, 1):
        state = Position(rules=CLASSIC, hands=(cards(), cards()), routes=((1, 2), ())).state()
        events = state.forfeit(seat)
        assert events[0] == SeatForfeited(seat)
        assert isinstance(events[1], GameEnded)
        assert [s.placement for s in state.standings()] == ([2, 1] if seat == 0 else [1, 2])


def test_r24_the_others_play_on_and_the_seat_takes_no_more_turns() -> None:
    state = Position(rules=CLASSIC, hands=(cards(red=3),) * 3).state()
    assert state.forfeit(0) == [SeatForfeited(0)]
    turns = []
    for _ in range(8):
        turns.append(state.turn_seat)
        state.apply(DrawCard())
    assert turns == [1, 1, 2, 2, 1, 1, 2, 2]
    assert sum(state.hands[0]) == 3  # out of play
    assert state.observe(1).players[0].forfeited
    check_conservation(state)


def test_r24_a_forfeit_in_the_middle_of_a_turn_ends_the_turn() -> None:
    state = Position(rules=CLASSIC, hands=(cards(),) * 3).state()
    state.apply(DrawCard())
    state.forfeit(0)
    assert (state.turn_seat, state.phase) == (1, Phase.TURN)


def test_r24_a_forfeit_out_of_turn_leaves_the_turn_where_it_is() -> None:
    state = Position(rules=CLASSIC, hands=(cards(),) * 3).state()
    state.apply(DrawCard())
    state.forfeit(1)
    assert (state.turn_seat, state.phase) == (0, Phase.SECOND_CARD)
    state.apply(DrawCard())
    assert state.turn_seat == 2


def test_r24_a_pending_offer_goes_under_the_deck_in_the_order_offered() -> None:
    state = with_ticket_deck(9, 4, 7, 2, 1, seats=3)
    state.apply(DrawTickets())
    state.forfeit(0)
    assert state.ticket_deck == [2, 1, 9, 4, 7]
    check_conservation(state)


def test_r24_its_routes_stay_but_take_no_part_in_the_bonus() -> None:
    state = Position(rules=CLASSIC, hands=(cards(),) * 3, routes=((1, 2, 3), (31,), ())).state()
    state.forfeit(0)
    standings = state.standings()
    assert [s.longest_bonus for s in standings] == [0, 10, 0]
    assert standings[0].longest_path > standings[1].longest_path
    assert state.owners[1] == 0
    assert state.owners[31] == 1


@pytest.mark.parametrize(
    ("final_seat", "leaves", "expected"),
    [(0, 2, [1, 0]), (0, 0, [1, 2]), (2, 0, [1, 2]), (2, 2, [0, 1])],
)
def test_r24_the_final_round_goes_on_without_the_seat(
    final_seat: int, leaves: int, expected: list[int]
) -> None:
    after = (final_seat + 1) % 3
    state = Position(
        rules=CLASSIC, hands=(cards(),) * 3, turn_seat=after, final_seat=final_seat
    ).state()
    state.forfeit(leaves)
    status = state.observe(1).final_round
    assert status is not None
    assert status.turns_left == len(expected)
    assert last_turns(state) == expected


def test_r24_forfeits_of_the_opening_wait_for_the_others_and_share() -> None:
    for order in ((3, 1), (1, 3)):
        state, _ = start_game(CLASSIC, 4, seed_of(5))
        offers = list(state.offers)
        deck = list(state.ticket_deck)
        for seat in order:
            assert state.forfeit(seat) == []
        assert not state.observe(0).players[1].forfeited  # nobody sees it yet
        assert state.seats_to_act() == (0, 2)
        state.apply(state.legal_actions(0)[0], 0)
        events = state.apply(state.legal_actions(2)[0], 2)
        assert [type(event).__name__ for event in events] == [
            "TicketsKept",
            "SeatForfeited",
            "TicketsKept",
            "SeatForfeited",
        ]
        assert state.ticket_deck == deck + list(offers[1]) + list(offers[3])
        assert [s.placement for s in state.standings()][1::2] == [3, 3]
        orders = [player.forfeit_order for player in state.observe(0).players]
        assert orders == [0, 1, 0, 1]  # 1 left first
        check_conservation(state)


def test_r24_a_forfeit_after_the_opening_answer_takes_the_answer_back() -> None:
    state, _ = start_game(CLASSIC, 3, seed_of(5))
    offer = list(state.offers[1])
    state.apply(state.legal_actions(1)[0], 1)
    state.forfeit(1)
    state.apply(state.legal_actions(0)[0], 0)
    state.apply(state.legal_actions(2)[0], 2)
    assert state.tickets[1] == ()
    assert state.ticket_deck[-3:] == offer


def test_r24_the_last_seat_wins_without_answering_its_opening_offer() -> None:
    state, _ = start_game(CLASSIC, 2, seed_of(5))
    events = state.forfeit(1)
    assert isinstance(events[-1], GameEnded)
    assert [s.placement for s in state.standings()] == [1, 2]
    check_conservation(state)


def test_r24_nobody_forfeits_twice_or_after_the_end() -> None:
    state, _ = start_game(CLASSIC, 3, seed_of(5))
    state.forfeit(1)
    for seat, code in ((1, ErrorCode.FORFEITED), (3, ErrorCode.NO_SUCH_SEAT)):
        with pytest.raises(RulesError) as caught:
            state.forfeit(seat)
        assert caught.value.code is code
    state.forfeit(0)
    with pytest.raises(RulesError) as caught:
        state.forfeit(2)
    assert caught.value.code is ErrorCode.GAME_OVER
    assert refused(state, DrawCard()) is ErrorCode.GAME_OVER
    assert state.legal_actions() == []
    assert state.seats_to_act() == ()


def test_r24_an_offer_that_nobody_will_answer_goes_back_too() -> None:
    state = with_ticket_deck(9, 4, 7, 2, 1)
    state.apply(DrawTickets())
    state.forfeit(1)  # while seat 0 thinks about its offer
    assert state.is_over()
    assert state.ticket_deck == [2, 1, 9, 4, 7]
    assert state.standings()[0].tickets == ()
    check_conservation(state)
