"""What a hand can pay (R-11): the claims among the open routes, found by looking up.

Listing the claims is most of what random play does, so little is worked out twice. The open routes
of one colour, or the gray ones of one length, are a key; behind it lie, ready to be picked from:

* for a colour a shelf: by cards of the colour and locomotives in the hand, all claims that they pay
  for, as one tuple;
* for a length of gray routes the open ones, as rows of all claims that can ever be made. They are
  all paid alike, so that a hand picks the same places from each row.
"""

from collections.abc import Sequence
from itertools import chain

from roundhouse.rules.actions import Action, ClaimRoute
from roundhouse.rules.board import Route
from roundhouse.rules.cards import COLOURS, LOCOMOTIVE
from roundhouse.rules.ruleset import RuleSet

Claims = tuple[ClaimRoute, ...]

Affordable = tuple[tuple[Claims, ...], ...]
"""The claims of one route by cards of its colour and locomotives in the hand."""

MOST_ROWS = 4096
"""Sets of gray routes that are remembered at most, a bound on memory: a game meets about fifty."""


NEVER = 1 << 30
"""More cards than there are."""


class Shelf:
    """Hold the claims that can be paid for on some routes of one colour.

    `rows` has, by cards of the colour, the claims by locomotives; empty where nobody asked yet.
    """

    __slots__ = ("_routes", "rows")

    def __init__(self, routes: Sequence[Affordable], most: int) -> None:
        self._routes = routes
        self.rows: list[tuple[Claims, ...]] = [()] * (most + 1)

    def fill(self, cards: int) -> tuple[Claims, ...]:
        """Put one row together and return it."""
        by_route = [affordable[cards] for affordable in self._routes]
        row = tuple([tuple(chain.from_iterable(claims)) for claims in zip(*by_route, strict=True)])
        self.rows[cards] = row
        return row


Places = tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
"""By colour, its cards and the locomotives: places in the claims of a gray route."""


class Payments:
    """List what hands can pay, under one `RuleSet`."""

    __slots__ = ("_affordable", "_claims", "_coloured", "_gray", "_rows", "_rules", "_shelves")

    def __init__(self, rules: RuleSet) -> None:
        routes = rules.board.routes
        self._rules = rules
        # By route id: by colour and then by locomotives, all locomotives last.
        self._claims: tuple[Claims, ...] = ((), *(_all_claims(route) for route in routes))
        self._affordable: dict[int, Affordable] = {
            route.id: _affordable(route, self._claims[route.id], rules)
            for route in routes
            if route.colour is not None
        }
        # By colour: the length of its shortest route, and its routes.
        self._coloured: tuple[tuple[int, int], ...] = tuple(
            (
                min([r.length for r in routes if r.colour == colour], default=NEVER),
                sum(1 << r.id for r in routes if r.colour == colour),
            )
            for colour in COLOURS
        )
        # By length of gray routes, ascending: the length, the routes, what hands can pay.
        gray = [route for route in routes if route.colour is None]
        self._gray: tuple[tuple[int, int, Places], ...] = tuple(
            (
                length,
                sum(1 << route.id for route in gray if route.length == length),
                _gray_places(length, rules),
            )
            for length in sorted({route.length for route in gray})
        )
        self._shelves: dict[int, Shelf] = {}
        self._rows: dict[int, tuple[Claims, ...]] = {}

    def list_claims(self, hand: Sequence[int], open_routes: int) -> list[Action]:
        """List the claims that a hand can pay among open routes, as bits, in a fixed order.

        `open_routes` must be cut to what the supply of trains covers already.
        """
        found: list[Action] = []
        spare = hand[LOCOMOTIVE]
        for colour, (shortest, of_colour) in enumerate(self._coloured):
            cards = hand[colour]
            if cards + spare >= shortest:  # most colours stop here
                mask = of_colour & open_routes
                if mask:
                    shelf = self._shelves.get(mask) or self._new_shelf(mask)
                    found += (shelf.rows[cards] or shelf.fill(cards))[spare]
        reach = max(hand[:LOCOMOTIVE]) + spare
        for length, of_length, choices in self._gray:
            if length > reach:
                break
            mask = of_length & open_routes
            if mask:
                found += self._gray_claims(hand, length, mask, choices)
        return found

    def _gray_claims(
        self, hand: Sequence[int], length: int, mask: int, choices: Places
    ) -> list[Action]:
        """Return the claims that a hand can pay among gray routes of one length."""
        spare = hand[LOCOMOTIVE]
        places: list[int] = []
        for colour, by_cards in enumerate(choices):
            cards = hand[colour]
            if cards:  # half of the colours are not held
                places += by_cards[cards][spare]
        if spare >= length:
            places.append(LOCOMOTIVE * length)
        rows = self._rows.get(mask) or self._new_rows(mask)
        return [row[place] for row in rows for place in places]

    def _new_shelf(self, mask: int) -> Shelf:
        routes = [route for route in self._rules.board.routes if mask >> route.id & 1]
        routes.sort(key=lambda route: route.length)
        most = max(self._rules.card_counts[:LOCOMOTIVE])
        shelf = Shelf([self._affordable[route.id] for route in routes], most)
        self._shelves[mask] = shelf
        return shelf

    def _new_rows(self, mask: int) -> tuple[Claims, ...]:
        if len(self._rows) >= MOST_ROWS:
            self._rows.clear()
        ids = []
        rest = mask
        while rest:
            ids.append(rest.bit_length() - 1)
            rest ^= 1 << ids[-1]
        rows = tuple([self._claims[route_id] for route_id in reversed(ids)])
        self._rows[mask] = rows
        return rows


def _all_claims(route: Route) -> Claims:
    """Return every claim of a route that some hand can pay."""
    return (
        *(
            ClaimRoute(route.id, colour, locomotives)
            for colour in (COLOURS if route.colour is None else (route.colour,))
            for locomotives in range(route.length)
        ),
        ClaimRoute(route.id, None, route.length),
    )


def _affordable(route: Route, claims: Claims, rules: RuleSet) -> Affordable:
    """Return what hands can pay on a coloured route."""
    return tuple(
        tuple(
            tuple(
                claim
                for claim in claims
                if claim.locomotives <= spare and route.length - claim.locomotives <= cards
            )
            for spare in range(rules.card_counts[LOCOMOTIVE] + 1)
        )
        for cards in range(max(rules.card_counts[:LOCOMOTIVE]) + 1)
    )


def _gray_places(length: int, rules: RuleSet) -> Places:
    """Return by colour, its cards and the locomotives: places in the claims of such a route."""
    return tuple(
        tuple(
            tuple(
                tuple(
                    colour * length + locomotives
                    for locomotives in range(max(0, length - cards), min(length - 1, spare) + 1)
                )
                for spare in range(rules.card_counts[LOCOMOTIVE] + 1)
            )
            for cards in range(rules.card_counts[colour] + 1)
        )
        for colour in COLOURS
    )
