"""The longest continuous path (R-19): a trail, which uses no route twice but cities freely.

The search rests on three facts about a connected network.

1. If every city has an even number of routes, all of them lie on one closed trail (Euler).
2. Otherwise a longest trail begins and ends in two different cities with an odd number of routes:
   it cannot be prolonged, so every route at its last city is used, and a trail that does not begin
   there uses an odd number of them. (A closed trail that leaves something out could be turned
   until it can be prolonged.) So the search starts from those cities only.
3. What a trail has used is told by the set of routes that are left, whatever their order: a city
   reached twice with the same routes left needs one look.
"""

from collections.abc import Iterable, Sequence

Edge = tuple[int, int, int]
"""A route as the search sees it: its two cities, by number, and its length."""


def longest_trail(edges: Sequence[Edge]) -> int:
    """Return the length of the longest trail, exactly. Several edges may join the same cities.

    >>> longest_trail([(1, 2, 2), (2, 3, 2), (3, 4, 3), (4, 2, 3)])
    10
    """
    best = 0
    for component in sorted(_components(edges), key=_weight, reverse=True):
        if _weight(component) <= best:
            break  # nor can any of the lighter ones that follow
        best = max(best, _longest_in(component, best))
    return best


def _weight(edges: Iterable[Edge]) -> int:
    return sum(length for _, _, length in edges)


def _components(edges: Sequence[Edge]) -> list[list[Edge]]:
    """Split edges into connected networks."""
    root: dict[int, int] = {}

    def find(city: int) -> int:
        while root.setdefault(city, city) != city:
            city = root[city]
        return city

    for a, b, _ in edges:
        root[find(a)] = find(b)
    groups: dict[int, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(find(edge[0]), []).append(edge)
    return list(groups.values())


def _longest_in(edges: Sequence[Edge], floor: int) -> int:
    """Return the longest trail of one connected network, or `floor` when there is no longer one."""
    exits: dict[int, list[tuple[int, int, int]]] = {}  # by city: (edge as a bit, length, far city)
    for number, (a, b, length) in enumerate(edges):
        exits.setdefault(a, []).append((1 << number, length, b))
        exits.setdefault(b, []).append((1 << number, length, a))
    total = _weight(edges)
    odd = [city for city, ways in exits.items() if len(ways) % 2]
    if not odd:
        return total  # fact 1
    ceiling = total - _least_waste(exits, odd)
    best = floor
    seen: set[tuple[int, int]] = set()
    # Depth first with a stack of our own: (city, edges left, length so far).
    stack = [(city, (1 << len(edges)) - 1, 0) for city in odd]  # fact 2
    while stack and best < ceiling:
        city, left, length = stack.pop()
        best = max(best, length)
        for bit, step, far in exits[city]:
            if left & bit:
                key = (far, left ^ bit)
                if key not in seen:  # fact 3
                    seen.add(key)
                    stack.append((far, left ^ bit, length + step))
    return best


def _least_waste(exits: dict[int, list[tuple[int, int, int]]], odd: Sequence[int]) -> int:
    """Return a lower bound of the length that every trail must leave out.

    At each city with an odd number of routes, but for the two ends, a route is left out; one route
    can serve two such cities.
    """
    cheapest = sorted(min(length for _, length, _ in exits[city]) for city in odd)
    return (sum(cheapest[:-2]) + 1) // 2
