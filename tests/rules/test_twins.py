"""Nobody sees what it may not: the twin-state law, and states drawn from an observation.

Two states that differ only in what a seat may not know must give that seat equal observations and
equal events, in every phase.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from roundhouse.rules import (
    Card,
    DrawCard,
    DrawTickets,
    Phase,
    Position,
    State,
    count_cards,
    start_game,
)
from tests.rules.games import (
    CLASSIC,
    TINY,
    cards,
    check_conservation,
    final_state,
    play_through,
    seed_of,
)
from tests.rules.laws import differences


def test_twins_in_the_opening_give_equal_observations_and_events() -> None:
    state, _ = start_game(CLASSIC, 3, seed_of(9))
    twins = [state.copy(), state.observe(0).sample_state(random.Random(1))]
    for seat in (1, 2):
        for twin in twins:
            assert twin.apply(twin.legal_actions(seat)[seat], seat) == []
        assert twins[0].observe(0) == twins[1].observe(0) == state.observe(0)
    answer = state.legal_actions(0)[0]
    told = [[event.redacted(0) for event in twin.apply(answer, 0)] for twin in twins]
    assert told[0] == told[1]
    assert differences(twins[0].observe(0), twins[1].observe(0)) == []


def test_who_has_answered_in_the_opening_is_not_shown() -> None:
    state, _ = start_game(CLASSIC, 3, seed_of(9))
    waiting = state.observe(0)
    state.apply(state.legal_actions(1)[3], 1)
    state.forfeit(2)
    assert state.observe(0) == waiting


def swap_hidden(state: State, viewer: int) -> State:
    """Swap the rest of another hand, and of the tickets, with what lies deep in the decks."""
    twin = state.copy()
    other = (viewer + 1) % state.seats
    hand, known = twin.hands[other], twin.known[other * 9 : other * 9 + 9]
    hidden = [card for card in range(9) if hand[card] > known[card]]
    for card in hidden:
        for place in range(len(twin.deck) - 20):  # so deep that one action does not reveal it
            if twin.deck[place] != card:
                hand[card] -= 1
                hand[twin.deck[place]] += 1
                twin.deck[place] = card
                break
    if twin.tickets[other] and twin.ticket_deck and twin.returned_by[twin.ticket_deck[0]] != viewer:
        *kept, last = twin.tickets[other]
        twin.tickets[other] = (*kept, twin.ticket_deck[0])
        twin.ticket_deck[0] = last
    return twin


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("player", ["random", "hoarder", "ticketeer"])
def test_swapped_cards_and_tickets_change_nothing_that_the_viewer_sees(
    seats: int, player: str
) -> None:
    phases = set()
    for state, seat, action in play_through(CLASSIC, seats, 21, player):
        if state.phase is Phase.OPENING:
            continue
        for viewer in range(seats):
            real, twin = state.copy(), swap_hidden(state, viewer)
            if twin.digest() == real.digest():
                continue
            assert differences(twin.observe(viewer), real.observe(viewer)) == []
            if action not in twin.legal_actions(seat):
                continue  # a claim that the swapped hand cannot pay, or another offer
            told = [
                [event.redacted(viewer) for event in each.apply(action, seat)]
                for each in (real, twin)
            ]
            if real.is_over() or (seat == viewer and isinstance(action, DrawTickets)):
                continue  # the end shows the hands; who draws a ticket sees it
            assert told[0] == told[1]
            assert differences(twin.observe(viewer), real.observe(viewer)) == []
            phases.add(state.phase)
    assert phases >= {Phase.TURN, Phase.SECOND_CARD}


def test_a_seat_knows_where_its_own_returned_tickets_lie() -> None:
    rng = random.Random(4)
    met = 0
    for state, _seat, _action in play_through(CLASSIC, 3, 4, "ticketeer"):
        for seat in range(3):
            seen = state.observe(seat)
            met += len(seen.known_tickets)
            for place in seen.known_tickets:
                assert state.ticket_deck[place.position] == place.ticket_id
                assert state.returned_by[place.ticket_id] == seat
    assert met > 0
    twin = seen.sample_state(rng)
    assert [twin.ticket_deck[p.position] for p in seen.known_tickets] == [
        p.ticket_id for p in seen.known_tickets
    ]


def test_after_a_shuffle_the_deck_is_known_card_by_card() -> None:
    # Nobody has drawn blind since the discard pile was shuffled: its cards are the deck, and what
    # a seat cannot see besides is in the other hands.
    hidden_hand = cards(purple=12, white=12)
    state = Position(
        rules=CLASSIC, hands=(cards(), hidden_hand), deck=(), display=(Card.RED,) * 5
    ).state()
    state.push(DrawCard())
    state.push(DrawCard())
    for number in range(20):
        twin = state.observe(0).sample_state(random.Random(number))
        assert count_cards(twin.deck) == count_cards(state.deck)
        assert tuple(twin.hands[1]) == hidden_hand


def test_sampling_is_uniform_over_what_is_hidden() -> None:
    rng = random.Random(1)
    state, _ = start_game(CLASSIC, 2, seed_of(1))
    seen = state.observe(0)
    hidden = [
        total - state.hands[0][card] - state.display.count(card)
        for card, total in enumerate(CLASSIC.card_counts)
    ]
    samples = [seen.sample_state(rng) for _ in range(2000)]
    in_hand: Counter[int] = Counter()
    on_top: Counter[int] = Counter()
    first_ticket: Counter[int] = Counter()
    for twin in samples:
        in_hand.update(dict(enumerate(twin.hands[1])))
        on_top[twin.deck[-1]] += 1
        first_ticket[twin.ticket_deck[0]] += 1
    for card in Card:
        share = hidden[card] / sum(hidden)
        # Five standard errors: the seed is fixed, the bound says what a bias would be.
        assert abs(in_hand[card] / 8000 - share) < 5 * (share / 8000) ** 0.5
        assert abs(on_top[card] / 2000 - share) < 5 * (share / 2000) ** 0.5
    assert len(first_ticket) == 27
    assert max(first_ticket.values()) < 2 * 2000 / 27


def test_a_seat_that_is_to_act_can_act_in_every_sample() -> None:
    # Nothing is left to draw, yet seat 1 was not passed over. The only open route that one
    # card pays for is yellow, so its card is yellow, or a locomotive.
    hand = cards(yellow=1)
    rest = tuple(total - hand[card] for card, total in enumerate(TINY.card_counts))
    gray_1 = TINY.board.route_named("Ashford-Dale").id
    state = Position(
        rules=TINY,
        hands=(cards(), hand, rest),
        deck=(),
        turn_seat=1,
        tickets=((), (), tuple(ticket.id for ticket in TINY.tickets)),
        routes=((), (), (gray_1,)),
        forfeits=(0, 0, 1),
    ).state()
    found: Counter[tuple[int, ...]] = Counter()
    for number in range(40):
        found[tuple(state.observe(0).sample_state(random.Random(number)).hands[1])] += 1
    assert set(found) == {hand, cards(locomotive=1)}


def test_sampled_games_can_be_played_to_their_end() -> None:
    rng = random.Random(8)
    for state, seat, _action in play_through(CLASSIC, 2, 8):
        if state.turn_number % 20 == 3:
            twin = state.observe(seat).sample_state(rng)
            while not twin.is_over():
                twin.push(rng.choice(twin.legal_actions()))
            check_conservation(twin)


def test_the_end_shows_what_every_seat_had() -> None:
    state = final_state(CLASSIC, 3, 2)
    assert {type(s.tickets) for s in state.standings()} == {tuple}
