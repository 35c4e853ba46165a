"""The longest continuous path (R-19): a trail, which uses no route twice but cities freely.

The search rests on four facts about a connected network. A city is odd when an odd number of routes
meets there.

1. If no city is odd, all routes lie on one closed trail (Euler).
2. Otherwise a longest trail begins and ends in two different odd cities: it cannot be prolonged, so
   every route at its last city is used, and a trail that does not begin there uses an odd number of
   them. (A closed trail that leaves something out could be turned until it can be prolonged.)
3. What it leaves out makes every other odd city even. The cheapest way to do that pairs the odd
   cities but two, and leaves out a shortest way between the two of each pair. So nothing is longer
   than what then remains; and if that hangs together, it is a trail (Euler again) and the answer.
4. What a trail has used is told by the routes that are left, whatever their order: a city reached
   twice with the same routes left needs one look.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import combinations

Edge = tuple[int, int, int]
"""A route as the search sees it: its two cities, by number, and its length."""

Exits = dict[int, list[tuple[int, int, int]]]
"""By city: (the edge as a bit, its length, the city at the far end)."""

SMALL_NETWORK = 12
"""Up to so many edges the search is over before the odd cities are paired (fact 3)."""

MOST_PAIRED = 12
"""Odd cities that are paired at most: the work doubles with each, and bushes are searched fast."""


def longest_trail(edges: Sequence[Edge]) -> int:
    """Return the length of the longest trail, exactly. Several edges may join the same cities.

    >>> longest_trail([(1, 2, 2), (2, 3, 2), (3, 4, 3), (4, 2, 3)])
    10
    """
    best = 0
    for network in sorted(_networks(edges), key=_weight, reverse=True):
        if _weight(network) <= best:
            break  # nor can any of the lighter ones that follow
        best = max(best, _longest_in(network, best))
    return best


def _weight(edges: Iterable[Edge]) -> int:
    return sum(length for _, _, length in edges)


def _networks(edges: Iterable[Edge]) -> list[list[Edge]]:
    """Split edges into connected networks."""
    network_of: dict[int, list[Edge]] = {}
    for edge in edges:
        a, b, _ = edge
        one, other = network_of.get(a, []), network_of.get(b, [])
        joined = one if one is other else one + other
        joined.append(edge)
        for city in {a, b, *(end for e in joined for end in e[:2])}:
            network_of[city] = joined
    return list({id(network): network for network in network_of.values()}.values())


def _longest_in(edges: Sequence[Edge], floor: int) -> int:
    """Return the longest trail of one network, or `floor` when there is no longer one."""
    exits: Exits = {}
    for number, (a, b, length) in enumerate(edges):
        exits.setdefault(a, []).append((1 << number, length, b))
        exits.setdefault(b, []).append((1 << number, length, a))
    total = _weight(edges)
    odd = [city for city, ways in exits.items() if len(ways) % 2]
    if not odd:
        return total  # fact 1
    ceiling = total
    if len(edges) > SMALL_NETWORK and len(odd) <= MOST_PAIRED:
        reached, ceiling = _pair_odd_cities(edges, exits, odd)
        floor = max(floor, reached)
    return _search(exits, odd, (1 << len(edges)) - 1, floor, ceiling)


def _search(exits: Exits, odd: Sequence[int], edges: int, floor: int, ceiling: int) -> int:
    """Try every trail from every odd city (fact 2), until one is as long as `ceiling`."""
    best = floor
    seen: set[tuple[int, int]] = set()
    # Depth first with a stack of our own: (city, edges left, length so far).
    stack = [(city, edges, 0) for city in odd]
    while stack and best < ceiling:
        city, left, length = stack.pop()
        best = max(best, length)
        for bit, step, far in exits[city]:
            if left & bit:
                key = (far, left ^ bit)
                if key not in seen:  # fact 4
                    seen.add(key)
                    stack.append((far, left ^ bit, length + step))
    return best


def _pair_odd_cities(edges: Sequence[Edge], exits: Exits, odd: Sequence[int]) -> tuple[int, int]:
    """Return the length of a trail, and a length that no trail exceeds (fact 3)."""
    ways = [_shortest_ways(exits, city) for city in odd]
    cost = [[way[city][0] for city in odd] for way in ways]
    cheapest = _cheapest_pairings(cost)
    everyone = (1 << len(odd)) - 1
    ends = {
        (one, other): cheapest[everyone ^ 1 << one ^ 1 << other][0]
        for one, other in combinations(range(len(odd)), 2)
    }
    least = min(ends.values())
    reached = 0
    for (one, other), waste in ends.items():
        if waste > least:
            continue
        left_out = 0
        rest = everyone ^ 1 << one ^ 1 << other
        while rest:
            first, second = cheapest[rest][1]
            left_out ^= ways[first][odd[second]][1]
            rest ^= 1 << first | 1 << second
        kept = [edge for number, edge in enumerate(edges) if not left_out >> number & 1]
        # Each part that hangs together has two odd cities or none: it is a trail.
        reached = max([reached, *map(_weight, _networks(kept))])
    return reached, _weight(edges) - least


def _cheapest_pairings(cost: Sequence[Sequence[int]]) -> dict[int, tuple[int, tuple[int, int]]]:
    """Return by set of cities, as bits: the least cost of pairing all, and one of the pairs."""
    cheapest: dict[int, tuple[int, tuple[int, int]]] = {0: (0, (0, 0))}
    for chosen in range(1, 1 << len(cost)):
        if chosen.bit_count() % 2:
            continue
        first = (chosen & -chosen).bit_length() - 1
        rest = chosen ^ 1 << first
        cheapest[chosen] = min(
            (cost[first][second] + cheapest[rest ^ 1 << second][0], (first, second))
            for second in range(first + 1, len(cost))
            if rest >> second & 1
        )
    return cheapest


def _shortest_ways(exits: Exits, start: int) -> dict[int, tuple[int, int]]:
    """Return by city the length of a shortest way from `start` and its edges as bits (Dijkstra)."""
    found: dict[int, tuple[int, int]] = {}
    queue = [(0, start, 0)]
    while queue:
        length, city, edges = heappop(queue)
        if city not in found:
            found[city] = (length, edges)
            for bit, step, far in exits[city]:
                if far not in found:
                    heappush(queue, (length + step, far, edges | bit))
    return found
