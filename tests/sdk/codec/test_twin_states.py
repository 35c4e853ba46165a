"""Nobody gets the state: what a seat may not know changes no byte of what it is sent."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from roundhouse.codec import encode_actions, encode_events, encode_observation
from roundhouse.rules import (
    Action,
    Card,
    CardDrawn,
    CardsDealt,
    DrawCard,
    Event,
    ExchangeTicket,
    GameEnded,
    KeepTickets,
    Phase,
    RouteClaimed,
    State,
    TicketsKept,
    TicketsOffered,
)
from tests.sdk.games import decisions, new_game

DEEP = 20
"""So many cards in the deck that the lowest one stays unseen, whatever the next action reveals."""


def observation_bytes(state: State, seat: int) -> bytes:
    observation = state.observe(seat)
    actions = b"".join(m.SerializeToString() for m in encode_actions(observation.legal_actions()))
    return encode_observation(observation).SerializeToString() + actions


def event_bytes(events: list[Event], seat: int) -> list[bytes]:
    shown = [event.redacted(seat) for event in events]
    return [message.SerializeToString() for message in encode_events(shown)]


@pytest.mark.parametrize(
    ("rules", "seats", "special"),
    [
        ("classic", 2, set()),
        ("classic", 4, set()),
        ("refresh-2025", 3, set()),
        ("family-3", 3, {Phase.BLIND_CARD}),
        ("mega+open_tickets+opening_exchange+quick", 3, {Phase.EXCHANGE}),
        (
            "big-cities+opening_exchange+quick+ticket_market",
            4,
            {Phase.EXCHANGE, Phase.TICKET_CHOICE},
        ),
        ("usa-1910+open_tickets+ticket_market", 2, {Phase.TICKET_CHOICE}),
    ],
)
def test_a_sampled_state_is_seen_to_the_byte_as_the_real_one(
    rules: str, seats: int, special: set[Phase]
) -> None:
    rng = Random(1)
    phases = set()
    for state, _, _ in decisions(seats, seed=3, rules=rules):
        for seat in range(seats):
            twin = state.observe(seat).sample_state(rng)
            assert observation_bytes(twin, seat) == observation_bytes(state, seat)
        phases.add(state.phase)

    usual = {Phase.OPENING, Phase.TURN, Phase.SECOND_CARD, Phase.TICKET_OFFER}
    assert phases == usual | special


@dataclass(frozen=True)
class Twin:
    """A state that differs from the real one only in what a seat may not know.

    Tickets change their names in `renamed`: what another seat does with a ticket here, it does with
    its twin there.
    """

    state: State
    renamed: dict[int, int] = field(default_factory=dict)

    def action(self, action: Action) -> Action:
        if isinstance(action, ExchangeTicket) and action.ticket_id is not None:
            return ExchangeTicket(self.renamed.get(action.ticket_id, action.ticket_id))
        if not isinstance(action, KeepTickets):
            return action
        keep = sorted(self.renamed.get(ticket, ticket) for ticket in action.keep)
        return KeepTickets(
            tuple(keep), tuple(self.renamed.get(ticket, ticket) for ticket in action.give_back)
        )


def twins(state: State, seat: int, actor: int, action: Action) -> Iterator[Twin]:
    """Yield twins made by hand, so that the test does not lean on `sample_state`.

    A card that another seat drew blind, a card that it will draw next, a ticket that it holds or is
    offered, or a ticket that it will be offered: each is exchanged with the lowest of the deck.
    """
    for other in range(state.seats):
        if other != seat:
            found = (with_another_card(state, other), with_another_ticket(state, other))
            yield from (twin for twin in found if twin is not None)
    draws_blind = actor != seat and isinstance(action, DrawCard)
    if draws_blind and len(state.deck) >= DEEP and state.deck[-1] != state.deck[0]:
        twin = state.copy()
        twin.deck[0], twin.deck[-1] = twin.deck[-1], twin.deck[0]
        yield Twin(twin)
    places = unknown_places(state)
    refills = bool(state.market) and isinstance(action, KeepTickets)  # and shows it to everybody
    if actor != seat and places[:1] == [0] and places[-1] > 0 and not refills:
        twin = state.copy()
        deck = twin.ticket_deck
        deck[0], deck[places[-1]] = deck[places[-1]], deck[0]
        yield Twin(twin)


def unknown_places(state: State) -> list[int]:
    return [place for place, t in enumerate(state.ticket_deck) if state.returned_by[t] < 0]


def with_another_card(state: State, other: int) -> Twin | None:
    twin = state.copy()
    if len(twin.deck) < DEEP:
        return None
    for card in range(9):
        place = other * 9 + card
        hidden = min(twin.hands[other][card] - twin.known[place], twin.blind[place])
        if hidden > 0 and twin.deck[0] != card:
            swapped = twin.deck[0]
            twin.deck[0] = card
            twin.hands[other][card] -= 1
            twin.hands[other][swapped] += 1
            twin.blind[place] -= 1
            twin.blind[other * 9 + swapped] += 1
            return Twin(twin)
    return None


def with_another_ticket(state: State, other: int) -> Twin | None:
    twin = state.copy()
    places = unknown_places(state)
    if not places or places[-1] < state.rules.later_offer + len(state.market):
        return None  # the next offer, or the market, would show the exchanged one
    if state.answers[other] is not None:
        return None  # its answer names the tickets
    for pile in (twin.offers, twin.tickets):
        for position, ticket in enumerate(pile[other]):
            swapped = twin.ticket_deck[places[-1]]
            changed = list(pile[other])
            changed[position], twin.ticket_deck[places[-1]] = swapped, ticket
            pile[other] = tuple(changed)
            return Twin(twin, {ticket: swapped})
    return None


FINAL_ROUND = "the final round"
USUAL = {Phase.OPENING, Phase.TURN, Phase.SECOND_CARD, Phase.TICKET_OFFER}


@pytest.mark.parametrize(
    ("rules", "seats", "special"),
    [
        ("classic", 2, set()),
        ("classic", 3, {FINAL_ROUND}),
        ("classic", 5, set()),
        ("family-3", 3, {Phase.BLIND_CARD, FINAL_ROUND}),
        (
            "big-cities+opening_exchange+quick+ticket_market",
            4,
            {Phase.EXCHANGE, Phase.TICKET_CHOICE},
        ),
    ],
)
def test_hidden_cards_and_tickets_change_no_byte_that_a_seat_gets(
    rules: str, seats: int, special: set[object]
) -> None:
    tried: set[object] = set()
    for state, actor, action in decisions(seats, seed=7, rules=rules):
        real = state.copy()
        happened = real.apply(action, actor)
        for seat in range(seats):
            for twin in twins(state, seat, actor, action):
                assert twin.state.digest() != state.digest()
                assert observation_bytes(twin.state, seat) == observation_bytes(state, seat)
                twin_action = twin.action(action)
                if twin_action not in twin.state.legal_actions(actor):
                    continue  # the other seat would have to do something else there
                happened_there = twin.state.apply(twin_action, actor)
                if any(isinstance(event, GameEnded) for event in happened):
                    continue  # at the end everything is shown
                assert event_bytes(happened_there, seat) == event_bytes(happened, seat)
                assert observation_bytes(twin.state, seat) == observation_bytes(real, seat)
                tried.add((state.phase, actor == seat))
                if state.final_seat >= 0:
                    tried.add(FINAL_ROUND)
                tried.update(type(event) for event in happened if actor != seat)

    assert tried >= {CardDrawn, TicketsKept, RouteClaimed, *(special & {FINAL_ROUND})}
    phases = USUAL | (special - {FINAL_ROUND})
    assert tried >= {(phase, own) for phase in phases for own in (True, False)}


@pytest.mark.parametrize(("rules", "seats"), [("classic", 2), ("mega+ticket_market", 4)])
def test_after_the_end_what_lies_in_the_decks_changes_no_byte_that_a_seat_gets(
    rules: str, seats: int
) -> None:
    for state, _, _ in decisions(seats, seed=7, rules=rules):
        played = state
    state = played
    assert state.is_over()
    twin = state.copy()
    twin.deck = sorted(state.deck)
    unknown = unknown_places(state)
    for place, ticket in zip(unknown, sorted(state.ticket_deck[p] for p in unknown), strict=True):
        twin.ticket_deck[place] = ticket
    assert twin.digest() != state.digest()
    for seat in range(seats):
        assert observation_bytes(twin, seat) == observation_bytes(state, seat)


@pytest.mark.parametrize(
    ("event", "twin"),
    [
        (CardsDealt(1, (Card.RED,) * 4, 4), CardsDealt(1, (Card.BLUE,) * 4, 4)),
        (CardDrawn(1, Card.RED), CardDrawn(1, Card.LOCOMOTIVE)),
        (TicketsOffered(1, (1, 2, 3), 3), TicketsOffered(1, (30, 20, 10), 3)),
        (TicketsKept(1, (1, 2), (3,), 2, 1), TicketsKept(1, (10, 20), (30,), 2, 1)),
    ],
)
def test_a_hidden_event_is_the_same_bytes_whatever_it_hides(event: Event, twin: Event) -> None:
    for seat in (0, 2):
        assert event_bytes([event], seat) == event_bytes([twin], seat)
    assert event_bytes([event], 1) != event_bytes([twin], 1)


def test_what_was_kept_at_the_opening_stays_hidden_until_all_have_answered() -> None:
    state, _ = new_game(3)
    answers = state.legal_actions(0)
    seen = set()
    for answer in answers:
        twin = state.copy()
        assert twin.apply(answer, 0) == []
        seen.add((observation_bytes(twin, 1), observation_bytes(twin, 2)))

    assert len(answers) > 1
    assert seen == {(observation_bytes(state, 1), observation_bytes(state, 2))}
