"""What the tests of the rules share: hands in words, ways to play a game, the conservation laws."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from roundhouse.rules import (
    Card,
    CardCounts,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ErrorCode,
    KeepTickets,
    Phase,
    Position,
    RulesError,
    RuleSet,
    State,
    TakeCard,
    count_cards,
    edition,
    start_game,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from roundhouse.rules import Action

    Player = Callable[[State, random.Random], Action]

CLASSIC = edition("classic")
TINY = edition("tiny")
PLAIN = (Card.BLUE, Card.BLUE, Card.GREEN, Card.GREEN, Card.RED)
"""A display without a locomotive."""


def cards(**counts: int) -> CardCounts:
    """Write a hand: `cards(red=2, locomotive=1)`."""
    hand = [0] * 9
    for word, count in counts.items():
        hand[Card[word.upper()]] = count
    return tuple(hand)


def draw_position(
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


def seed_of(number: int) -> bytes:
    """Return a seed for a small number."""
    return number.to_bytes(32, "big")


def play_random(state: State, rng: random.Random) -> Action:
    """Choose any legal action."""
    return rng.choice(state.legal_actions())


def play_hoarder(state: State, rng: random.Random) -> Action:
    """Draw as long as there are cards: the decks run dry and passes become possible."""
    actions = state.legal_actions()
    draws = [action for action in actions if isinstance(action, (TakeCard, DrawCard))]
    return rng.choice(draws or actions)


def play_ticketeer(state: State, rng: random.Random) -> Action:
    """Draw tickets and return all that may be returned: the ticket deck turns over."""
    actions = state.legal_actions()
    tickets = [action for action in actions if isinstance(action, DrawTickets)]
    answers = [action for action in actions if isinstance(action, KeepTickets)]
    least = min((len(answer.keep) for answer in answers), default=0)
    few = [answer for answer in answers if len(answer.keep) == least]
    if few:
        return rng.choice(few)
    return rng.choice(tickets if tickets and rng.random() < 0.7 else actions)


def play_claimer(state: State, rng: random.Random) -> Action:
    """Claim the longest affordable route, else draw: games end early and long routes are used."""
    actions = state.legal_actions()
    claims = [action for action in actions if isinstance(action, ClaimRoute)]
    if claims:
        length = {route.id: route.length for route in state.rules.board.routes}
        longest = max(length[claim.route_id] for claim in claims)
        return rng.choice([claim for claim in claims if length[claim.route_id] == longest])
    return play_hoarder(state, rng)


PLAYERS: dict[str, Player] = {
    "random": play_random,
    "hoarder": play_hoarder,
    "ticketeer": play_ticketeer,
    "claimer": play_claimer,
}


def play_through(
    rules: RuleSet, seats: int, number: int, player: str = "random"
) -> Iterator[tuple[State, int, Action]]:
    """Play a game; yield the state, the seat and the action before each action is applied."""
    state, _ = start_game(rules, seats, seed_of(number))
    rng = random.Random(number)
    while not state.is_over():
        seat = state.seats_to_act()[0]
        action = PLAYERS[player](state, rng)
        yield state, seat, action
        state.push(action, seat)


def final_state(rules: RuleSet, seats: int, number: int, player: str = "random") -> State:
    """Play a game to its end."""
    for state, _seat, _action in play_through(rules, seats, number, player):
        last = state
    return last


def check_conservation(state: State) -> None:
    """Nothing is ever created or lost."""
    rules = state.rules
    piles = [count_cards(state.deck), count_cards(c for c in state.display if c >= 0)]
    piles += [tuple(hand) for hand in state.hands] + [tuple(state.discard)]
    assert tuple(map(sum, zip(*piles, strict=True))) == rules.card_counts
    assert min(min(pile) for pile in piles) >= 0
    market = [ticket for ticket in state.market if ticket >= 0]
    lots = [*state.tickets, *state.offers, state.ticket_deck, market]
    if len(market) < len(state.market) and not any(state.offers) and not state.is_over():
        assert not state.ticket_deck or state.phase is Phase.TICKET_CHOICE  # V-3
    assert sorted(t for lot in lots for t in lot) == [ticket.id for ticket in rules.tickets]
    built = [0] * state.seats
    for route in rules.board.routes:
        owner = state.owners[route.id]
        if owner is not None:
            built[owner] += route.length
            if route.sibling is not None:
                assert state.owners[route.sibling] != owner
                assert state.owners[route.sibling] is None or state.seats > 3
    assert [b + t for b, t in zip(built, state.trains, strict=True)] == [rules.trains] * state.seats
    assert min(state.trains) >= 0
    if min(state.display) < 0:  # short only when there is nothing to fill it with
        assert not state.deck
        assert not any(state.discard)
    for known, held in zip(state.known, [c for h in state.hands for c in h], strict=True):
        assert 0 <= known <= held
    if not state.is_over():
        assert all(state.legal_actions(seat) for seat in state.seats_to_act())
        assert state.phase is Phase.OPENING or len(state.seats_to_act()) == 1


def refused(state: State, action: Action, seat: int | None = None) -> ErrorCode:
    """Return the code with which an action is refused; the state must not change."""
    before = state.digest()
    with pytest.raises(RulesError) as caught:
        state.apply(action, seat)
    assert state.digest() == before
    return caught.value.code
