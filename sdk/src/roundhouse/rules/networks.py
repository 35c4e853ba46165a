"""Networks of routes: which hang together, and what of one the longest path depends on (R-19).

`trail` says what a trail is. Here a network is made smaller before the longest one is searched.
"""

from collections.abc import Iterable, Sequence
from typing import Final

Edge = tuple[int, int, int]
"""A route as the search sees it: its two cities, by number, and its length."""

MOST_ENDS: Final = 2
"""Odd cities that a trail may have: where it begins and where it ends."""


class Network:
    """Hold routes that hang together, with their cities as bits and the length of them all."""

    __slots__ = ("cities", "edges", "weight")

    def __init__(self, edge: Edge, cities: int) -> None:
        self.edges: list[Edge] = [edge]
        self.cities = cities
        self.weight = edge[2]


def join_networks(edges: Iterable[Edge]) -> list[Network]:
    """Return the connected networks that edges make up."""
    networks: list[Network] = []
    for edge in edges:
        cities = 1 << edge[0] | 1 << edge[1]
        touched: Network | None = None
        for network in networks:
            if network.cities & cities:
                if touched is None:
                    touched = network
                    network.edges.append(edge)
                    network.cities |= cities
                    network.weight += edge[2]
                else:  # the edge joins the two
                    touched.edges.extend(network.edges)
                    touched.cities |= network.cities
                    touched.weight += network.weight
                    networks.remove(network)
                    break
        if touched is None:
            networks.append(Network(edge, cities))
    return networks


def is_trail(edges: Sequence[Edge]) -> bool:
    """Tell whether a network is a trail as a whole (Euler)."""
    odd = 0
    for a, b, _ in edges:
        odd ^= 1 << a ^ 1 << b
    return odd.bit_count() <= MOST_ENDS


def cut_trees(edges: Sequence[Edge]) -> tuple[list[Edge], int]:
    """Cut off what hangs on a network by one edge and holds no circle: a trail can only end there.

    Return what is left, with the two longest ways that hang on each city as an edge each, and the
    longest trail within what was cut off. A network without any circle is cut off whole.
    """
    ways: dict[int, list[Edge]] = {}  # by city: the longest way into what was cut off, the second
    left = list(edges)
    best = 0
    while True:
        once = twice = 0
        for a, b, _ in left:
            both = 1 << a | 1 << b
            twice |= once & both
            once |= both
        kept: list[Edge] = []
        for edge in left:  # take away what ends in a city with no other edge
            a, b, length = edge
            if twice >> a & 1 and twice >> b & 1:
                kept.append(edge)
                continue
            leaf, stem = (b, a) if twice >> a & 1 else (a, b)
            if leaf in ways:
                length += ways[leaf][0][2]
            hanging = ways.setdefault(stem, [])
            best = max(best, length + (hanging[0][2] if hanging else 0))
            hanging.append((stem, leaf, length))
            hanging.sort(key=_length, reverse=True)
            del hanging[2:]
        if len(kept) == len(left):
            break
        left = kept
    for city, hanging in ways.items():
        if once >> city & 1:
            left.extend(hanging)
    return left, best


def _length(edge: Edge) -> int:
    return edge[2]


def join_ways(edges: Sequence[Edge]) -> list[Edge]:
    """Make one edge of two that meet in a city where nothing else does.

    A longest trail uses both or neither: one that ended between them could go on. The ends must not
    be the same city, since an edge joins two.
    """
    at: dict[int, list[Edge]] = {}
    for edge in edges:
        at.setdefault(edge[0], []).append(edge)
        at.setdefault(edge[1], []).append(edge)
    for city in list(at):
        own = at[city]
        if len(own) == 2:
            one, other = own
            a = one[1] if one[0] == city else one[0]
            b = other[1] if other[0] == city else other[0]
            if a != b:
                joined = (a, b, one[2] + other[2])
                at[a].remove(one)
                at[a].append(joined)
                at[b].remove(other)
                at[b].append(joined)
                del at[city]
    return [edge for city, own in at.items() for edge in own if edge[0] == city]
