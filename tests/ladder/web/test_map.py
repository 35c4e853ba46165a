from itertools import combinations

import pytest

from ladder.web.map import HEIGHT, LETTER, WIDTH, Box, CityShape, draw_map, route_curve
from roundhouse.rules import load_board

USA = load_board("usa")


def label_box(city: CityShape) -> Box:
    width = LETTER * len(city.name)
    left = city.label_x - width * {"end": 1.0, "middle": 0.5, "start": 0.0}[city.anchor]
    return Box(left, city.label_y - 12.5, left + width, city.label_y + 2)


def test_every_route_is_drawn_with_as_many_dashes_as_it_is_long() -> None:
    shapes = {shape.route_id: shape for shape in draw_map(USA).routes}
    assert len(shapes) == 100
    for route in USA.routes:
        dash, gap = map(float, shapes[route.id].dash.split())
        drawn = route_curve(USA, route).trimmed(8).length()
        assert route.length * dash + (route.length - 1) * gap == pytest.approx(drawn, abs=0.5)


def test_the_lanes_of_a_double_route_do_not_touch() -> None:
    for route in USA.routes:
        if route.sibling is not None:
            ours, theirs = (route_curve(USA, r).at(0.5) for r in (route, USA.route(route.sibling)))
            assert ours.distance(theirs) >= 11  # a track is 9 wide, its edge 11


def test_labels_stay_on_the_canvas_and_off_each_other() -> None:
    boxes = {city.name: label_box(city) for city in draw_map(USA).cities}
    assert len(boxes) == 36
    for name, box in boxes.items():
        assert box.left >= 0, name
        assert box.right <= WIDTH, name
        assert box.top >= 0, name
        assert box.bottom <= HEIGHT, name
    touching = [(a, b) for a, b in combinations(boxes, 2) if boxes[a].overlap(boxes[b]) > 0]
    assert touching == []


def test_gray_routes_are_gray_and_coloured_ones_name_their_colour() -> None:
    colours = [shape.colour for shape in draw_map(USA).routes]
    assert colours.count("gray") == 44
    assert {colour: colours.count(colour) for colour in set(colours) - {"gray"}} == dict.fromkeys(
        ("purple", "blue", "orange", "white", "green", "yellow", "black", "red"), 7
    )


def test_the_tiny_board_can_be_drawn() -> None:
    board = load_board("tiny")
    assert len(draw_map(board).routes) == len(board.routes)
