"""R-14 to R-17, R-20, R-21 and R-24: tickets, the end of the game, forfeits."""

from __future__ import annotations

import pytest

from roundhouse.rules import (
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ErrorCode,
    FinalRound,
    FinalRoundStatus,
    GameEnded,
    KeepTickets,
    Pass,
    Phase,
    Position,
    RulesError,
    SeatForfeited,
    State,
    TakeCard,
    TicketsKept,
    TicketsOffered,
    TurnPassed,
    load_board,
    start_game,
)
from tests.rules.games import CLASSIC, cards, check_conservation, seed_of

USA = load_board("usa")
SIX = [route.id for route in USA.routes if route.length == 6 and route.lane != 2]
BLACK_4 = USA.route_named("Denver-Kansas City/1").id
GRAY_1 = USA.route_named("Atlanta-Nashville").id


def network_of_41() -> tuple[int, ...]:
    """Return routes that leave 4 trains."""
    return (*SIX[:6], next(route.id for route in USA.routes if route.length == 5))


def refused(state: State, action: object, seat: int | None = None) -> ErrorCode:
    """Return the code with which an action is refused; the state must not change."""
    before = state.digest()
    with pytest.raises(RulesError) as caught:
        state.apply(action, seat)  # type: ignore[arg-type]
    assert state.digest() == before
    return caught.value.code


def with_ticket_deck(*deck: int, seats: int = 2) -> State:
    """Set up seat 0's turn with these tickets in the deck, the top first; seat 1 holds the rest."""
    held = tuple(ticket.id for ticket in CLASSIC.tickets if ticket.id not in deck)
    return Position(
        rules=CLASSIC,
        hands=(cards(),) * seats,
        tickets=((), held, *[()] * (seats - 2)),
        ticket_deck=deck,
    ).state()


@pytest.mark.parametrize("left", [5, 3, 2, 1])
def test_r14_an_offer_is_three_tickets_or_what_is_left(left: int) -> None:
    deck = (9, 4, 7, 2, 1)[:left]
    state = with_ticket_deck(*deck)
    assert state.apply(DrawTickets()) == [TicketsOffered(0, deck[:3], min(3, left))]
    assert (state.phase, state.turn_seat) == (Phase.TICKET_OFFER, 0)
    kept = {len(a.keep) for a in state.legal_actions() if isinstance(a, KeepTickets)}
    assert kept == set(range(1, min(3, left) + 1))  # at least one, or all of one
    check_conservation(state)


def test_r14_no_tickets_can_be_drawn_from_an_empty_deck() -> None:
    state = with_ticket_deck()
    assert DrawTickets() not in state.legal_actions()
    assert refused(state, DrawTickets()) is ErrorCode.NO_TICKETS


@pytest.mark.parametrize(
    ("keep", "give_back", "code"),
    [
        ((), (9, 4, 7), ErrorCode.KEEP_TOO_FEW),
        ((4, 4), (9, 7), ErrorCode.NOT_OFFERED),
        ((4,), (9,), ErrorCode.NOT_OFFERED),
        ((2,), (9, 4), ErrorCode.NOT_OFFERED),
        ((4, 9), (9,), ErrorCode.NOT_OFFERED),
        ((9, 4), (7,), ErrorCode.NOT_OFFERED),
        ((4, 7, 9, 2), (), ErrorCode.NOT_OFFERED),
    ],
)
def test_r14_each_offered_ticket_is_kept_or_given_back_once(
    keep: tuple[int, ...], give_back: tuple[int, ...], code: ErrorCode
) -> None:
    state = with_ticket_deck(9, 4, 7, 2)
    state.apply(DrawTickets())
    assert refused(state, KeepTickets(keep, give_back)) is code
    assert refused(state, KeepTickets((4,), (9, 7)), 1) is ErrorCode.NOT_YOUR_TURN


def test_r15_tickets_go_under_the_deck_in_the_order_given() -> None:
    state = with_ticket_deck(9, 4, 7, 2, 1)
    state.apply(DrawTickets())
    assert state.apply(KeepTickets((4,), (7, 9)))[0] == TicketsKept(0, (4,), (7, 9), 1, 2)
    assert state.ticket_deck == [2, 1, 7, 9]
    assert state.tickets[0] == (4,)
    places = [(place.position, place.ticket_id) for place in state.observe(0).known_tickets]
    assert places == [(2, 7), (3, 9)]
    assert state.observe(1).known_tickets == ()
    assert state.turn_seat == 1


def test_r15_kept_tickets_cannot_be_returned() -> None:
    state = with_ticket_deck(9, 4, 7, 2, 1)
    state.apply(DrawTickets())
    state.apply(KeepTickets((4,), (7, 9)))
    state.apply(DrawCard())
    state.apply(DrawCard())
    assert state.apply(DrawTickets()) == [TicketsOffered(0, (2, 1, 7), 3)]
    assert refused(state, KeepTickets((2,), (1, 7, 4))) is ErrorCode.NOT_OFFERED


def last_turns(state: State) -> list[int]:
    """Play blind draws to the end; return the seats in the order of their turns."""
    turns: list[int] = []
    while not state.is_over():
        if state.phase is Phase.TURN:
            turns.append(state.turn_seat)
        state.apply(DrawCard())
    return turns


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r16_everybody_has_one_more_turn_and_the_trigger_is_last(seats: int) -> None:
    state = Position(
        rules=CLASSIC,
        hands=(cards(), cards(black=4), *[cards()] * (seats - 2)),
        routes=((), network_of_41(), *[()] * (seats - 2)),
        turn_seat=1,
    ).state()
    events = state.apply(ClaimRoute(BLACK_4, Card.BLACK, 0))
    assert events[-1] == FinalRound(1)
    assert state.observe(0).final_round == FinalRoundStatus(1, seats)
    assert last_turns(state) == [*range(2, seats), 0, 1]
    assert state.observe(0).final_round == FinalRoundStatus(1, 0)


@pytest.mark.parametrize(("left", "triggers"), [(3, False), (2, True), (1, True), (0, True)])
def test_r16_two_trains_or_fewer_trigger_the_final_round(*, left: int, triggers: bool) -> None:
    length = 4 - left  # the seat has 4 trains and claims a route that leaves it with `left`
    route = next(r for r in USA.routes if r.length == length and r.id not in network_of_41())
    state = Position(
        rules=CLASSIC, hands=(cards(locomotive=4), cards()), routes=(network_of_41(), ())
    ).state()
    events = state.apply(ClaimRoute(route.id, None, length))
    assert (FinalRound(0) in events) == triggers


def test_r16_another_seat_that_runs_out_changes_nothing() -> None:
    state = Position(
        rules=CLASSIC,
        hands=(cards(), cards(black=4)),
        routes=((), network_of_41()),
        turn_seat=1,
        final_seat=0,
    ).state()
    events = state.apply(ClaimRoute(BLACK_4, Card.BLACK, 0))
    assert state.trains[1] == 0
    assert not any(isinstance(event, FinalRound) for event in events)
    assert state.observe(1).final_round == FinalRoundStatus(0, 1)
    assert last_turns(state) == [0]


def test_r16_the_last_turn_may_be_two_cards() -> None:
    state = Position(
        rules=CLASSIC, hands=(cards(), cards()), routes=(network_of_41(), ()), final_seat=0
    ).state()
    state.apply(DrawCard())
    assert not state.is_over()
    events = state.apply(DrawCard())
    assert state.is_over()
    assert isinstance(events[-1], GameEnded)


def dried_up(seats: int, *, closed: tuple[int, ...] = ()) -> State:
    """Set up a table with nothing to draw: seat 0 holds one red card, and the last seat the rest.

    The last seat has forfeited, so that its cards are out of play; it owns the routes in `closed`.
    """
    hands = [cards(red=1), *[cards()] * (seats - 2)]
    rest = tuple(total - hands[0][card] for card, total in enumerate(CLASSIC.card_counts))
    nothing: list[tuple[int, ...]] = [()] * (seats - 1)
    return Position(
        rules=CLASSIC,
        hands=(*hands, rest),
        deck=(),
        routes=(*nothing, closed),
        tickets=(*nothing, tuple(ticket.id for ticket in CLASSIC.tickets)),
        forfeits=(*[0] * (seats - 1), 1),
    ).state()


def test_r17_a_seat_without_any_action_passes_by_itself() -> None:
    state = dried_up(4)
    state.apply(ClaimRoute(GRAY_1, Card.RED, 0))  # the red card comes back into the display
    events = state.apply(TakeCard(0))  # seat 1 takes it, and nothing is left
    assert events[1:] == [TurnPassed(2), TurnPassed(0)]
    assert (state.turn_seat, state.turn_number) == (1, 5)  # it can claim with the red card
    assert state.observe(2).passes_in_a_row == 2
    assert not state.is_over()
    state.apply(state.legal_actions()[0])
    assert state.observe(2).passes_in_a_row == 0


def test_r17_a_whole_round_of_passes_ends_the_game() -> None:
    short = [route.id for route in USA.routes if route.length == 1 and route.lane != 2]
    state = dried_up(3, closed=tuple(route_id for route_id in short if route_id != GRAY_1))
    state.apply(ClaimRoute(GRAY_1, Card.RED, 0))
    events = state.apply(TakeCard(0))
    assert events[1:3] == [TurnPassed(0), TurnPassed(1)]
    assert isinstance(events[3], GameEnded)
    assert state.is_over()
    assert state.standings()[0].total == 11  # scored as it stands: 1 point and the bonus


def test_r17_a_pass_is_never_chosen() -> None:
    state = Position(rules=CLASSIC, hands=(cards(), cards())).state()
    assert Pass() not in state.legal_actions()
    assert refused(state, Pass()) is ErrorCode.NOT_FORCED


def test_r20_r21_ties_are_broken_by_tickets_then_by_the_bonus_then_shared() -> None:
    state = Position(rules=CLASSIC, hands=(cards(),) * 3).state()
    assert [s.placement for s in state.standings()] == [1, 1, 1]
    assert {s.longest_bonus for s in state.standings()} == {0}  # nobody owns a route


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
