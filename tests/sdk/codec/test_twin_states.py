"""Nobody gets the state: what a seat may not know changes no byte of what it is sent."""

from collections.abc import Iterator
from random import Random

import pytest

from roundhouse.codec import encode_actions, encode_events, encode_observation
from roundhouse.rules import Event, GameEnded, Phase, State
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


@pytest.mark.parametrize("seats", [2, 4])
def test_a_sampled_state_is_seen_to_the_byte_as_the_real_one(seats: int) -> None:
    rng = Random(1)
    phases = set()
    for state, _, _ in decisions(seats, seed=3):
        for seat in range(seats):
            twin = state.observe(seat).sample_state(rng)
            assert observation_bytes(twin, seat) == observation_bytes(state, seat)
        phases.add(state.phase)

    assert phases | {Phase.OVER} == set(Phase)


def twins(state: State, seat: int) -> Iterator[State]:
    """Yield states that differ from the real one only in what the seat may not know.

    Made by hand, so that the test does not lean on `sample_state`: a card that another seat drew
    blind is exchanged with the lowest card of the deck, a ticket that it holds or is offered with
    the lowest unknown one of the ticket deck.
    """
    for other in range(state.seats):
        if other == seat:
            continue
        if (twin := with_another_card(state, other)) is not None:
            yield twin
        if (twin := with_another_ticket(state, seat, other)) is not None:
            yield twin


def with_another_card(state: State, other: int) -> State | None:
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
            return twin
    return None


def with_another_ticket(state: State, seat: int, other: int) -> State | None:
    twin = state.copy()
    places = [p for p, t in enumerate(twin.ticket_deck) if twin.returned_by[t] < 0]
    if not places or places[-1] < state.rules.later_offer:
        return None  # the next offer would show the exchanged one
    place = places[-1]
    for pile in (twin.offers, twin.tickets):
        for position, ticket in enumerate(pile[other]):
            # A ticket that `seat` itself once gave back may be known to it; leave that one alone.
            if ticket in state.observe(seat).tickets or state.answers[other] is not None:
                continue
            changed = list(pile[other])
            changed[position], twin.ticket_deck[place] = twin.ticket_deck[place], ticket
            pile[other] = tuple(changed)
            return twin
    return None


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_hidden_cards_and_tickets_change_no_byte_that_a_seat_gets(seats: int) -> None:
    tried = set()
    for state, actor, action in decisions(seats, seed=7):
        for seat in range(seats):
            for twin in twins(state, seat):
                assert twin.digest() != state.digest()
                assert observation_bytes(twin, seat) == observation_bytes(state, seat)
                if action not in twin.legal_actions(actor):
                    continue  # the other seat would have to do something else there
                real = state.copy()
                happened, happened_there = real.apply(action, actor), twin.apply(action, actor)
                if any(isinstance(event, GameEnded) for event in happened):
                    continue  # at the end everything is shown
                assert event_bytes(happened_there, seat) == event_bytes(happened, seat)
                assert observation_bytes(twin, seat) == observation_bytes(real, seat)
                tried.add((state.phase, actor == seat))

    assert tried >= {
        (phase, own)
        for phase in (Phase.OPENING, Phase.TURN, Phase.SECOND_CARD, Phase.TICKET_OFFER)
        for own in (True, False)
    }


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
