"""The map: cities, routes between them, and the tickets that name two of them."""

import csv
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from roundhouse.rules.cards import Card, card_from_word
from roundhouse.rules.errors import ErrorCode, RulesError


@dataclass(frozen=True, slots=True)
class City:
    """A city, with its place on a canvas of 1000 by 620."""

    id: int
    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Route:
    """A route between two neighbouring cities, which are named in alphabetical order.

    `colour` is None on a gray route. `lane` is 0 on a single route; the two lanes of a double route
    are two routes, 1 and 2, and each is the other's `sibling`.
    """

    id: int
    city_a: str
    city_b: str
    length: int
    colour: Card | None
    lane: int
    sibling: int | None

    def __str__(self) -> str:
        lane = f"/{self.lane}" if self.lane else ""
        return f"{self.city_a}-{self.city_b}{lane}"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A destination ticket: two cities to connect, and what that is worth."""

    id: int
    city_a: str
    city_b: str
    value: int

    def __str__(self) -> str:
        return f"{self.city_a} to {self.city_b} ({self.value})"


@dataclass(frozen=True, slots=True)
class Board:
    """A map. Cities and routes are numbered from 1, in the order of their files.

    `bends` is for drawing only: a pair of cities and the offset of its curve's control point from
    the middle of the straight line, to the left of the way from `city_a` to `city_b` on the screen.
    """

    name: str
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    bends: tuple[tuple[str, str, float], ...] = ()
    _cities: dict[str, City] = field(init=False, repr=False, compare=False)
    _routes: dict[str, Route] = field(init=False, repr=False, compare=False)
    _bends: dict[tuple[str, str], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cities", {city.name: city for city in self.cities})
        object.__setattr__(self, "_routes", {str(route): route for route in self.routes})
        object.__setattr__(self, "_bends", {(a, b): bend for a, b, bend in self.bends})

    def __hash__(self) -> int:
        return hash(self.name)  # the name tells boards apart; hashing 136 values would be slow

    def has_city(self, name: str) -> bool:
        """Tell whether a city has that name."""
        return name in self._cities

    def city(self, name: str) -> City:
        """Return the city of that name. Raise `KeyError` when there is none."""
        return self._cities[name]

    def has_route(self, route_id: int) -> bool:
        """Tell whether a route has that number."""
        return 1 <= route_id <= len(self.routes)

    def route(self, route_id: int) -> Route:
        """Return the route of that number. Raise `RulesError` when there is none."""
        if not self.has_route(route_id):
            raise RulesError(
                ErrorCode.NO_SUCH_ROUTE,
                f"The board {self.name} has no route {route_id}; its routes are 1 to "
                f"{len(self.routes)}.",
            )
        return self.routes[route_id - 1]

    def route_named(self, name: str) -> Route:
        """Return the route of that name, such as `Denver-Helena` or `Boston-New York/2`."""
        try:
            return self._routes[name]
        except KeyError:
            raise RulesError(
                ErrorCode.NO_SUCH_ROUTE, f"The board {self.name} has no route {name!r}."
            ) from None

    def bend(self, city_a: str, city_b: str) -> float:
        """Return the bend of a line as seen from its first city; 0 is straight."""
        if (city_b, city_a) in self._bends:
            return -self._bends[city_b, city_a]
        return self._bends.get((city_a, city_b), 0.0)


BOARD_NAMES: tuple[str, ...] = ("usa", "tiny")
"""The boards that ship with this package."""


@cache
def load_board(name: str) -> Board:
    """Read a board that ships with this package, once; the same value is returned every time."""
    if name not in BOARD_NAMES:
        raise RulesError(
            ErrorCode.UNKNOWN_BOARD,
            f"There is no board {name!r}; the boards are {', '.join(BOARD_NAMES)}.",
        )
    cities = tuple(
        City(id=number, name=row["name"], x=float(row["x"]), y=float(row["y"]))
        for number, row in enumerate(_read(name, "cities"), start=1)
    )
    rows = _read(name, "routes")
    lanes = {(row["city_a"], row["city_b"], row["double_index"]): int(row["id"]) for row in rows}
    routes = tuple(
        Route(
            id=int(row["id"]),
            city_a=row["city_a"],
            city_b=row["city_b"],
            length=int(row["length"]),
            colour=None if row["color"] == "gray" else card_from_word(row["color"]),
            lane=int(row["double_index"]),
            # Lanes are numbered 1 and 2; a single route, 0, looks for a lane 3 and finds none.
            sibling=lanes.get((row["city_a"], row["city_b"], str(3 - int(row["double_index"])))),
        )
        for row in rows
    )
    bends = tuple(
        (row["city_a"], row["city_b"], float(row["bend"])) for row in _read(name, "bends")
    )
    return Board(name, cities, routes, bends)


@cache
def load_tickets(
    board_name: str, deck: str, only: tuple[str, str] | None = None
) -> tuple[Ticket, ...]:
    """Read a ticket deck of a board that ships with this package, such as `classic` of `usa`.

    `only` is a column of its file and a value: rows with another one there are left out.
    """
    return tuple(
        Ticket(int(row["id"]), row["city_a"], row["city_b"], int(row["value"]))
        for row in _read(board_name, f"tickets_{deck}")
        if only is None or row[only[0]] == only[1]
    )


def _read(board_name: str, table: str) -> list[dict[str, str]]:
    text = (files("roundhouse.boards") / board_name / f"{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
