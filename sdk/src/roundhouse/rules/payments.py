"""What a hand can pay (R-11): the claims among the open routes, found by looking up.

Listing the claims is most of what random play does, so little is worked out twice. Routes that are
paid alike are a group: those of one colour, or the gray ones of one length. The open routes of a
group are a small number, one bit a route. Behind it lie, ready to be picked from:

* for a colour a shelf: by cards of the colour and locomotives in the hand, all claims that they pay
  for, as one tuple;
* for a length of gray routes the open ones, as rows of all claims that can ever be made. They are
  all paid alike, so that a hand picks the same places from each row.
"""

from typing import Final

from roundhouse.rules.actions import Action
from roundhouse.rules.cards import COLOURS, LOCOMOTIVE
from roundhouse.rules.claims import (
    MOST_ROWS,
    Affordable,
    GrayGroup,
    Shelf,
    affordable_claims,
    all_claims,
)
from roundhouse.rules.ruleset import RuleSet

NEVER: Final = 1 << 30
"""More cards than there are."""


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
            [affordable_claims(route) for route in group] for group in coloured
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
