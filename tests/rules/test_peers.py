"""Where public engines of this game go wrong: each known fault is a test of its own.

The numbers are those of a survey of such engines; the rulings say what is right.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from roundhouse.rules import (
    Action,
    Card,
    ClaimRoute,
    DisplayCleared,
    DrawCard,
    DrawTickets,
    ErrorCode,
    FinalRound,
    KeepTickets,
    Phase,
    Position,
    RulesError,
    State,
    TakeCard,
    count_cards,
    longest_path,
    start_game,
)
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult
from tests.rules.games import (
    CLASSIC,
    cards,
    check_conservation,
    final_state,
    play_through,
    seed_of,
)

if TYPE_CHECKING:
    from roundhouse.rules import CardCounts

USA = CLASSIC.board
RED, BLUE, GREEN, BLACK, LOCO = Card.RED, Card.BLUE, Card.GREEN, Card.BLACK, Card.LOCOMOTIVE
BLACK_4 = USA.route_named("Denver-Kansas City/1").id
GRAY_2 = USA.route_named("Denver-Santa Fe").id


def route(name: str) -> int:
    """Return a route's id."""
    return USA.route_named(name).id


def table(
    *,
    display: tuple[Card | None, ...],
    deck: tuple[Card, ...] = (),
    discard: CardCounts | None = None,
    hand: CardCounts | None = None,
) -> State:
    """Set up seat 0's turn; the cards that are placed nowhere are in the other hand."""
    hand, discard = hand or cards(), discard or cards()
    piles = [hand, discard, count_cards(deck), count_cards(c for c in display if c is not None)]
    other = tuple(
        total - sum(pile[card] for pile in piles) for card, total in enumerate(CLASSIC.card_counts)
    )
    return Position(
        rules=CLASSIC, hands=(hand, other), display=display, deck=deck, discard=discard
    ).state()


def refusal(state: State, action: Action, seat: int | None = None) -> ErrorCode:
    """Return the code of a refusal that leaves the state as it was."""
    before = state.digest()
    with pytest.raises(RulesError) as caught:
        state.apply(action, seat)
    assert state.digest() == before
    return caught.value.code


def test_01_cards_are_conserved_by_colour_through_a_refresh() -> None:
    state = table(display=(LOCO, LOCO, BLUE, GREEN, RED), deck=(LOCO, *[RED] * 8))
    assert any(isinstance(event, DisplayCleared) for event in state.apply(TakeCard(2)))
    check_conservation(state)
    assert len(state.deck) == 3


def test_02_a_refresh_that_cannot_help_ends() -> None:
    state = table(display=(LOCO, LOCO, BLUE, GREEN, RED), deck=(LOCO,) * 12)
    state.apply(TakeCard(2))
    assert state.display.count(LOCO) == 3
    check_conservation(state)


def test_03_a_refresh_with_a_short_deck_shuffles_the_discard_pile() -> None:
    state = table(display=(LOCO, LOCO, BLUE, GREEN, RED), deck=(LOCO, RED), discard=cards(white=9))
    state.apply(TakeCard(2))
    assert min(state.display) >= 0
    assert state.shuffles == 2
    check_conservation(state)


def test_04_every_reveal_is_looked_at_by_the_same_rule() -> None:
    moments: Counter[str] = Counter()
    for number in range(40):
        _, events = start_game(CLASSIC, 2, seed_of(number))
        moments["set-up"] += any(isinstance(event, DisplayCleared) for event in events)
        for before, seat, action in play_through(CLASSIC, 2, number):
            after = before.copy()
            happened = after.apply(action, seat)
            if any(isinstance(event, DisplayCleared) for event in happened):
                moments[type(action).__name__] += 1
            ordinary = 96 - sum(sum(hand[:8]) for hand in after.hands)
            assert after.display.count(LOCO) < 3 or ordinary < 3
    assert moments["set-up"]
    assert moments["TakeCard"]
    # After a claim and after a shuffle: test_rulings_draws, R-07 and R-10.


def test_05_the_second_card_is_taken_from_the_display_as_it_is_then() -> None:
    state = table(display=(RED, BLUE, BLUE, GREEN, GREEN), deck=(BLACK, RED))
    state.apply(TakeCard(0))
    state.apply(TakeCard(0))
    assert tuple(state.hands[0]) == cards(red=1, black=1)


def test_06_a_second_locomotive_is_neither_listed_nor_accepted() -> None:
    state = table(display=(LOCO, BLUE, BLUE, GREEN, GREEN), deck=(LOCO, RED))
    state.apply(TakeCard(1))
    for slot in (0, 1):
        assert TakeCard(slot) not in state.legal_actions()
        assert refusal(state, TakeCard(slot)) is ErrorCode.LOCOMOTIVE_SECOND


@pytest.mark.parametrize(
    ("slot", "code"),
    [
        (-1, ErrorCode.NO_SUCH_SLOT),
        (5, ErrorCode.NO_SUCH_SLOT),
        (-5, ErrorCode.NO_SUCH_SLOT),
        (2, ErrorCode.EMPTY_SLOT),
    ],
)
def test_07_slots_that_are_empty_or_do_not_exist_are_refused(slot: int, code: ErrorCode) -> None:
    state = table(display=(RED, BLUE, None, None, None))
    assert refusal(state, TakeCard(slot)) is code


def test_08_nobody_is_stuck_after_one_card_when_only_locomotives_are_left() -> None:
    state = table(display=(RED, LOCO, LOCO, None, None))
    state.apply(TakeCard(0))
    assert state.turn_seat == 1


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (ClaimRoute(BLACK_4, BLACK, -1), ErrorCode.WRONG_PAYMENT),  # five black, a locomotive won
        (ClaimRoute(BLACK_4, BLACK, 5), ErrorCode.WRONG_PAYMENT),
        (ClaimRoute(BLACK_4, None, 5), ErrorCode.WRONG_PAYMENT),
        (ClaimRoute(GRAY_2, LOCO, 1), ErrorCode.WRONG_COLOUR),  # the same kind twice
        (ClaimRoute(GRAY_2, None, 1), ErrorCode.WRONG_COLOUR),  # one card short
        (ClaimRoute(BLACK_4, RED, 0), ErrorCode.WRONG_COLOUR),
    ],
)
def test_09_odd_payments_are_refused(action: ClaimRoute, code: ErrorCode) -> None:
    hand = cards(black=6, red=6, locomotive=6)
    state = Position(rules=CLASSIC, hands=(hand, cards())).state()
    assert refusal(state, action) is code


def test_10_gray_twins_are_two_routes() -> None:
    first, second = route("Dallas-Houston/1"), route("Dallas-Houston/2")
    state = Position(rules=CLASSIC, hands=(cards(red=1),) * 4).state()
    state.apply(ClaimRoute(first, RED, 0))
    state.apply(ClaimRoute(second, RED, 0))
    assert (state.owners[first], state.owners[second]) == (0, 1)


@pytest.mark.parametrize(("seats", "is_open"), [(2, False), (3, False), (4, True), (5, True)])
def test_11_a_twin_is_open_for_the_right_numbers_of_players(seats: int, *, is_open: bool) -> None:
    state = Position(rules=CLASSIC, hands=(cards(red=2),) * seats).state()
    state.apply(ClaimRoute(route("Dallas-Houston/1"), RED, 0))
    for seat in range(1, seats):
        claim = ClaimRoute(route("Dallas-Houston/2"), RED, 0)
        assert (claim in replace_turn(state, seat).legal_actions()) == is_open
    assert (
        ClaimRoute(route("Dallas-Houston/2"), RED, 0) not in replace_turn(state, 0).legal_actions()
    )


def replace_turn(state: State, seat: int) -> State:
    """Return a copy in which it is another seat's turn."""
    twin = state.copy()
    twin.turn_seat = seat
    return twin


@pytest.mark.parametrize(("trains", "code"), [(4, None), (3, ErrorCode.NOT_ENOUGH_TRAINS)])
def test_12_trains_that_are_just_enough_are_enough(trains: int, code: ErrorCode | None) -> None:
    state = Position(rules=replace(CLASSIC, trains=trains), hands=(cards(black=4), cards())).state()
    claim = ClaimRoute(BLACK_4, BLACK, 0)
    assert (claim in state.legal_actions()) == (code is None)
    if code:
        assert refusal(state, claim) is code
    else:
        state.apply(claim)
        assert state.trains[0] == 0


def test_13_keep_lists_are_checked() -> None:
    state, _ = start_game(CLASSIC, 3, seed_of(1))
    one, two, three = state.offers[0]
    foreign = state.offers[1][0]
    for keep, give_back, code in (
        ((one, one), (two, three), ErrorCode.NOT_OFFERED),
        (tuple(sorted((one, foreign))), (two,), ErrorCode.NOT_OFFERED),
        ((one,), (two, three), ErrorCode.KEEP_TOO_FEW),
        ((), (one, two, three), ErrorCode.KEEP_TOO_FEW),
    ):
        assert refusal(state, KeepTickets(keep, give_back), 0) is code
    state.apply(state.legal_actions(0)[0], 0)
    answer = KeepTickets(tuple(sorted((one, two, three))), ())
    assert refusal(state, answer, 0) is ErrorCode.NOT_YOUR_TURN


def test_14_rejects_go_under_the_deck() -> None:
    state = Position(rules=CLASSIC, hands=(cards(), cards())).state()
    deck = list(state.ticket_deck)
    state.apply(DrawTickets())
    one, two, three = state.offers[0]
    state.apply(KeepTickets((two,), (three, one)))
    assert state.ticket_deck == [*deck[3:], three, one]


@pytest.mark.parametrize("left", [1, 2])
def test_15_fewer_than_three_tickets_are_offered_when_fewer_are_left(left: int) -> None:
    held = tuple(ticket.id for ticket in CLASSIC.tickets)[left:]
    state = Position(rules=CLASSIC, hands=(cards(), cards()), tickets=((), held)).state()
    state.apply(DrawTickets())
    assert len(state.offers[0]) == left
    assert state.ticket_deck == []
    state.apply(state.legal_actions()[0])
    assert len(state.tickets[0]) == left


def test_16_the_final_round_gives_everybody_one_turn_and_starts_once() -> None:
    # Seven trains: seat 0 claims to 3, which triggers nothing, and then to 2 or fewer; so does 1.
    rules = replace(CLASSIC, trains=7)
    hands = (cards(black=4, red=2), cards(blue=6), cards())
    state = Position(rules=rules, hands=hands).state()
    assert FinalRound(0) not in state.apply(ClaimRoute(BLACK_4, BLACK, 0))
    for _ in range(4):
        state.apply(DrawCard())
    assert FinalRound(0) in state.apply(ClaimRoute(GRAY_2, RED, 0))
    assert state.trains[0] == 1
    six_blue = next(r.id for r in USA.routes if r.length == 6 and r.colour in {None, BLUE})
    assert not any(isinstance(e, FinalRound) for e in state.apply(ClaimRoute(six_blue, BLUE, 0)))
    turns = []
    while not state.is_over():
        turns.append(state.turn_seat)
        state.apply(DrawCard())
    assert turns == [2, 2, 0, 0]  # the last draw of two cards is not cut to one


def test_17_the_longest_path_is_a_trail_and_its_bonus_goes_to_all_who_tie() -> None:
    names = ("Denver-Santa Fe", "El Paso-Santa Fe", "El Paso-Phoenix", "Phoenix-Santa Fe")
    assert longest_path(USA, [route(name) for name in names]) == 10
    one = SeatResult((route("Denver-Helena"),), (), 7, 41, 0)
    two = SeatResult((route("Denver-Omaha"),), (), 7, 41, 0)
    none = SeatResult((), (), 0, 45, 0)
    assert [s.longest_bonus for s in score(CLASSIC, (one, two, none))] == [10, 10, 0]
    assert [s.longest_bonus for s in score(CLASSIC, (none, none))] == [0, 0]


def test_18_tickets_are_looked_for_in_every_part_of_a_network() -> None:
    routes = tuple(route(name) for name in ("Atlanta-Miami", "Denver-Santa Fe", "El Paso-Santa Fe"))
    denver_el_paso = 7
    assert score(CLASSIC, [SeatResult(routes, (denver_el_paso,), 0, 0, 0)])[0].ticket_points == 4


def test_19_a_copy_shares_nothing_and_keeps_the_middle_of_a_turn() -> None:
    state = Position(rules=CLASSIC, hands=(cards(black=4), cards())).state()
    twin = state.copy()
    twin.apply(ClaimRoute(BLACK_4, BLACK, 0))
    assert sum(state.discard) == 0
    state.apply(DrawCard())
    twin = state.copy()
    assert twin.phase is Phase.SECOND_CARD
    assert twin.legal_actions() == state.legal_actions()


def test_20_the_list_does_not_depend_on_the_top_of_the_deck() -> None:
    display = (RED, BLUE, BLUE, GREEN, GREEN)
    lists = [
        table(display=display, deck=deck, hand=cards(black=2)).legal_actions()
        for deck in ((LOCO, RED), (RED, LOCO))
    ]
    assert lists[0] == lists[1]


def test_21_a_reshuffle_uses_the_seed_and_changes_the_order() -> None:
    orders = []
    for number in (1, 2, 1):
        pile = tuple(n - (card == RED) * 5 for card, n in enumerate(CLASSIC.card_counts))
        state = Position(
            rules=CLASSIC,
            hands=(cards(), cards()),
            display=(RED,) * 5,
            deck=(),
            discard=pile,
            seed=seed_of(number),
        ).state()
        state.apply(DrawCard())
        orders.append(tuple(state.deck))
    assert orders[0] == orders[2] != orders[1]
    assert list(orders[0]) not in (sorted(orders[0]), sorted(orders[0], reverse=True))


@pytest.mark.parametrize("seats", [4, 5])
def test_22_games_of_hoarders_come_to_an_end(seats: int) -> None:
    for number in range(3):
        assert final_state(CLASSIC, seats, number, "hoarder").is_over()


def test_23_a_seed_is_a_game() -> None:
    # In another process with another PYTHONHASHSEED: test_properties.
    digests = {final_state(CLASSIC, 4, 9).digest() for _ in range(2)}
    assert len(digests) == 1
