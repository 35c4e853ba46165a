"""What can be worked out about a board before any game: lengths, closings, payments, ends.

Everything here depends on the rules alone and is computed once for a `RuleSet`. The rules that are
asked for at every turn stand here again: compiled, an attribute of `Tables` lies at a known place,
while one of `RuleSet`, which stays a plain dataclass, is looked up by name.
"""

from functools import cache
from typing import TYPE_CHECKING, Final

from roundhouse.rules.board import Board
from roundhouse.rules.cards import LOCOMOTIVE
from roundhouse.rules.payments import Payments
from roundhouse.rules.ruleset import FaceUpLocomotive, RuleSet

if TYPE_CHECKING:
    from roundhouse.rules.networks import Edge

ROUTE_POINTS: Final[tuple[int, ...]] = (0, 1, 2, 4, 7, 10, 15)
"""Points by length (R-12)."""

LONGEST_ROUTE = 6
"""The length of the longest route that has points."""


class Tables:
    """Hold the tables of one `RuleSet`. Indices by route id start at 1; index 0 is unused."""

    __slots__ = (
        "edges",
        "final_round_trains",
        "has_later_offers",
        "highest_second_card",
        "lengths",
        "payments",
        "siblings",
        "solo",
        "ticket_ends",
        "ticket_ids",
        "ticket_values",
        "two_ways",
    )

    def __init__(self, rules: RuleSet) -> None:
        routes = rules.board.routes
        self.lengths: list[int] = [0, *(route.length for route in routes)]
        self.siblings: list[int] = [0, *(route.sibling or 0 for route in routes)]
        # The board as the score sees it: cities as numbers, or as bits.
        board = rules.board
        self.edges: list[Edge] = [
            (0, 0, 0),
            *((board.city(r.city_a).id, board.city(r.city_b).id, r.length) for r in routes),
        ]
        self.ticket_ends: dict[int, int] = {
            ticket.id: 1 << board.city(ticket.city_a).id | 1 << board.city(ticket.city_b).id
            for ticket in rules.tickets
        }
        self.ticket_values: dict[int, int] = {t.id: t.value for t in rules.tickets}
        self.ticket_ids: list[int] = [ticket.id for ticket in rules.tickets]
        self.payments = Payments(rules)
        # a locomotive, the highest card, is no second card, but in V-2.
        is_ordinary = rules.face_up_locomotive is FaceUpLocomotive.ORDINARY
        self.highest_second_card = LOCOMOTIVE if is_ordinary else LOCOMOTIVE - 1
        self.has_later_offers = rules.later_offer > 0
        self.final_round_trains = rules.final_round_trains
        self.solo = rules.solo
        self.two_ways = _two_ways(rules.board)


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
