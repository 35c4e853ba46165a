"""What a hand can pay (R-11): the claims among the open routes, found by looking up.

Listing the claims is most of what random play does, so little is worked out twice. Routes that are
paid alike are a group: those of one colour, or the gray ones of one length. The open routes of a
group are a small number, one bit a route. Behind it lie, ready to be picked from:

* for a colour a shelf: by cards of the colour and locomotives in the hand, all claims that they pay
  for, as one tuple;
* for a length of gray routes the open ones, as rows of all claims that can ever be made. They are
  all paid alike, so that a hand picks the same places from each row.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final, TypeVar

from roundhouse.rules.actions import Action, ClaimRoute
from roundhouse.rules.board import Route
from roundhouse.rules.cards import COLOURS, LOCOMOTIVE
from roundhouse.rules.ruleset import RuleSet

T = TypeVar("T")

Claims = tuple[ClaimRoute, ...]

Affordable = list[list[Claims]]
"""The claims of one route by cards of its colour and locomotives in the hand, up to its length."""

MOST_ROWS: Final = 4096
"""Sets of open routes of a group that are remembered at most, a bound on memory.

On the USA board a colour has 128, and a game meets about fifty of gray routes.
"""

NEVER: Final = 1 << 30
"""More cards than there are."""


class Shelf:
    """Hold the claims that can be paid for on some routes of one colour.

    `rows` has, by cards of the colour, the claims by locomotives; empty where nobody asked yet.
    """

    __slots__ = ("_locomotives", "_routes", "rows")

    def __init__(self, routes: Sequence[Affordable], rules: RuleSet) -> None:
        self._routes = routes
        self._locomotives = rules.card_counts[LOCOMOTIVE]
        self.rows: list[list[Claims]] = [[]] * (max(rules.card_counts[:LOCOMOTIVE]) + 1)

    def fill(self, cards: int) -> list[Claims]:
        """Put one row together and return it."""
        row: list[Claims] = []
        for spare in range(self._locomotives + 1):
            paid = [_capped(_capped(route, cards), spare) for route in self._routes]
            row.append(tuple(chain.from_iterable(paid)))
        self.rows[cards] = row
        return row


class GrayGroup:
    """Hold the gray routes of one length, and their claims.

    `places` are where the claims that a hand can pay stand among all claims of such a route: by
    colour, its cards and the locomotives.
    """

    __slots__ = ("_claims", "length", "places", "rows")

    def __init__(self, length: int, claims: Sequence[Claims], rules: RuleSet) -> None:
        self.length = length
        self.places: list[list[list[tuple[int, ...]]]] = _gray_places(length, rules)
        self.rows: dict[int, list[Claims]] = {}
        self._claims = claims

    def fill(self, routes: int) -> list[Claims]:
        """Put the rows of some routes together and return them."""
        if len(self.rows) >= MOST_ROWS:
            self.rows.clear()
        rows = [claims for bit, claims in enumerate(self._claims) if routes >> bit & 1]
        self.rows[routes] = rows
        return rows


class Payments:
    """List what hands can pay, under one `RuleSet`.

    `group` and `bit` say by route id where a route stands. The first eight groups are the colours;
    `all_routes` are the routes of each group, as bits.
    """

    __slots__ = (
        "_affordable",
        "_gray",
        "_longest",
        "_rules",
        "_shelves",
        "_shortest",
        "_within",
        "all_routes",
        "bit",
        "group",
        "groups",
    )

    def __init__(self, rules: RuleSet) -> None:
        routes = rules.board.routes
        coloured = [
            sorted([r for r in routes if r.colour == colour], key=lambda route: route.length)
            for colour in COLOURS
        ]
        lengths = sorted({route.length for route in routes if route.colour is None})
        gray = [
            [r for r in routes if r.colour is None and r.length == length] for length in lengths
        ]
        groups = coloured + gray
        self.groups = len(groups)
        self.all_routes: list[int] = [(1 << len(group)) - 1 for group in groups]
        self.group: list[int] = [0] * (len(routes) + 1)
        self.bit: list[int] = [0] * (len(routes) + 1)
        for number, group in enumerate(groups):
            for place, route in enumerate(group):
                self.group[route.id] = number
                self.bit[route.id] = 1 << place
        self._longest = max([route.length for route in routes])
        # by trains, the routes of each group that they cover.
        self._within: list[list[int]] = [
            [sum([1 << i for i, r in enumerate(group) if r.length <= trains]) for group in groups]
            for trains in range(self._longest)
        ]
        self._rules = rules
        self._shortest: list[int] = [group[0].length if group else NEVER for group in coloured]
        self._affordable: list[list[Affordable]] = [
            [_affordable(route) for route in group] for group in coloured
        ]
        self._shelves: list[dict[int, Shelf]] = [{} for _ in coloured]
        self._gray: list[GrayGroup] = [
            GrayGroup(length, [all_claims(route) for route in group], rules)
            for length, group in zip(lengths, gray, strict=True)
        ]

    def add_claims(
        self, found: list[Action], hand: list[int], trains: int, open_routes: list[int], first: int
    ) -> None:
        """Add to a list the claims that a hand and a supply of trains can pay, in a fixed order.

        `open_routes` holds, from the place `first` on, the open routes of each group.
        """
        if trains < self._longest:  # in the last turns only
            open_routes = [
                open_routes[first + number] & within
                for number, within in enumerate(self._within[trains])
            ]
            first = 0
        spare = hand[LOCOMOTIVE]
        reach = 0
        for colour in range(LOCOMOTIVE):
            cards = hand[colour]
            if cards > reach:  # noqa: PLR1730 - in plain Python a call takes longer
                reach = cards
            if cards + spare >= self._shortest[colour]:  # most colours stop here
                routes = open_routes[first + colour]
                if routes:
                    shelf = self._shelves[colour].get(routes) or self._new_shelf(colour, routes)
                    found.extend((shelf.rows[cards] or shelf.fill(cards))[spare])
        self._add_gray_claims(found, hand, reach + spare, open_routes, first + LOCOMOTIVE)

    def _add_gray_claims(
        self, found: list[Action], hand: list[int], reach: int, open_routes: list[int], first: int
    ) -> None:
        """Add the claims of gray routes, up to the length that the hand reaches."""
        for number, group in enumerate(self._gray):
            if group.length > reach:
                break
            routes = open_routes[first + number]
            if routes:
                places = _places(group, hand)
                for row in group.rows.get(routes) or group.fill(routes):
                    for place in places:
                        found.append(row[place])  # noqa: PERF401 - a list less to make, compiled

    def _new_shelf(self, colour: int, routes: int) -> Shelf:
        shelves = self._shelves[colour]
        if len(shelves) >= MOST_ROWS:
            shelves.clear()
        affordable = self._affordable[colour]
        shelf = Shelf([a for bit, a in enumerate(affordable) if routes >> bit & 1], self._rules)
        shelves[routes] = shelf
        return shelf


def _places(group: GrayGroup, hand: list[int]) -> list[int]:
    """Return the places, among the claims of a gray route, of those that a hand can pay."""
    length = group.length
    spare = hand[LOCOMOTIVE]
    places: list[int] = []
    for colour in range(LOCOMOTIVE):
        cards = hand[colour]
        if cards and cards + spare >= length:
            places.extend(group.places[colour][cards][spare])
    if spare >= length:
        places.append(LOCOMOTIVE * length)
    return places


def all_claims(route: Route) -> Claims:
    """Return every claim of a route that some hand can pay: by colour, then by locomotives."""
    return (
        *(
            ClaimRoute(route.id, colour, locomotives)
            for colour in (COLOURS if route.colour is None else (route.colour,))
            for locomotives in range(route.length)
        ),
        ClaimRoute(route.id, None, route.length),
    )


def _affordable(route: Route) -> Affordable:
    """Return what hands can pay on a coloured route."""
    claims = all_claims(route)
    return [
        [
            tuple(
                claim
                for claim in claims
                if claim.locomotives <= spare and route.length - claim.locomotives <= cards
            )
            for spare in range(route.length + 1)
        ]
        for cards in range(route.length + 1)
    ]


def _gray_places(length: int, rules: RuleSet) -> list[list[list[tuple[int, ...]]]]:
    """Return by colour, its cards and the locomotives: places in the claims of such a route."""
    found: list[list[list[tuple[int, ...]]]] = []
    for colour in range(LOCOMOTIVE):
        paid = [
            [
                tuple(
                    colour * length + locomotives
                    for locomotives in range(max(0, length - cards), min(length - 1, spare) + 1)
                )
                for spare in range(length + 1)
            ]
            for cards in range(length + 1)
        ]
        # More cards than the length pay for the same: the same lists, so that they stay in the
        # processor's cache.
        spares = range(rules.card_counts[LOCOMOTIVE] + 1)
        rows = [[_capped(row, spare) for spare in spares] for row in paid]
        found.append([_capped(rows, cards) for cards in range(rules.card_counts[colour] + 1)])
    return found


def _capped(items: Sequence[T], place: int) -> T:
    """Return the item at a place, or the last one when there are fewer."""
    return items[min(place, len(items) - 1)]
