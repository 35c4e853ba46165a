from __future__ import annotations

from collections import Counter

import pytest

from roundhouse.rules import BOARD_NAMES, ErrorCode, RulesError, load_board, load_tickets

USA = load_board("usa")


def test_the_map_constants_are_those_of_the_box() -> None:
    pairs = {(route.city_a, route.city_b) for route in USA.routes}
    assert len(USA.cities) == 36
    assert len(USA.routes) == 100
    assert len(pairs) == 78
    assert sum(1 for route in USA.routes if route.lane == 1) == 22
    assert sum(route.length for route in USA.routes) == 309
    tickets = load_tickets("usa", "classic")
    assert (len(tickets), sum(ticket.value for ticket in tickets)) == (30, 349)


def test_each_colour_has_seven_routes_and_27_spaces() -> None:
    routes = Counter(route.colour for route in USA.routes)
    spaces: Counter[object] = Counter()
    for route in USA.routes:
        spaces[route.colour] += route.length
    assert routes.pop(None) == 44
    assert spaces.pop(None) == 93
    assert set(routes.values()) == {7}
    assert set(spaces.values()) == {27}


def test_route_points_add_up_to_508() -> None:
    points = (0, 1, 2, 4, 7, 10, 15)
    assert sum(points[route.length] for route in USA.routes) == 508


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_numbers_are_places_in_the_files(name: str) -> None:
    board = load_board(name)
    assert [route.id for route in board.routes] == list(range(1, len(board.routes) + 1))
    assert [city.id for city in board.cities] == list(range(1, len(board.cities) + 1))


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_siblings_name_each_other_and_join_the_same_cities(name: str) -> None:
    board = load_board(name)
    for route in board.routes:
        assert (route.sibling is None) == (route.lane == 0)
        if route.sibling is not None:
            sibling = board.route(route.sibling)
            assert sibling.sibling == route.id
            assert {sibling.lane, route.lane} == {1, 2}
            assert (sibling.city_a, sibling.city_b) == (route.city_a, route.city_b)


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_every_city_can_be_reached(name: str) -> None:
    board = load_board(name)
    reached = {board.cities[0].name}
    for _ in board.cities:
        for route in board.routes:
            if {route.city_a, route.city_b} & reached:
                reached |= {route.city_a, route.city_b}
    assert reached == {city.name for city in board.cities}


def test_degrees_and_distances_are_those_of_the_map() -> None:
    pairs = {(route.city_a, route.city_b): route.length for route in USA.routes}
    degrees = Counter(city for pair in pairs for city in pair)
    assert max(degrees.values()) == 7
    assert {c for c, d in degrees.items() if d == 7} == {"Denver", "Helena", "Pittsburgh"}
    far = {(a.name, b.name): 0 if a is b else 999 for a in USA.cities for b in USA.cities}
    for (a, b), length in pairs.items():
        far[a, b] = far[b, a] = length
    names = [city.name for city in USA.cities]
    for via in names:
        for a in names:
            for b in names:
                far[a, b] = min(far[a, b], far[a, via] + far[via, b])
    assert max(far.values()) == far["Miami", "Vancouver"] == 23
    tickets = load_tickets("usa", "classic")
    assert sum(far[t.city_a, t.city_b] == t.value for t in tickets) == 25


def test_a_bend_turns_round_with_the_way_it_is_looked_at() -> None:
    assert USA.bend("Atlanta", "Charleston") == 20
    assert USA.bend("Charleston", "Atlanta") == -20
    assert USA.bend("Boston", "Miami") == 0
    pairs = {(route.city_a, route.city_b) for route in USA.routes}
    assert {(a, b) for a, b, _ in USA.bends} <= pairs


def test_a_board_is_read_once() -> None:
    assert load_board("usa") is USA
    assert len({USA, load_board("tiny")}) == 2
    assert USA.city("Denver").name == "Denver"


@pytest.mark.parametrize(
    ("look_up", "code", "named"),
    [
        (lambda: load_board("europe"), ErrorCode.UNKNOWN_BOARD, "europe"),
        (lambda: USA.route(0), ErrorCode.NO_SUCH_ROUTE, "route 0"),
        (lambda: USA.route(101), ErrorCode.NO_SUCH_ROUTE, "1 to 100"),
        (lambda: USA.route_named("Denver-Boston"), ErrorCode.NO_SUCH_ROUTE, "Denver-Boston"),
    ],
)
def test_a_look_up_that_fails_says_what_was_wrong(
    look_up: object, code: ErrorCode, named: str
) -> None:
    assert callable(look_up)
    with pytest.raises(RulesError, match=named) as caught:
        look_up()
    assert caught.value.code is code


def test_routes_are_named_by_their_cities_and_their_lane() -> None:
    assert str(USA.route(31)) == "Denver-Helena"
    assert USA.route_named("Boston-New York/2").id == 11
    assert len({str(route) for route in USA.routes}) == 100
