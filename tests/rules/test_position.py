from __future__ import annotations

import doctest
import importlib
import pickle
import pkgutil
from dataclasses import replace

import pytest

import roundhouse.rules
from roundhouse.rules import (
    Card,
    ErrorCode,
    KeepTickets,
    Phase,
    Position,
    RulesError,
    RuleSet,
    count_cards,
    edition,
    start_game,
)
from tests.rules.games import CLASSIC, cards, check_conservation, seed_of

PLAIN = Position(rules=CLASSIC, hands=(cards(red=2), cards(locomotive=3)))


def test_what_is_left_out_is_filled_in() -> None:
    state = replace(PLAIN, routes=((31, 2), (15,)), tickets=((3,), (4, 5))).state()
    check_conservation(state)
    assert state.trains == [45 - 4 - 5, 45 - 6]
    assert state.points == [7 + 10, 15]
    assert min(state.display) >= 0
    assert (state.phase, state.turn_seat) == (Phase.TURN, 0)
    assert len(state.deck) == 110 - 5 - 5
    assert 3 not in state.ticket_deck


def test_no_turn_is_finished_unless_it_is_said() -> None:
    rules = edition("classic", ["route_protection"])
    state = Position(rules=rules, hands=(cards(red=1), cards(blue=1))).state()
    assert [player.turns for player in state.observe(0).players] == [0, 0]


def test_a_market_is_filled_unless_it_is_said() -> None:
    rules = edition("classic", ["ticket_market"])
    state = Position(rules=rules, hands=(cards(), cards())).state()
    assert min(state.market) > 0
    assert state.observe(0).market == state.market
    check_conservation(state)


def test_rules_whose_name_does_not_say_what_they_are_have_no_positions() -> None:
    with pytest.raises(RulesError, match="name other variants"):
        replace(PLAIN, rules=replace(CLASSIC, open_tickets=True)).state()


def test_the_same_position_is_the_same_state() -> None:
    assert PLAIN.state().digest() == PLAIN.state().digest()
    assert PLAIN.state().digest() != replace(PLAIN, seed=seed_of(1)).state().digest()


def test_a_deck_is_given_top_first_and_the_rest_is_discarded() -> None:
    state = replace(PLAIN, deck=(Card.RED, Card.BLUE), display=(Card.GREEN,) * 5).state()
    assert [state.deck[-1], state.deck[-2]] == [Card.RED, Card.BLUE]
    assert sum(state.discard) == 110 - 2 - 5 - 5
    check_conservation(state)


def test_nothing_is_known_of_hands_unless_it_is_said() -> None:
    state = PLAIN.state()
    assert state.observe(1).players[0].known_hand == cards()
    known = replace(PLAIN, known_hands=(cards(red=1), cards())).state()
    assert known.observe(1).players[0].known_hand == cards(red=1)
    seen = state.observe(0)
    assert sum(seen.deck_pool) == seen.deck_size + 3  # the other hand may hold any of these
    hidden = [*map(int, state.deck), *[Card.LOCOMOTIVE] * 3]
    assert seen.deck_pool == count_cards(hidden)


def test_a_ticket_offer_and_an_opening_can_be_set_up() -> None:
    offer = replace(PLAIN, phase=Phase.TICKET_OFFER, offers=((5, 2), ()), turn_seat=0).state()
    assert len(offer.legal_actions()) == 3
    opening = replace(
        PLAIN,
        phase=Phase.OPENING,
        turn_number=0,
        offers=((5, 2, 8), (1, 3, 4)),
        answers=(None, KeepTickets((1, 3), (4,))),
    ).state()
    assert opening.seats_to_act() == (0,)
    check_conservation(opening)


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (replace(PLAIN, hands=(cards(red=13), cards())), "1 more red cards are placed"),
        (replace(PLAIN, hands=(cards(),)), "2 to 5 players, not 1"),
        (replace(PLAIN, display=(Card.RED,) * 4), "A display has 5 slots, not 4"),
        (replace(PLAIN, display=(Card.RED, *[None] * 4)), r"The display is short .* \(R-07\)"),
        (replace(PLAIN, deck=(), discard=cards()), "cards are placed nowhere"),
        (replace(PLAIN, known_hands=(cards(blue=1), cards())), "known to hold"),
        (replace(PLAIN, tickets=((3,), (3,))), "Every ticket must lie in one place"),
        (replace(PLAIN, tickets=((99,), ())), "Every ticket must lie in one place"),
        (replace(PLAIN, ticket_deck=(1, 2)), "Every ticket must lie in one place"),
        (replace(PLAIN, offers=((3,), ())), r"Seats \[0\] hold offers"),
        (replace(PLAIN, phase=Phase.TICKET_OFFER), r"\[0\] must answer"),
        (replace(PLAIN, routes=((31,), (31,))), "it is taken or closed"),
        (replace(PLAIN, routes=((10,), (11,))), "it is taken or closed"),
        (replace(PLAIN, routes=((31,),)), "1 values for 2 seats"),
        (replace(PLAIN, rules=replace(CLASSIC, trains=5), routes=((15,), ())), "no trains left"),
        (replace(PLAIN, seed=b"short"), "A seed is 32 bytes"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: Position, sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence) as caught:
        position.state()
    assert caught.value.code is ErrorCode.BAD_SET_UP


def test_a_seat_that_must_act_must_be_able_to() -> None:
    rest = tuple(n - (card == Card.RED) for card, n in enumerate(CLASSIC.card_counts))
    nothing_to_do = replace(
        PLAIN,
        hands=(cards(), rest),
        deck=(),
        display=(Card.RED, *[None] * 4),
        phase=Phase.SECOND_CARD,
        tickets=((), tuple(ticket.id for ticket in CLASSIC.tickets)),
    )
    assert len(nothing_to_do.state().legal_actions()) == 1
    rest = CLASSIC.card_counts
    with pytest.raises(RulesError, match="Seat 0 has no legal action"):
        replace(nothing_to_do, hands=(cards(), rest), display=(None,) * 5).state()
    rest = tuple(n - 5 * (card == Card.LOCOMOTIVE) for card, n in enumerate(rest))
    with pytest.raises(RulesError, match="Seat 0 has no legal action"):
        replace(nothing_to_do, hands=(cards(), rest), display=(Card.LOCOMOTIVE,) * 5).state()


def test_values_cross_a_process_boundary() -> None:
    state, events = start_game(CLASSIC, 3, seed_of(4))
    seen = state.observe(1)
    for value in (seen, events, state.legal_actions(0), CLASSIC):
        assert pickle.loads(pickle.dumps(value)) == value
    error = pickle.loads(pickle.dumps(RulesError(ErrorCode.ROUTE_TAKEN, "It is taken.")))
    assert (error.code, str(error)) == (ErrorCode.ROUTE_TAKEN, "It is taken.")
    assert isinstance(pickle.loads(pickle.dumps(edition("tiny"))), RuleSet)


@pytest.mark.parametrize(
    "module", [name for _, name, _ in pkgutil.iter_modules(roundhouse.rules.__path__)]
)
def test_the_examples_in_the_documentation_are_true(module: str) -> None:
    found = doctest.testmod(importlib.import_module(f"roundhouse.rules.{module}"))
    assert found.failed == 0


def test_the_examples_of_the_package_are_true() -> None:
    assert doctest.testmod(roundhouse.rules).attempted >= 4
    assert doctest.testmod(roundhouse.rules).failed == 0
