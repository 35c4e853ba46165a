"""R-06, R-07, R-10, R-22 and R-25: the deck, the discard pile and the display."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roundhouse.rules import (
    Card,
    CardDrawn,
    CardTaken,
    ClaimRoute,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    DrawCard,
    TakeCard,
    spread_cards,
)
from tests.rules.games import cards, check_conservation, draw_position, seed_of

BLUE, GREEN, RED, LOCO = Card.BLUE, Card.GREEN, Card.RED, Card.LOCOMOTIVE


def test_r06_an_empty_deck_is_made_of_the_discard_pile_when_a_card_is_needed() -> None:
    state = draw_position(deck=(RED,), discard=cards(white=3, black=2)).state()
    assert state.apply(DrawCard()) == [CardDrawn(0, RED)]
    assert state.shuffles == 1  # not before it is needed
    events = state.apply(DrawCard())
    assert events[0] == DeckShuffled(1, 5)
    assert isinstance(events[1], CardDrawn)
    assert sum(state.discard) == 0
    assert len(state.deck) == 4


def test_r06_the_display_stays_short_when_both_are_empty() -> None:
    state = draw_position().state()
    events = state.apply(TakeCard(2))
    assert events == [CardTaken(0, 2, GREEN)]
    assert state.display[2] == -1


def test_r06_a_shuffle_depends_on_the_seed_and_the_pile_alone() -> None:
    setting = draw_position(discard=cards(white=5, black=5, red=2))
    orders = set()
    for seed in (seed_of(1), seed_of(2), seed_of(1)):
        state = replace(setting, seed=seed).state()
        state.apply(DrawCard())
        orders.add(tuple(state.deck))
    assert len(orders) == 2
    assert sorted(next(iter(orders))) != list(next(iter(orders)))


def test_r07_a_payment_refills_a_short_display_at_once() -> None:
    hand = cards(black=4, locomotive=2)
    state = draw_position(display=(BLUE, None, None, RED, None), hand=hand).state()
    events = state.apply(ClaimRoute(32, Card.BLACK, 0))  # Denver-Kansas City, 4 black
    assert DeckShuffled(1, 4) in events
    filled = [event for event in events if isinstance(event, DisplayFilled)]
    assert [event.slot for event in filled] == [1, 2, 4]
    assert len(state.deck) == 1


def test_r07_a_refill_by_a_payment_is_followed_by_the_look_at_the_locomotives() -> None:
    hand = cards(locomotive=2, black=2)
    setting = draw_position(display=(LOCO, LOCO, RED, RED, None), hand=hand)
    first_cards = set()
    for number in range(20):
        state = replace(setting, seed=seed_of(number)).state()
        events = state.apply(ClaimRoute(32, Card.BLACK, 2))
        first = next(event.card for event in events if isinstance(event, DisplayFilled))
        first_cards.add(first)
        assert any(isinstance(event, DisplayCleared) for event in events) == (first is LOCO)
        check_conservation(state)
    assert first_cards == {LOCO, Card.BLACK}


LOCOS = (LOCO, LOCO, BLUE, GREEN, RED)


def test_r10_three_face_up_locomotives_are_discarded_with_the_display() -> None:
    deck = (LOCO, RED, RED, RED, RED, RED, BLUE)
    state = draw_position(display=LOCOS, deck=deck).state()
    events = state.apply(TakeCard(2))
    assert events[1] == DisplayFilled(2, LOCO)
    assert events[2] == DisplayCleared(cards(locomotive=3, green=1, red=1))
    assert events[3:] == [DisplayFilled(slot, RED) for slot in range(5)]
    assert state.discard == list(cards(locomotive=3, green=1, red=1))
    check_conservation(state)


def test_r10_the_replacement_is_looked_at_again() -> None:
    deck = (LOCO, RED, LOCO, LOCO, LOCO, RED, *[GREEN] * 5)
    state = draw_position(display=LOCOS, deck=deck).state()
    events = state.apply(TakeCard(2))
    assert sum(isinstance(event, DisplayCleared) for event in events) == 2
    assert state.display == [GREEN] * 5


def test_r10_a_short_deck_is_made_up_from_the_discard_pile() -> None:
    state = draw_position(display=LOCOS, deck=(LOCO, RED), discard=cards(white=6)).state()
    events = state.apply(TakeCard(2))
    assert DeckShuffled(1, 6 + 5) in events
    check_conservation(state)


@pytest.mark.parametrize(("ordinary", "refreshed"), [(2, False), (3, True)])
def test_r10_the_display_is_kept_when_fewer_than_three_ordinary_cards_are_left(
    *, ordinary: int, refreshed: bool
) -> None:
    # After the blue card is taken, green and red lie outside the hands, and perhaps one more.
    deck = (LOCO, LOCO, *[RED] * (ordinary - 2))
    state = draw_position(display=LOCOS, deck=deck).state()
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
        setting = replace(draw_position(display=LOCOS, deck=(*deck, RED)), seed=seed_of(number))
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
    state = draw_position(display=display, hand=cards(black=4)).state()
    events = state.apply(ClaimRoute(32, Card.BLACK, 0))
    assert not any(isinstance(event, DisplayCleared) for event in events)
    assert state.display == list(display)
    # The next card that is revealed makes it be looked at.
    events = state.apply(TakeCard(3))
    assert any(isinstance(event, DisplayCleared) for event in events)


def test_r22_a_display_that_no_card_can_fill_is_looked_at_when_it_is_as_full_as_can_be() -> None:
    display = (LOCO, LOCO, None, None, None)
    hand = cards(black=3, locomotive=1)
    state = draw_position(display=display, hand=hand).state()
    events = state.apply(ClaimRoute(32, Card.BLACK, 1))
    revealed = [event.card for event in events if isinstance(event, DisplayFilled)][:3]
    assert any(isinstance(e, DisplayCleared) for e in events) == (LOCO in revealed)


def test_r25_the_other_cards_do_not_move() -> None:
    state = draw_position().state()
    state.apply(TakeCard(1))
    assert state.display == [BLUE, -1, GREEN, GREEN, RED]
    assert state.observe(1).display == (BLUE, None, GREEN, GREEN, RED)
    assert spread_cards(state.hands[0]) == [BLUE]
