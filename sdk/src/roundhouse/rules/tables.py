"""What can be worked out about a board before any game: payments, closings, and lists of claims.

Everything here depends on the rules alone and is computed once for a `RuleSet`. Routes are bits of
an int (`1 << route_id`), so that a set of routes is one number to copy and one operation to
intersect.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter

from roundhouse.rules.actions import Action, ClaimRoute
from roundhouse.rules.board import Board
from roundhouse.rules.cards import COLOURS, LOCOMOTIVE
from roundhouse.rules.ruleset import FaceUpLocomotive, RuleSet

ROUTE_POINTS: tuple[int, ...] = (0, 1, 2, 4, 7, 10, 15)
"""Points by length (R-12)."""

LONGEST_ROUTE = 6
"""The length of the longest route that has points."""

Claims = tuple[ClaimRoute, ...]
ColouredRoute = tuple[int, tuple[tuple[Claims, ...], ...]]
"""A route as a bit, and its affordable claims by [cards of the colour][locomotives]."""


class Tables:
    """Hold the tables of one `RuleSet`. Indices by route id start at 1; index 0 is unused."""

    __slots__ = (
        "_gray_rows",
        "all_routes",
        "claims",
        "coloured",
        "gray",
        "gray_choices",
        "highest_second_card",
        "lane",
        "lanes",
        "lengths",
        "two_ways",
        "within",
    )

    def __init__(self, rules: RuleSet) -> None:
        routes = rules.board.routes
        self.lengths: tuple[int, ...] = (0, *(route.length for route in routes))
        self.all_routes = sum(1 << route.id for route in routes)
        # a route alone, and a route with its sibling.
        self.lane: tuple[int, ...] = (0, *(1 << r.id for r in routes))
        self.lanes: tuple[int, ...] = (0, *(1 << r.id | 1 << (r.sibling or r.id) for r in routes))
        # routes that a supply of so many trains covers.
        self.within: tuple[int, ...] = tuple(
            sum(1 << r.id for r in routes if r.length <= trains)
            for trains in range(rules.trains + 1)
        )
        # Claims by route id: first by colour and then by locomotives, all locomotives last.
        self.claims: tuple[Claims, ...] = (
            (),
            *(
                (
                    *(
                        ClaimRoute(route.id, colour, locomotives)
                        for colour in (COLOURS if route.colour is None else (route.colour,))
                        for locomotives in range(route.length)
                    ),
                    ClaimRoute(route.id, None, route.length),
                )
                for route in routes
            ),
        )
        self.coloured = self._coloured(rules)
        self.gray: tuple[tuple[int, int], ...] = tuple(
            (length, sum(1 << r.id for r in routes if r.colour is None and r.length == length))
            for length in sorted({r.length for r in routes if r.colour is None})
        )
        self.gray_choices = self._gray_choices(rules)
        self._gray_rows: dict[int, tuple[Claims, ...]] = {}
        # a locomotive, the highest card, is no second card, but in V-2.
        is_ordinary = rules.face_up_locomotive is FaceUpLocomotive.ORDINARY
        self.highest_second_card = LOCOMOTIVE if is_ordinary else LOCOMOTIVE - 1
        self.two_ways = _two_ways(rules.board)

    def _coloured(
        self, rules: RuleSet
    ) -> tuple[tuple[tuple[int, int, tuple[ColouredRoute, ...]], ...], ...]:
        """Return by colour, shortest first: (length, mask of its routes, the routes)."""
        groups = []
        for colour in COLOURS:
            of_colour = []
            own = [route for route in rules.board.routes if route.colour == colour]
            for length in sorted({route.length for route in own}):
                same = [route for route in own if route.length == length]
                of_colour.append(
                    (
                        length,
                        sum(1 << route.id for route in same),
                        tuple(
                            (1 << route.id, _affordable(self.claims[route.id], length, rules))
                            for route in same
                        ),
                    )
                )
            groups.append(tuple(of_colour))
        return tuple(groups)

    def _gray_choices(
        self, rules: RuleSet
    ) -> dict[int, tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]]:
        """Return by length, colour, cards and locomotives: places in the claims of such a route."""
        spares = range(rules.card_counts[LOCOMOTIVE] + 1)
        return {
            length: tuple(
                tuple(
                    tuple(
                        tuple(
                            colour * length + locomotives
                            for locomotives in range(
                                max(0, length - cards), min(length - 1, spare) + 1
                            )
                        )
                        for spare in spares
                    )
                    for cards in range(rules.card_counts[colour] + 1)
                )
                for colour in COLOURS
            )
            for length, _ in self.gray
        }

    def list_claims(self, hand: Sequence[int], open_routes: int) -> list[Action]:
        """List the claims that a hand can pay among open routes (R-11), in a fixed order.

        `open_routes` must be cut to what the supply of trains covers already (`within`).
        """
        found: list[Action] = []
        spare = hand[LOCOMOTIVE]
        for cards, groups in zip(hand, self.coloured, strict=False):  # the locomotive has no group
            reach = cards + spare
            for length, mask, routes in groups:
                if length > reach:
                    break
                if mask & open_routes:
                    for bit, affordable in routes:
                        if bit & open_routes:
                            found += affordable[cards][spare]
        reach = max(hand[:LOCOMOTIVE]) + spare
        for length, mask in self.gray:
            if length > reach:
                break
            still_open = mask & open_routes
            if still_open:
                found += self._gray_claims(hand, length, still_open)
        return found

    def _gray_claims(self, hand: Sequence[int], length: int, still_open: int) -> Iterator[Action]:
        """Return the claims that a hand can pay among gray routes of one length.

        They are all paid alike, so the places of the affordable claims are found once, and then
        picked out of each route's claims by C code.
        """
        choices = self.gray_choices[length]
        spare = hand[LOCOMOTIVE]
        places: list[int] = []
        for by_cards, cards in zip(choices, hand, strict=False):
            places += by_cards[cards][spare]
        if spare >= length:
            places.append(8 * length)
        rows = self._gray_rows.get(still_open) or self._open_rows(still_open)
        if len(places) == 1:  # `itemgetter` of one place would not give a tuple
            return map(itemgetter(places[0]), rows)
        return chain.from_iterable(map(itemgetter(*places), rows))

    def _open_rows(self, mask: int) -> tuple[Claims, ...]:
        """Return the claims of each route in a mask. Memorised: a mask outlives many turns."""
        rows = tuple(row for route_id, row in enumerate(self.claims) if mask >> route_id & 1)
        if len(self._gray_rows) >= 4096:  # a bound on memory; a game meets about a hundred
            self._gray_rows.clear()
        self._gray_rows[mask] = rows
        return rows


def _affordable(claims: Claims, length: int, rules: RuleSet) -> tuple[tuple[Claims, ...], ...]:
    """Return the claims of a coloured route by [cards of its colour][locomotives] in the hand."""
    most = max(rules.card_counts[:LOCOMOTIVE])
    return tuple(
        tuple(
            tuple(
                claim
                for claim in claims
                if claim.locomotives <= spare and length - claim.locomotives <= cards
            )
            for spare in range(rules.card_counts[LOCOMOTIVE] + 1)
        )
        for cards in range(most + 1)
    )


def _two_ways(board: Board) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return the two ways into every city with just two neighbours, in both orders (V-4).

    A way is the routes to one neighbour: two, where the route is double.
    """
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for city in board.cities:
        ways: dict[str, tuple[int, ...]] = {}
        for route in board.routes:
            if city.name in {route.city_a, route.city_b}:
                other = route.city_b if route.city_a == city.name else route.city_a
                ways[other] = (*ways.get(other, ()), route.id)
        if len(ways) == 2:
            one, other_way = ways.values()
            found += [(one, other_way), (other_way, one)]
    return tuple(found)


@cache
def tables_of(rules: RuleSet) -> Tables:
    """Return the tables of these rules, computed once."""
    return Tables(rules)
