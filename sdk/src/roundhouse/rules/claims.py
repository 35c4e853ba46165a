"""The claims of the routes that are paid alike, laid out so that a hand picks them by looking up.

`payments` says what for. More cards than a route is long pay for the same as just enough: the same
lists lie there again, so that few of them are in use and stay in the processor's cache.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final, TypeVar

from roundhouse.rules.actions import ClaimRoute
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


def affordable_claims(route: Route) -> Affordable:
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
        spares = range(rules.card_counts[LOCOMOTIVE] + 1)
        rows = [[_capped(row, spare) for spare in spares] for row in paid]
        found.append([_capped(rows, cards) for cards in range(rules.card_counts[colour] + 1)])
    return found


def _capped(items: Sequence[T], place: int) -> T:
    """Return the item at a place, or the last one when there are fewer."""
    return items[min(place, len(items) - 1)]
