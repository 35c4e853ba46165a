"""R-03 to R-05, R-08 and R-09: drawing cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roundhouse.rules import (
    Card,
    CardDrawn,
    CardTaken,
    ClaimRoute,
    DisplayFilled,
    DrawCard,
    DrawTickets,
    ErrorCode,
    KeepTickets,
    Phase,
    TakeCard,
)
from tests.rules.games import PLAIN, cards, draw_position, refused

BLUE, GREEN, RED, LOCO = Card.BLUE, Card.GREEN, Card.RED, Card.LOCOMOTIVE


def test_r03_the_replacement_can_be_the_second_card() -> None:
    state = draw_position(deck=(GREEN, LOCO)).state()  # the top card first
    events = state.apply(TakeCard(4))
    assert events == [CardTaken(0, 4, RED), DisplayFilled(4, GREEN)]
    assert state.phase is Phase.SECOND_CARD
    assert state.apply(TakeCard(4))[0] == CardTaken(0, 4, GREEN)
    assert state.turn_seat == 1


def test_r03_a_turn_is_two_cards_from_display_or_deck_in_any_mixture() -> None:
    for first in (TakeCard(0), DrawCard()):
        for second in (TakeCard(0), DrawCard()):
            state = draw_position(deck=(RED, GREEN, RED, BLUE)).state()
            state.apply(first)
            state.apply(second)
            assert sum(state.hands[0]) == 2
            assert state.turn_seat == 1


def test_r04_a_face_up_locomotive_is_the_whole_turn() -> None:
    state = draw_position(display=(LOCO, BLUE, GREEN, RED, RED), deck=(RED, RED)).state()
    state.apply(TakeCard(0))
    assert (state.turn_seat, state.phase) == (1, Phase.TURN)
    assert state.hands[0][LOCO] == 1


@pytest.mark.parametrize("revealed", [False, True])
def test_r04_a_face_up_locomotive_is_never_the_second_card(*, revealed: bool) -> None:
    display = (LOCO, BLUE, GREEN, RED, RED)
    state = draw_position(display=display, deck=(LOCO if revealed else RED, RED, RED)).state()
    state.apply(TakeCard(1))
    slot = 1 if revealed else 0
    assert TakeCard(slot) not in state.legal_actions()
    assert refused(state, TakeCard(slot)) is ErrorCode.LOCOMOTIVE_SECOND


def test_r04_a_blind_locomotive_is_an_ordinary_draw() -> None:
    state = draw_position(deck=(LOCO, RED, LOCO, RED)).state()
    assert state.apply(DrawCard()) == [CardDrawn(0, LOCO)]
    assert state.phase is Phase.SECOND_CARD
    state = draw_position(deck=(RED, LOCO)).state()
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
    state = draw_position(display=display, deck=deck).state()
    state.apply(TakeCard(0))
    assert (state.phase is Phase.SECOND_CARD) == goes_on
    assert state.turn_seat == (0 if goes_on else 1)


@pytest.mark.parametrize(
    ("deck", "discard", "goes_on"),
    [
        ((RED, BLUE), cards(), True),
        ((RED,), cards(blue=1), True),  # the pile would be shuffled for the second card
        ((RED,), cards(), False),
    ],
)
def test_r05_beside_a_display_of_locomotives_a_second_card_is_drawn_if_there_is_one(
    *, deck: tuple[Card, ...], discard: tuple[int, ...], goes_on: bool
) -> None:
    state = draw_position(display=(LOCO,) * 5, deck=deck, discard=discard).state()
    state.apply(DrawCard())
    assert state.legal_actions() == [DrawCard()] or not goes_on
    assert state.turn_seat == (0 if goes_on else 1)


def test_r05_nobody_stops_after_one_card_by_choice() -> None:
    state = draw_position(deck=(RED, RED)).state()
    state.apply(DrawCard())
    assert {type(action) for action in state.legal_actions()} == {TakeCard, DrawCard}
    for action in (DrawTickets(), ClaimRoute(3, RED, 0), KeepTickets((1,), ())):
        assert refused(state, action) is ErrorCode.WRONG_PHASE


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
    state = draw_position(display=display, deck=deck, discard=discard).state()
    actions = state.legal_actions()
    assert state.observe(0).legal_actions() == actions
    assert [action.slot for action in actions if isinstance(action, TakeCard)] == takes
    assert (DrawCard() in actions) == draws
    for slot in set(range(5)) - set(takes):
        assert refused(state, TakeCard(slot)) is ErrorCode.EMPTY_SLOT
    if not draws:
        assert refused(state, DrawCard()) is ErrorCode.NOTHING_TO_DRAW


def test_r09_a_card_taken_face_up_is_public_and_a_blind_one_is_not() -> None:
    state = draw_position(deck=(LOCO, RED, GREEN, BLUE)).state()
    taken, *_ = state.apply(TakeCard(0))
    drawn, *_ = state.apply(DrawCard())
    for seat in (1, None):
        assert taken.redacted(seat) == taken
        assert drawn.redacted(seat) == CardDrawn(0, None)
    assert drawn.redacted(0) == drawn
    seen = state.observe(1).players[0]
    assert (seen.hand_size, seen.known_hand) == (2, cards(blue=1))


def test_r09_a_payment_is_public_and_uses_up_what_is_known_of_the_hand() -> None:
    setting = draw_position(hand=cards(black=5, red=1), deck=(RED,))
    setting = replace(setting, known_hands=(cards(black=3), cards()))
    state = setting.state()
    state.apply(ClaimRoute(32, Card.BLACK, 0))
    seen = state.observe(1)
    assert seen.discard == cards(black=4)
    assert seen.players[0].known_hand == cards()  # one of three may have been among the four paid
