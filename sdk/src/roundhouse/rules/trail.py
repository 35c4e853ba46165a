"""The longest continuous path (R-19): a trail, which uses no route twice but cities freely.

A set of routes is a trail when it hangs together and at most two cities are odd, that is, when an
odd number of its routes meets there (Euler). So the question is what to leave out: as little as
possible, such that the rest is like that. No path is ever followed.

The routes are looked at one by one, each kept or left out, in an order that leaves few cities open:
a city is open while only some of its routes have been looked at. At its last route it is closed,
and counts as one of the two ends if it is odd. All that matters of what was decided before is which
open cities are odd, how many ends there are, and which open cities hang together. On this map six
cities or so are open at a time, and so there are few such states, however many routes there are.

Two passes share the work. The first one forgets about hanging together, which leaves very few
states, and finds the least that must still be left out after each of them. That is a lower bound
for the second pass, which minds everything and looks at the most promising state first (A*): it
mostly walks straight to the answer.

Before that a network shrinks: what hangs on it without a circle is cut off but for the longest
ways, and edges that only continue one another become one. Three players of four in random games
need no sweep then, and the others one over six edges or so.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from roundhouse.rules.networks import (
    MOST_ENDS,
    Edge,
    Network,
    cut_trees,
    is_trail,
    join_networks,
    join_ways,
)

_NEVER = 1 << 30  # longer than any network: there is no way on from here


def longest_trail(edges: Iterable[Edge]) -> int:
    """Return the length of the longest trail, exactly. Several edges may join the same cities.

    >>> longest_trail([(1, 2, 2), (2, 3, 2), (3, 4, 3), (4, 2, 3)])
    10
    """
    return longest_trail_in(join_networks(edges))


def longest_trail_in(networks: Sequence[Network]) -> int:
    """Return the length of the longest trail in any of these networks."""
    best = 0
    for network in sorted(networks, key=_weight, reverse=True):
        if network.weight <= best:
            break  # nor can any of the lighter ones that follow
        best = max(best, _longest_in(network))
    return best


def _weight(network: Network) -> int:
    return network.weight


def _longest_in(network: Network) -> int:
    """Return the longest trail of one network."""
    if is_trail(network.edges):  # most networks of real games are, or become one below
        return network.weight
    core, best = cut_trees(network.edges)
    if not core:
        return best
    if is_trail(core):
        return max(best, sum([length for _, _, length in core]))
    return max(best, _Sweep(join_ways(core)).longest())


def _in_order(edges: Sequence[Edge]) -> list[Edge]:
    """Order edges city by city, such that few cities are open at a time.

    Next comes an open city whose edges open the fewest others. Greedy, and good enough for a map.
    """
    left: dict[int, list[Edge]] = {}
    for edge in edges:
        left.setdefault(edge[0], []).append(edge)
        left.setdefault(edge[1], []).append(edge)
    order: list[Edge] = []
    open_cities = 0
    while left:
        chosen, least = -1, (_NEVER, 0)
        for city, own in left.items():
            if open_cities >> city & 1 or not open_cities:
                reached = 0
                for a, b, _ in own:
                    reached |= 1 << a | 1 << b
                opened = (reached & ~open_cities).bit_count()
                if (opened, len(own)) < least:
                    chosen, least = city, (opened, len(own))
        for edge in left.pop(chosen):
            order.append(edge)
            far = edge[1] if edge[0] == chosen else edge[0]
            open_cities |= 1 << far
            left[far].remove(edge)
            if not left[far]:
                del left[far]
                open_cities &= ~(1 << far)
        open_cities &= ~(1 << chosen)
    return order


class _Sweep:
    """Find the longest trail of one connected network by going once over its edges.

    Cities are bits. At each step: the two cities of the edge, its length, the cities that it
    closes, and the length of all edges from there on.
    """

    __slots__ = ("_bound", "_cities", "_closed", "_left", "_lengths", "_size")

    def __init__(self, edges: Sequence[Edge]) -> None:
        order = _in_order(edges)
        self._size = len(order)
        self._cities: list[int] = [1 << a | 1 << b for a, b, _ in order]
        self._lengths: list[int] = [length for _, _, length in order]
        self._left: list[int] = [0] * (self._size + 1)
        self._closed: list[int] = [0] * self._size
        later = 0
        for step in range(self._size - 1, -1, -1):
            self._left[step] = self._left[step + 1] + self._lengths[step]
            self._closed[step] = self._cities[step] & ~later
            later |= self._cities[step]
        self._bound: dict[tuple[int, int, int], int] = {}

    def longest(self) -> int:
        """Return the length of the longest trail."""
        total = self._left[0]
        best = 0
        # What is left out at least, minus the step, open odd cities, ends, and the open cities of
        # each part that hangs together. A later step comes first among equals: it is nearer.
        queue: list[tuple[int, int, int, int, tuple[int, ...]]] = []
        seen: set[tuple[int, int, int, tuple[int, ...]]] = set()
        heappush(queue, (self._least(0, 0, 0), 0, 0, 0, ()))
        while queue:
            bound, minus_step, odd, ends, parts = heappop(queue)
            step = -minus_step
            if total - bound <= best:
                break  # no state that is left can do better
            key = (step, odd, ends, parts)
            if key in seen:
                continue
            seen.add(key)
            waste = bound - self._least(step, odd, ends)
            closed = self._closed[step]
            for keep in (True, False):
                if keep:
                    odd_then = odd ^ self._cities[step]
                    parts_then = _join(parts, self._cities[step])
                    waste_then = waste
                else:
                    odd_then = odd
                    parts_then = parts
                    waste_then = waste + self._lengths[step]
                ends_then = ends + (odd_then & closed).bit_count()
                if ends_then > MOST_ENDS:
                    continue
                still_open = _without(parts_then, closed)
                if still_open and not still_open[0]:  # a part is finished
                    if len(still_open) == 1:  # and it is all there is: a trail
                        best = max(best, total - self._left[step + 1] - waste_then)
                    continue  # with other parts it could never hang together
                odd_then &= ~closed
                bound = waste_then + self._least(step + 1, odd_then, ends_then)
                if total - bound > best:
                    heappush(queue, (bound, minus_step - 1, odd_then, ends_then, still_open))
        return best

    def _least(self, step: int, odd: int, ends: int) -> int:
        """Return the least that must be left out from a step on, hanging together or not."""
        if step == self._size:
            return 0
        key = (step, odd, ends)
        least = self._bound.get(key, -1)
        if least >= 0:
            return least
        least = _NEVER
        closed = self._closed[step]
        odd_if_kept = odd ^ self._cities[step]
        ends_then = ends + (odd_if_kept & closed).bit_count()
        if ends_then <= MOST_ENDS:
            least = self._least(step + 1, odd_if_kept & ~closed, ends_then)
        ends_then = ends + (odd & closed).bit_count()
        if ends_then <= MOST_ENDS:
            rest = self._least(step + 1, odd & ~closed, ends_then)
            least = min(least, rest + self._lengths[step])
        self._bound[key] = least
        return least


def _join(parts: tuple[int, ...], cities: int) -> tuple[int, ...]:
    """Add an edge: the parts that it touches become one."""
    apart = [part for part in parts if not part & cities]
    for part in parts:
        if part & cities:
            cities |= part
    return (*apart, cities)


def _without(parts: tuple[int, ...], closed: int) -> tuple[int, ...]:
    """Take closed cities out of the parts, in ascending order: a finished part, 0, comes first."""
    return tuple(sorted([part & ~closed for part in parts])) if closed else tuple(sorted(parts))
