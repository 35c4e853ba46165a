"""R-11 to R-13: claiming routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from roundhouse.rules import (
    Card,
    ClaimRoute,
    ErrorCode,
    Position,
    RouteClaimed,
    RulesError,
    State,
    load_board,
)
from tests.rules.games import CLASSIC, cards, check_conservation

if TYPE_CHECKING:
    from roundhouse.rules import CardCounts

USA = load_board("usa")
RED, BLUE, BLACK, LOCO = Card.RED, Card.BLUE, Card.BLACK, Card.LOCOMOTIVE

GRAY_2 = USA.route_named("Denver-Santa Fe").id
RED_4 = USA.route_named("Dallas-El Paso").id
GRAY_1 = USA.route_named("Atlanta-Nashville").id
TWIN_1, TWIN_2 = (USA.route_named(f"Boston-New York/{lane}").id for lane in (1, 2))
GRAY_TWIN_1, GRAY_TWIN_2 = (USA.route_named(f"Dallas-Houston/{lane}").id for lane in (1, 2))


def state_with(hand: CardCounts, *routes: tuple[int, ...], seats: int = 2) -> State:
    """Set up seat 0's turn with a hand and what each seat owns."""
    owned = (*routes, *[()] * (seats - len(routes)))
    hands = (hand, *[cards()] * (seats - 1))
    return Position(rules=CLASSIC, hands=hands, routes=owned).state()


def refused(state: State, action: ClaimRoute) -> tuple[ErrorCode, str]:
    """Return the code and the sentence of the refusal; the state must not change."""
    before = state.digest()
    assert action not in state.legal_actions()
    with pytest.raises(RulesError) as caught:
        state.apply(action)
    assert state.digest() == before
    return caught.value.code, str(caught.value)


def payments(state: State, route_id: int) -> set[tuple[Card | None, int]]:
    """Return the payments that are listed for a route."""
    return {
        (action.colour, action.locomotives)
        for action in state.legal_actions()
        if isinstance(action, ClaimRoute) and action.route_id == route_id
    }


@pytest.mark.parametrize(
    ("hand", "route_id", "expected"),
    [
        (cards(red=4), RED_4, {(RED, 0)}),
        (cards(red=9, locomotive=2), RED_4, {(RED, 0), (RED, 1), (RED, 2)}),
        (cards(red=1, locomotive=4), RED_4, {(RED, 3), (None, 4)}),
        (cards(red=3), RED_4, set()),
        (cards(blue=9, locomotive=3), RED_4, set()),
        (cards(locomotive=4), RED_4, {(None, 4)}),
        (cards(red=1, blue=1), GRAY_2, set()),
        (cards(red=2, blue=2), GRAY_2, {(RED, 0), (BLUE, 0)}),
        (cards(red=1, blue=2, locomotive=1), GRAY_2, {(RED, 1), (BLUE, 0), (BLUE, 1)}),
        (cards(locomotive=3), GRAY_2, {(None, 2)}),
        (cards(red=1), GRAY_1, {(RED, 0)}),
        (cards(red=1, locomotive=1), GRAY_1, {(RED, 0), (None, 1)}),
    ],
)
def test_r11_the_player_chooses_the_split(
    hand: CardCounts, route_id: int, expected: set[tuple[Card | None, int]]
) -> None:
    assert payments(state_with(hand), route_id) == expected


@pytest.mark.parametrize(
    ("action", "code", "named"),
    [
        (ClaimRoute(RED_4, BLUE, 0), ErrorCode.WRONG_COLOUR, "takes red"),
        (ClaimRoute(RED_4, None, 0), ErrorCode.WRONG_COLOUR, "a colour must be named"),
        (ClaimRoute(RED_4, RED, 4), ErrorCode.WRONG_COLOUR, "no colour is named"),
        (ClaimRoute(RED_4, LOCO, 0), ErrorCode.WRONG_COLOUR, "takes red"),
        (ClaimRoute(GRAY_2, LOCO, 0), ErrorCode.WRONG_COLOUR, "any one colour"),
        (ClaimRoute(RED_4, RED, -1), ErrorCode.WRONG_PAYMENT, "not -1"),
        (ClaimRoute(RED_4, RED, 5), ErrorCode.WRONG_PAYMENT, "not 5"),
        (ClaimRoute(RED_4, None, 5), ErrorCode.WRONG_PAYMENT, "0 to 4"),
        (ClaimRoute(RED_4, RED, 3), ErrorCode.NOT_ENOUGH_CARDS, "1 red, 3 locomotive"),
        (ClaimRoute(GRAY_2, BLACK, 1), ErrorCode.NOT_ENOUGH_CARDS, "1 black, 1 locomotive"),
        (ClaimRoute(0, RED, 0), ErrorCode.NO_SUCH_ROUTE, "route 0"),
        (ClaimRoute(-3, RED, 0), ErrorCode.NO_SUCH_ROUTE, "route -3"),
        (ClaimRoute(101, RED, 0), ErrorCode.NO_SUCH_ROUTE, "route 101"),
    ],
)
def test_r11_a_wrong_payment_is_refused_with_its_reason(
    action: ClaimRoute, code: ErrorCode, named: str
) -> None:
    state = state_with(cards(red=4, blue=4, locomotive=2))
    found, sentence = refused(state, action)
    assert found is code
    assert named in sentence


def test_r11_a_payment_goes_to_the_discard_pile_and_the_trains_to_the_board() -> None:
    state = state_with(cards(red=3, locomotive=2))
    payment = cards(red=3, locomotive=1)
    assert state.apply(ClaimRoute(RED_4, RED, 1))[0] == RouteClaimed(0, RED_4, payment, 7)
    assert tuple(state.hands[0]) == cards(locomotive=1)
    assert tuple(state.discard) == payment
    assert state.trains == [41, 45]
    check_conservation(state)


SIX = [route.id for route in USA.routes if route.length == 6 and route.lane != 2]
FIVE = [route.id for route in USA.routes if route.length == 5]


@pytest.mark.parametrize(
    ("lengths", "left"),
    [((6, 6, 6, 6, 6, 6, 5), 4), ((6, 6, 6, 6, 6, 5, 5), 5), ((6, 6, 6, 6, 6, 6, 6), 3)],
)
def test_r11_the_supply_must_cover_the_length(lengths: tuple[int, ...], left: int) -> None:
    sixes, fives = iter(SIX), iter(FIVE)
    own = tuple(next(sixes) if length == 6 else next(fives) for length in lengths)
    state = state_with(cards(red=4), own)
    assert state.trains[0] == left
    action = ClaimRoute(RED_4, RED, 0)
    if left >= 4:  # a supply that is exactly the length will do
        assert action in state.legal_actions()
        state.apply(action)
        assert state.trains[0] == left - 4
    else:
        code, sentence = refused(state, action)
        assert code is ErrorCode.NOT_ENOUGH_TRAINS
        assert "has 3" in sentence


def test_r12_a_route_need_not_touch_the_network() -> None:
    state = state_with(cards(red=4), (TWIN_1,))
    assert payments(state, RED_4) == {(RED, 0)}


@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15)])
def test_r12_points_by_length(length: int, points: int) -> None:
    route = next(route for route in USA.routes if route.length == length)
    state = state_with(cards(locomotive=length))
    state.apply(ClaimRoute(route.id, None, length))
    assert state.points == [points, 0]
    assert state.turn_seat == 1  # one route a turn


def test_r12_a_claimed_route_is_taken() -> None:
    for owned in (((RED_4,),), ((), (RED_4,))):
        state = state_with(cards(red=4), *owned)
        code, sentence = refused(state, ClaimRoute(RED_4, RED, 0))
        assert code is ErrorCode.ROUTE_TAKEN
        assert "Dallas-El Paso" in sentence


@pytest.mark.parametrize(
    ("seats", "owner", "closed"),
    [
        (2, 0, True),
        (2, 1, True),
        (3, 0, True),
        (3, 2, True),
        (4, 0, True),
        (4, 1, False),
        (5, 0, True),
        (5, 4, False),
    ],
)
@pytest.mark.parametrize("lanes", [(TWIN_1, TWIN_2), (GRAY_TWIN_2, GRAY_TWIN_1)])
def test_r13_the_sibling_is_closed_to_all_or_to_its_owner(
    *, seats: int, owner: int, closed: bool, lanes: tuple[int, int]
) -> None:
    first, second = lanes
    owned = tuple((first,) if seat == owner else () for seat in range(seats))
    state = state_with(cards(red=2, yellow=2), *owned, seats=seats)
    route = USA.route(second)
    colour = route.colour or RED
    action = ClaimRoute(second, colour, 0)
    assert (action not in state.legal_actions()) == closed
    assert (action not in state.observe(0).legal_actions()) == closed
    if closed:
        assert refused(state, action)[0] is ErrorCode.SIBLING_CLOSED
    else:
        state.apply(action)
        assert (state.owners[first], state.owners[second]) == (owner, 0)
        check_conservation(state)


def test_r13_gray_twins_are_two_routes() -> None:
    state = state_with(cards(red=1), seats=4)
    state.apply(ClaimRoute(GRAY_TWIN_1, RED, 0))
    assert state.owners[GRAY_TWIN_1] == 0
    assert state.owners[GRAY_TWIN_2] is None
