"""R-11, R-13: the claims that are listed by looking up are those that a count by hand finds."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundhouse.rules import COLOURS, Card, ClaimRoute, Phase, RuleSet, edition, start_game
from roundhouse.rules.legal import open_routes
from roundhouse.rules.tables import tables_of
from tests.rules.games import CLASSIC, TINY, seed_of

if TYPE_CHECKING:
    from roundhouse.rules import Action, Observation


def payable(rules: RuleSet, hand: list[int], trains: int, closed: set[int]) -> set[ClaimRoute]:
    """Try every payment of every route that is not closed."""
    found = set()
    for route in rules.board.routes:
        if route.id in closed or route.length > trains:
            continue
        for locomotives in range(min(route.length, hand[Card.LOCOMOTIVE]) + 1):
            rest = route.length - locomotives
            colours = COLOURS if route.colour is None else (route.colour,)
            if rest == 0:
                found.add(ClaimRoute(route.id, None, locomotives))
            found |= {
                ClaimRoute(route.id, colour, locomotives)
                for colour in colours
                if rest and hand[colour] >= rest
            }
    return found


def listed(rules: RuleSet, hand: list[int], trains: int, closed: set[int]) -> list[Action]:
    """List claims as the engine does, with routes that one seat owns closed."""
    tables = tables_of(rules)
    protected = sum(1 << route_id for route_id in closed)  # closed one by one, without siblings
    owners = [None] * (len(rules.board.routes) + 1)
    found: list[Action] = []
    routes = open_routes(tables, owners, 0, 2, protected)
    tables.payments.add_claims(found, hand, trains, routes, 0)
    return found


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([CLASSIC, TINY, edition("mega")]), st.integers(0, 45))
def test_r11_the_claims_listed_are_those_that_can_be_paid(
    data: st.DataObject, rules: RuleSet, trains: int
) -> None:
    hand = [data.draw(st.integers(0, most)) for most in rules.card_counts]
    ids = [route.id for route in rules.board.routes]
    closed = data.draw(st.sets(st.sampled_from(ids)))
    found = listed(rules, hand, trains, closed)
    assert set(found) == payable(rules, hand, trains, closed)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("cards", [0, 1, 6, 12])
@pytest.mark.parametrize("locomotives", [0, 1, 6, 14])
def test_r11_any_number_of_cards_up_to_the_whole_box_is_looked_up(
    cards: int, locomotives: int
) -> None:
    hand = [cards] * 8 + [locomotives]
    assert set(listed(CLASSIC, hand, 45, set())) == payable(CLASSIC, hand, 45, set())


def claimable_by_hand(seen: Observation) -> int:
    """Look at each route and at its sibling."""
    found = 0
    for route in seen.board.routes:
        sibling = seen.route_owner[route.sibling] if route.sibling else None
        is_closed = sibling is not None and (seen.seats <= 3 or sibling == seen.seat)
        if seen.route_owner[route.id] is None and not is_closed:
            found |= (route.length <= seen.players[seen.seat].trains) << route.id
    return found


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r13_an_observation_names_the_routes_that_are_open_to_its_seat(seats: int) -> None:
    rng = random.Random(seats)
    state, _ = start_game(CLASSIC, seats, seed_of(seats))
    while not state.is_over():
        if state.phase is Phase.TURN:
            seen = state.observe(state.turn_seat)
            assert seen.claimable_routes() == claimable_by_hand(seen)
        state.push(rng.choice(state.legal_actions()))
