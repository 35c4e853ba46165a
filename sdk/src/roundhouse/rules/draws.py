"""Train cards on their way: the deck, the display and the discard pile (R-03 to R-10).

There is one way for a card to leave the deck and one way for the display to be filled, at set-up,
after a draw, after a claim and after a shuffle alike.
"""

from typing import TYPE_CHECKING

from roundhouse.rules.cards import CARDS, LOCOMOTIVE, count_cards, spread_cards
from roundhouse.rules.chance import TRAIN_DECK, shuffle
from roundhouse.rules.events import (
    CardDiscarded,
    CardDrawn,
    CardTaken,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    Event,
)
from roundhouse.rules.legal import SLOTS
from roundhouse.rules.phase import BLIND_CARD, SECOND_CARD, TURN, Phase
from roundhouse.rules.ruleset import FaceUpLocomotive

if TYPE_CHECKING:
    from roundhouse.rules.state import State

MOST_REFRESHES = 64
"""How often in a row a display with three locomotives is replaced before it is kept (R-10)."""

TOO_MANY_LOCOMOTIVES = 3
"""Face-up locomotives that make a display be replaced (R-10)."""


def has_deck(state: "State") -> bool:
    """Tell whether a card can be drawn blind: the discard pile would be shuffled for it (R-06)."""
    return bool(state.deck) or any(state.discard)


def shuffle_discard(state: "State", events: list[Event] | None) -> None:
    """Turn the discard pile into a new deck, in an order that the seed alone decides (R-06)."""
    cards = spread_cards(state.discard)
    state.deck = shuffle(state.seed, TRAIN_DECK, state.shuffles, cards)
    state.deck.reverse()  # the first card is the top one, and the top is the end of the list
    state.pool = state.discard
    state.blind = [0] * len(state.blind)
    state.discard = [0] * 9
    if events is not None:
        events.append(DeckShuffled(state.shuffles, len(cards)))
    state.shuffles += 1


def draw_from_deck(state: "State", seat: int, events: list[Event] | None) -> int:
    """Move the top card of the deck into a hand, unseen by the others, and return it."""
    if not state.deck:
        shuffle_discard(state, events)
    card = state.deck.pop()
    state.hands[seat][card] += 1
    state.blind[seat * 9 + card] += 1
    return card


def fill_display(state: "State", events: list[Event] | None) -> None:
    """Reveal cards until the display is as full as the cards allow (R-07), then look at R-10."""
    refreshes = 0
    # R-10 is looked at when a card was revealed, and at no other moment.
    while _reveal_cards(state, events) and state.display.count(LOCOMOTIVE) >= TOO_MANY_LOCOMOTIVES:
        if refreshes == MOST_REFRESHES or not _can_refresh_help(state):
            return  # the display is kept
        refreshes += 1
        _clear_display(state, events)


def _reveal_cards(state: "State", events: list[Event] | None) -> bool:
    """Fill the empty slots as far as there are cards. Return whether a card was revealed."""
    display = state.display
    revealed = False
    for slot in range(SLOTS):  # the cards that lie there do not move
        if display[slot] >= 0:
            continue
        if not state.deck:
            if not any(state.discard):
                break  # the display stays short
            shuffle_discard(state, events)
        card = state.deck.pop()
        state.pool[card] -= 1
        display[slot] = card
        revealed = True
        if events is not None:
            events.append(DisplayFilled(slot, CARDS[card]))
    return revealed


def _clear_display(state: "State", events: list[Event] | None) -> None:
    """Discard the whole display."""
    display = state.display
    if events is not None:
        events.append(DisplayCleared(count_cards(card for card in display if card >= 0)))
    for slot in range(SLOTS):
        if display[slot] >= 0:
            state.discard[display[slot]] += 1
            display[slot] = -1


def _can_refresh_help(state: "State") -> bool:
    """Tell whether three ordinary cards lie outside the hands (R-10)."""
    in_hands = sum(sum(hand) - hand[LOCOMOTIVE] for hand in state.hands)
    return sum(state.rules.card_counts[:LOCOMOTIVE]) - in_hands >= TOO_MANY_LOCOMOTIVES


def take_from_display(
    state: "State", seat: int, slot: int, events: list[Event] | None
) -> Phase | None:
    """Take a face-up card and refill its slot (R-03). Return the phase in which the turn goes on.

    None is returned when the turn is over (R-04, R-05).
    """
    card = state.display[slot]
    state.display[slot] = -1
    state.hands[seat][card] += 1
    state.known[seat * 9 + card] += 1
    if events is not None:
        events.append(CardTaken(seat, slot, CARDS[card]))
    fill_display(state, events)
    if card == LOCOMOTIVE:
        rule = state.rules.face_up_locomotive
        if rule is FaceUpLocomotive.ENDS_TURN:
            return None  # it is the whole turn
        if rule is FaceUpLocomotive.BLIND_SECOND:  # R-23; R-05 without a card to draw
            return BLIND_CARD if has_deck(state) else None
    return _second_card(state)


def draw_blind(state: "State", seat: int, events: list[Event] | None) -> Phase | None:
    """Draw a card unseen. Return the phase in which the turn goes on, None at its end (R-05)."""
    card = draw_from_deck(state, seat, events)
    if events is not None:
        events.append(CardDrawn(seat, CARDS[card]))
    return _second_card(state)


def _second_card(state: "State") -> Phase | None:
    """Return the phase of a second card, if this was a first one and a second is allowed (R-05)."""
    if state.phase is not TURN:
        return None
    if state.deck or any(state.discard):
        return SECOND_CARD
    most = state.tables.highest_second_card
    return SECOND_CARD if any(0 <= card <= most for card in state.display) else None


def discard_leftmost(state: "State", events: list[Event] | None) -> None:
    """Discard the card in the lowest filled slot and refill the display (V-8, R-25)."""
    for slot, card in enumerate(state.display):
        if card >= 0:
            state.display[slot] = -1
            state.discard[card] += 1
            if events is not None:
                events.append(CardDiscarded(slot, CARDS[card]))
            fill_display(state, events)
            return
