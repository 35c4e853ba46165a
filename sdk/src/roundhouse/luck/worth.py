"""What a ticket is worth to a seat before anybody knows who draws it.

The numbers are guesses, and may be: a control variate with a bad guess removes less variance, but
never moves the mean. They depend on the board as it lies before the draw, and on nothing later.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import combinations
from math import comb, inf

from roundhouse.rules import Board, RuleSet, Ticket

Network = frozenset[int]
"""Numbers of the routes that a seat owns."""

_MOST_OFFERS = 50_000
"""Different opening offers that are looked at: 4,060 in the classic box, 40,920 in that of 2025."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The cheapest ways from one city to all that it can reach, own routes being free."""

    trains: Mapping[str, float]
    """By city."""
    last: Mapping[str, tuple[str, int]]
    """By city: the one before it on the way, and the number of the route between them."""

    def routes_to(self, city: str) -> Network:
        """Return the routes of the way to a city; none when it cannot be reached."""
        routes = set[int]()
        while city in self.last:
            city, route = self.last[city]
            routes.add(route)
        return frozenset(routes)


def find_ways(board: Board, start: str, own: Network, closed: Network) -> Ways:
    """Find the cheapest ways from a city (Dijkstra). `closed` routes cannot be used."""
    neighbours = _neighbours(board)
    trains: dict[str, float] = {}
    last: dict[str, tuple[str, int]] = {}
    queue: list[tuple[float, str, str, int]] = [(0, start, "", 0)]
    while queue:
        far, city, before, way = heappop(queue)
        if city in trains:
            continue
        trains[city] = far
        if before:
            last[city] = before, way
        for other, route, length in neighbours[city]:
            if other not in trains and route not in closed:
                heappush(queue, (far + (0 if route in own else length), other, city, route))
    return Ways(trains, last)


def ticket_worth(ticket: Ticket, board: Board, own: Network, closed: Network) -> float:
    """Return points less the trains that completing it still takes, and what failing costs."""
    need = find_ways(board, ticket.city_a, own, closed).trains.get(ticket.city_b, inf)
    return max(ticket.value - need, -float(ticket.value))


def needed_cards(
    tickets: Iterable[Ticket], board: Board, own: Network, closed: Network
) -> tuple[int, ...]:
    """Return how many cards of each kind the shortest ways of tickets still take.

    Gray routes and locomotives are left out: any card serves there.
    """
    routes = set[int]()
    for ticket in tickets:
        ways = find_ways(board, ticket.city_a, own, closed)
        routes |= ways.routes_to(ticket.city_b) - own
    need = [0] * 9
    for number in routes:
        route = board.route(number)
        if route.colour is not None:
            need[route.colour] += route.length
    return tuple(need)


def expected_best(worths: Sequence[float], offered: int) -> float:
    """Return the expected greatest of so many drawn without replacement.

    >>> expected_best([1.0, 2.0, 3.0], 2)
    2.6666666666666665
    """
    total = sum(worth * comb(lower, offered - 1) for lower, worth in enumerate(sorted(worths)))
    return total / comb(len(worths), offered)


class OpeningOffers:
    """What the opening offers of some rules are worth, all of them looked at once."""

    def __init__(self, rules: RuleSet) -> None:
        self._pairs = _pair_worths(rules)
        self._best: dict[tuple[int, ...], float] = {}

    def worth(self, offer: Iterable[int]) -> float:
        """Return the worth of the best two tickets: their value less the trains that both take."""
        key = tuple(sorted(offer))
        found = self._best.get(key)
        if found is None:
            found = max(self._pairs[pair] for pair in combinations(key, 2))
            self._best[key] = found
        return found

    def expected_worth(self, tickets: Sequence[int], offered: int) -> float:
        """Return the expected worth of an offer of so many of these tickets."""
        total = sum(self.worth(offer) for offer in combinations(sorted(tickets), offered))
        return total / comb(len(tickets), offered)


@cache
def opening_offers(rules: RuleSet) -> OpeningOffers | None:
    """Return the opening offers of some rules; None where there are too many to look at."""
    if comb(len(rules.tickets), rules.opening_offer) > _MOST_OFFERS or rules.opening_offer < 2:
        return None
    return OpeningOffers(rules)


def _pair_worths(rules: RuleSet) -> dict[tuple[int, int], float]:
    """Return for each pair what it is worth when the second ticket uses the routes of the first.

    The cheaper of the two orders counts.
    """
    board, nothing = rules.board, Network()
    ways = {one.id: find_ways(board, one.city_a, nothing, nothing) for one in rules.tickets}
    worths = {}
    for one, two in combinations(sorted(rules.tickets, key=lambda ticket: ticket.id), 2):
        trains = inf
        for first, second in ((one, two), (two, one)):
            way = ways[first.id]
            then = find_ways(board, second.city_a, way.routes_to(first.city_b), nothing)
            trains = min(trains, way.trains[first.city_b] + then.trains[second.city_b])
        worths[one.id, two.id] = one.value + two.value - trains
    return worths


@cache
def _neighbours(board: Board) -> Mapping[str, tuple[tuple[str, int, int], ...]]:
    ways: dict[str, list[tuple[str, int, int]]] = {city.name: [] for city in board.cities}
    for route in board.routes:
        ways[route.city_a].append((route.city_b, route.id, route.length))
        ways[route.city_b].append((route.city_a, route.id, route.length))
    return {city: tuple(found) for city, found in ways.items()}
