"""R-01 to R-10, R-22 and R-25: set-up, drawing and the display."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roundhouse.rules import (
    Card,
    CardDrawn,
    CardsDealt,
    CardTaken,
    ClaimRoute,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    DrawCard,
    DrawTickets,
    ErrorCode,
    KeepTickets,
    Phase,
    Position,
    RulesError,
    State,
    TakeCard,
    TicketsKept,
    TicketsOffered,
    count_cards,
    spread_cards,
    start_game,
)
from tests.rules.games import CLASSIC, cards, check_conservation, seed_of

BLUE, GREEN, RED, LOCO = Card.BLUE, Card.GREEN, Card.RED, Card.LOCOMOTIVE
PLAIN = (BLUE, BLUE, GREEN, GREEN, RED)


def position(
    *,
    display: tuple[Card | None, ...] = PLAIN,
    deck: tuple[Card, ...] | None = None,
    hand: tuple[int, ...] | None = None,
    discard: tuple[int, ...] | None = None,
) -> Position:
    """Set up seat 0's turn; what is placed nowhere is in the other seat's hand."""
    hand = hand or cards()
    discard = discard or cards()
    used = [
        hand,
        discard,
        count_cards(c for c in display if c is not None),
        count_cards(deck or ()),
    ]
    rest = tuple(
        total - sum(pile[card] for pile in used) for card, total in enumerate(CLASSIC.card_counts)
    )
    return Position(
        rules=CLASSIC, hands=(hand, rest), display=display, deck=deck or (), discard=discard
    )


def refused(state: State, action: object) -> ErrorCode:
    """Return the code with which an action is refused; the state must not change."""
    before = state.digest()
    with pytest.raises(RulesError) as caught:
        state.apply(action)  # type: ignore[arg-type]
    assert state.digest() == before
    return caught.value.code


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


def test_r03_the_replacement_can_be_the_second_card() -> None:
    state = position(deck=(GREEN, LOCO)).state()  # the top card first
    events = state.apply(TakeCard(4))
    assert events == [CardTaken(0, 4, RED), DisplayFilled(4, GREEN)]
    assert state.phase is Phase.SECOND_CARD
    assert state.apply(TakeCard(4))[0] == CardTaken(0, 4, GREEN)
    assert state.turn_seat == 1


def test_r03_a_turn_is_two_cards_from_display_or_deck_in_any_mixture() -> None:
    for first in (TakeCard(0), DrawCard()):
        for second in (TakeCard(0), DrawCard()):
            state = position(deck=(RED, GREEN, RED, BLUE)).state()
            state.apply(first)
            state.apply(second)
            assert sum(state.hands[0]) == 2
            assert state.turn_seat == 1


def test_r04_a_face_up_locomotive_is_the_whole_turn() -> None:
    state = position(display=(LOCO, BLUE, GREEN, RED, RED), deck=(RED, RED)).state()
    state.apply(TakeCard(0))
    assert (state.turn_seat, state.phase) == (1, Phase.TURN)
    assert state.hands[0][LOCO] == 1


@pytest.mark.parametrize("revealed", [False, True])
def test_r04_a_face_up_locomotive_is_never_the_second_card(*, revealed: bool) -> None:
    display = (LOCO, BLUE, GREEN, RED, RED)
    state = position(display=display, deck=(LOCO if revealed else RED, RED, RED)).state()
    state.apply(TakeCard(1))
    slot = 1 if revealed else 0
    assert TakeCard(slot) not in state.legal_actions()
    assert refused(state, TakeCard(slot)) is ErrorCode.LOCOMOTIVE_SECOND


def test_r04_a_blind_locomotive_is_an_ordinary_draw() -> None:
    state = position(deck=(LOCO, RED, LOCO, RED)).state()
    assert state.apply(DrawCard()) == [CardDrawn(0, LOCO)]
    assert state.phase is Phase.SECOND_CARD
    state = position(deck=(RED, LOCO)).state()
    state.apply(TakeCard(0))
    state.apply(DrawCard())
    assert state.hands[0][LOCO] == 1


@pytest.mark.parametrize(
    ("display", "deck", "goes_on"),
    [
        ((RED, None, None, None, None), (), False),
        ((RED, LOCO, LOCO, None, None), (), False),
        ((RED, LOCO, BLUE, None, None), (), True),
        ((RED, BLUE, BLUE, LOCO, LOCO), (RED,), True),
        ((RED, LOCO, LOCO, GREEN, GREEN), (BLUE,), True),
    ],
)
def test_r05_the_turn_ends_after_one_card_when_there_is_no_second(
    *, display: tuple[Card | None, ...], deck: tuple[Card, ...], goes_on: bool
) -> None:
    state = position(display=display, deck=deck).state()
    state.apply(TakeCard(0))
    assert (state.phase is Phase.SECOND_CARD) == goes_on
    assert state.turn_seat == (0 if goes_on else 1)


def test_r05_nobody_stops_after_one_card_by_choice() -> None:
    state = position(deck=(RED, RED)).state()
    state.apply(DrawCard())
    assert {type(action) for action in state.legal_actions()} == {TakeCard, DrawCard}
    for action in (DrawTickets(), ClaimRoute(3, RED, 0), KeepTickets((1,), ())):
        assert refused(state, action) is ErrorCode.WRONG_PHASE


def test_r06_an_empty_deck_is_made_of_the_discard_pile_when_a_card_is_needed() -> None:
    state = position(deck=(RED,), discard=cards(white=3, black=2)).state()
    assert state.apply(DrawCard()) == [CardDrawn(0, RED)]
    assert state.shuffles == 1  # not before it is needed
    events = state.apply(DrawCard())
    assert events[0] == DeckShuffled(1, 5)
    assert isinstance(events[1], CardDrawn)
    assert sum(state.discard) == 0
    assert len(state.deck) == 4


def test_r06_the_display_stays_short_when_both_are_empty() -> None:
    state = position().state()
    events = state.apply(TakeCard(2))
    assert events == [CardTaken(0, 2, GREEN)]
    assert state.display[2] == -1


def test_r06_a_shuffle_depends_on_the_seed_and_the_pile_alone() -> None:
    setting = position(discard=cards(white=5, black=5, red=2))
    orders = set()
    for seed in (seed_of(1), seed_of(2), seed_of(1)):
        state = replace(setting, seed=seed).state()
        state.apply(DrawCard())
        orders.add(tuple(state.deck))
    assert len(orders) == 2
    assert sorted(next(iter(orders))) != list(next(iter(orders)))


def test_r07_a_payment_refills_a_short_display_at_once() -> None:
    hand = cards(black=4, locomotive=2)
    state = position(display=(BLUE, None, None, RED, None), hand=hand).state()
    events = state.apply(ClaimRoute(32, Card.BLACK, 0))  # Denver-Kansas City, 4 black
    assert DeckShuffled(1, 4) in events
    filled = [event for event in events if isinstance(event, DisplayFilled)]
    assert [event.slot for event in filled] == [1, 2, 4]
    assert len(state.deck) == 1


def test_r07_a_refill_by_a_payment_is_followed_by_the_look_at_the_locomotives() -> None:
    hand = cards(locomotive=2, black=2)
    setting = position(display=(LOCO, LOCO, RED, RED, None), hand=hand)
    first_cards = set()
    for number in range(20):
        state = replace(setting, seed=seed_of(number)).state()
        events = state.apply(ClaimRoute(32, Card.BLACK, 2))
        first = next(event.card for event in events if isinstance(event, DisplayFilled))
        first_cards.add(first)
        assert any(isinstance(event, DisplayCleared) for event in events) == (first is LOCO)
        check_conservation(state)
    assert first_cards == {LOCO, Card.BLACK}


@pytest.mark.parametrize(
    ("display", "deck", "discard", "takes", "draws"),
    [
        (PLAIN, (), cards(), [0, 1, 2, 3, 4], False),
        ((None,) * 5, (), cards(), [], False),
        ((LOCO, None, None, RED, None), (), cards(), [0, 3], False),
        (PLAIN, (RED,), cards(), [0, 1, 2, 3, 4], True),
        (PLAIN, (), cards(red=1), [0, 1, 2, 3, 4], True),
    ],
)
def test_r08_only_cards_that_lie_there_can_be_drawn(
    *,
    display: tuple[Card | None, ...],
    deck: tuple[Card, ...],
    discard: tuple[int, ...],
    takes: list[int],
    draws: bool,
) -> None:
    state = position(display=display, deck=deck, discard=discard).state()
    actions = state.legal_actions()
    assert [action.slot for action in actions if isinstance(action, TakeCard)] == takes
    assert (DrawCard() in actions) == draws
    for slot in set(range(5)) - set(takes):
        assert refused(state, TakeCard(slot)) is ErrorCode.EMPTY_SLOT
    if not draws:
        assert refused(state, DrawCard()) is ErrorCode.NOTHING_TO_DRAW


def test_r09_a_card_taken_face_up_is_public_and_a_blind_one_is_not() -> None:
    state = position(deck=(LOCO, RED, GREEN, BLUE)).state()
    taken, *_ = state.apply(TakeCard(0))
    drawn, *_ = state.apply(DrawCard())
    for seat in (1, None):
        assert taken.redacted(seat) == taken
        assert drawn.redacted(seat) == CardDrawn(0, None)
    assert drawn.redacted(0) == drawn
    seen = state.observe(1).players[0]
    assert (seen.hand_size, seen.known_hand) == (2, cards(blue=1))


def test_r09_a_payment_is_public_and_uses_up_what_is_known_of_the_hand() -> None:
    setting = position(hand=cards(black=5, red=1), deck=(RED,))
    setting = replace(setting, known_hands=(cards(black=3), cards()))
    state = setting.state()
    state.apply(ClaimRoute(32, Card.BLACK, 0))
    seen = state.observe(1)
    assert seen.discard == cards(black=4)
    assert seen.players[0].known_hand == cards()  # one of three may have been among the four paid


LOCOS = (LOCO, LOCO, BLUE, GREEN, RED)


def test_r10_three_face_up_locomotives_are_discarded_with_the_display() -> None:
    deck = (LOCO, RED, RED, RED, RED, RED, BLUE)
    state = position(display=LOCOS, deck=deck).state()
    events = state.apply(TakeCard(2))
    assert events[1] == DisplayFilled(2, LOCO)
    assert events[2] == DisplayCleared(cards(locomotive=3, green=1, red=1))
    assert events[3:] == [DisplayFilled(slot, RED) for slot in range(5)]
    assert state.discard == list(cards(locomotive=3, green=1, red=1))
    check_conservation(state)


def test_r10_the_replacement_is_looked_at_again() -> None:
    deck = (LOCO, RED, LOCO, LOCO, LOCO, RED, *[GREEN] * 5)
    state = position(display=LOCOS, deck=deck).state()
    events = state.apply(TakeCard(2))
    assert sum(isinstance(event, DisplayCleared) for event in events) == 2
    assert state.display == [GREEN] * 5


def test_r10_a_short_deck_is_made_up_from_the_discard_pile() -> None:
    state = position(display=LOCOS, deck=(LOCO, RED), discard=cards(white=6)).state()
    events = state.apply(TakeCard(2))
    assert DeckShuffled(1, 6 + 5) in events
    check_conservation(state)


@pytest.mark.parametrize(("ordinary", "refreshed"), [(2, False), (3, True)])
def test_r10_the_display_is_kept_when_fewer_than_three_ordinary_cards_are_left(
    *, ordinary: int, refreshed: bool
) -> None:
    # After the blue card is taken, green and red lie outside the hands, and perhaps one more.
    deck = (LOCO, LOCO, *[RED] * (ordinary - 2))
    state = position(display=LOCOS, deck=deck).state()
    events = state.apply(TakeCard(2))
    assert any(isinstance(event, DisplayCleared) for event in events) == refreshed
    if not refreshed:
        assert state.display.count(LOCO) == 3
    check_conservation(state)


def test_r10_after_64_replacements_in_a_row_the_display_is_kept() -> None:
    # Eleven locomotives and three ordinary cards: nearly every display has three locomotives.
    deck = (LOCO,) * 11
    cleared = []
    for number in range(60):
        setting = replace(position(display=LOCOS, deck=(*deck, RED)), seed=seed_of(number))
        state = setting.state()
        events = state.apply(TakeCard(2))
        cleared.append(sum(isinstance(event, DisplayCleared) for event in events))
        check_conservation(state)
        if cleared[-1] == 64:
            assert state.display.count(LOCO) >= 3
        else:
            assert state.display.count(LOCO) < 3
    assert max(cleared) == 64


def test_r22_a_display_is_looked_at_only_when_a_card_was_revealed() -> None:
    # Three locomotives lie there since no refresh could help; now three cards come out of a hand,
    # but the display is full, so nothing is revealed and nothing is replaced.
    display = (LOCO, LOCO, LOCO, BLUE, RED)
    state = position(display=display, hand=cards(black=4)).state()
    events = state.apply(ClaimRoute(32, Card.BLACK, 0))
    assert not any(isinstance(event, DisplayCleared) for event in events)
    assert state.display == list(display)
    # The next card that is revealed makes it be looked at.
    events = state.apply(TakeCard(3))
    assert any(isinstance(event, DisplayCleared) for event in events)


def test_r22_a_display_that_no_card_can_fill_is_looked_at_when_it_is_as_full_as_can_be() -> None:
    display = (LOCO, LOCO, None, None, None)
    hand = cards(black=3, locomotive=1)
    state = position(display=display, hand=hand).state()
    events = state.apply(ClaimRoute(32, Card.BLACK, 1))
    revealed = [event.card for event in events if isinstance(event, DisplayFilled)][:3]
    assert any(isinstance(e, DisplayCleared) for e in events) == (LOCO in revealed)


def test_r25_the_other_cards_do_not_move() -> None:
    state = position().state()
    state.apply(TakeCard(1))
    assert state.display == [BLUE, -1, GREEN, GREEN, RED]
    assert state.observe(1).display == (BLUE, None, GREEN, GREEN, RED)
    assert spread_cards(state.hands[0]) == [BLUE]
