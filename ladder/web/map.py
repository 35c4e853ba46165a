"""The board as shapes on a canvas: where each route, city and label is drawn."""

from dataclasses import dataclass
from functools import cache
from itertools import product

from ladder.web.geometry import Curve, Point
from roundhouse.rules import Board, Route

WIDTH, HEIGHT = 1000, 620
CITY_RADIUS = 5.5
LANE_SHIFT = 6.5  # half the distance between the lanes of a double route
CELL_GAP = 3.0  # between the spaces of a route
LABEL_SIZE = 12.5
LETTER = 7.3  # mean width of a bold letter at that size, for placing labels


@dataclass(frozen=True, slots=True)
class RouteShape:
    """A route: one path whose dashes are its spaces."""

    route_id: int
    name: str
    colour: str
    length: int
    path: str
    dash: str


@dataclass(frozen=True, slots=True)
class CityShape:
    """A city with the place of its label; `anchor` is an SVG text-anchor."""

    name: str
    x: float
    y: float
    label_x: float
    label_y: float
    anchor: str


@dataclass(frozen=True, slots=True)
class BoardMap:
    """All shapes of a board, in the order in which they are drawn."""

    width: int
    height: int
    routes: tuple[RouteShape, ...]
    cities: tuple[CityShape, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """The rectangle that a label covers."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        """Return the area shared with `other`."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)

    def holds(self, point: Point, margin: float) -> bool:
        """Return whether `point` lies inside or within `margin` of the rectangle."""
        return (
            self.left - margin <= point.x <= self.right + margin
            and self.top - margin <= point.y <= self.bottom + margin
        )


def route_curve(board: Board, route: Route) -> Curve:
    """Return the curve of a route; the lanes of a double route lie side by side."""
    places = {city.name: Point(city.x, city.y) for city in board.cities}
    shift = {0: 0.0, 1: -LANE_SHIFT, 2: LANE_SHIFT}[route.lane]
    return Curve.bent(
        places[route.city_a],
        places[route.city_b],
        board.bend(route.city_a, route.city_b),
        shift,
    )


@cache
def draw_map(board: Board) -> BoardMap:
    """Return the shapes of `board`, the same for the same board."""
    curves = {route.id: route_curve(board, route) for route in board.routes}
    return BoardMap(
        WIDTH,
        HEIGHT,
        tuple(_route_shape(route, curves[route.id]) for route in board.routes),
        _city_shapes(board, list(curves.values())),
    )


def _route_shape(route: Route, curve: Curve) -> RouteShape:
    inner = curve.trimmed(CITY_RADIUS + 2.5)
    cell = (inner.length() + CELL_GAP) / route.length - CELL_GAP
    colour = "gray" if route.colour is None else route.colour.name.lower()
    return RouteShape(
        route_id=route.id,
        name=f"{route.city_a} – {route.city_b}",
        colour=colour,
        length=route.length,
        path=inner.svg(),
        # The last dash must not be followed by a sliver of the next one: hence the small excess.
        dash=f"{cell:.2f} {CELL_GAP:.2f}",
    )


def _city_shapes(board: Board, curves: list[Curve]) -> tuple[CityShape, ...]:
    """Place every label where it covers the least of routes, cities and other labels.

    Greedy, city by city in the order of their degree, which places the crowded ones first: 36
    labels need no more.
    """
    obstacles = [curve.at(i / 10) for curve in curves for i in range(11)]
    degree = {
        city.name: sum(city.name in (r.city_a, r.city_b) for r in board.routes)
        for city in board.cities
    }
    placed: list[Box] = []
    shapes: dict[str, CityShape] = {}
    for city in sorted(board.cities, key=lambda city: (-degree[city.name], city.name)):
        width = LETTER * len(city.name)
        best: tuple[float, Box, CityShape] | None = None
        for dx, dy in product((0, -1, 1), (-1, 1, 0)):
            if (dx, dy) == (0, 0):
                continue
            anchor = {-1: "end", 0: "middle", 1: "start"}[dx]
            x = city.x + dx * (CITY_RADIUS + 4)
            y = city.y + dy * (CITY_RADIUS + 8) + 4
            left = x - width * {-1: 1.0, 0: 0.5, 1: 0.0}[dx]
            box = Box(left, y - LABEL_SIZE, left + width, y + 2)
            cost = (
                sum(3.0 for point in obstacles if box.holds(point, 4))
                + sum(box.overlap(other) for other in placed)
                + sum(40.0 for c in board.cities if box.holds(Point(c.x, c.y), CITY_RADIUS))
                + (500.0 if box.left < 2 or box.right > WIDTH - 2 or box.top < 2 else 0.0)
            )
            if best is None or cost < best[0]:
                best = (cost, box, CityShape(city.name, city.x, city.y, x, y, anchor))
        if best is not None:
            placed.append(best[1])
            shapes[city.name] = best[2]
    return tuple(shapes[city.name] for city in board.cities)
