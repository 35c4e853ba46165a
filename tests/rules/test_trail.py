"""R-19: the longest path is exact. It is held to two methods that share nothing with it.

The brute force asks of every set of routes whether it is a trail; the walk goes along the routes
from every city. `bench/longest_path.py` measures the time and found the networks in `data`.
"""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.longest_path import work
from roundhouse.rules import longest_path
from roundhouse.rules.trail import longest_trail
from tests.rules.games import CLASSIC

if TYPE_CHECKING:
    from roundhouse.rules.networks import Edge

USA = CLASSIC.board
CITY = {city.name: city.id for city in USA.cities}
HARD: list[dict[str, int | list[int]]] = json.loads(
    (Path(__file__).parent / "data" / "hard_networks.json").read_text(encoding="utf-8")
)


def edges_of(route_ids: list[int]) -> list[Edge]:
    """Return routes as the search sees them."""
    routes = [USA.route(route_id) for route_id in route_ids]
    return [(CITY[r.city_a], CITY[r.city_b], r.length) for r in routes]


def brute_force(edges: list[Edge]) -> int:
    """Return the longest trail by Euler's theorem, set by set.

    A set of edges is a trail when it hangs together and at most two cities have an odd number.
    """
    best = 0
    for size in range(1, len(edges) + 1):
        for chosen in combinations(edges, size):
            ends = [city for a, b, _ in chosen for city in (a, b)]
            odd = sum(ends.count(city) % 2 for city in set(ends))
            length = sum(step for _, _, step in chosen)
            if odd <= 2 and length > best and hangs_together(chosen):
                best = length
    return best


def hangs_together(edges: tuple[Edge, ...]) -> bool:
    """Tell whether all edges can be reached from the first."""
    reached = {edges[0][0]}
    for _ in edges:
        for a, b, _length in edges:
            if {a, b} & reached:
                reached |= {a, b}
    return all(a in reached for a, _, _ in edges)


def walk(edges: list[Edge]) -> int:
    """Return the longest trail by going along the edges from every city, in all orders.

    A city reached again with the same edges left needs no second look.
    """
    total = sum(length for _, _, length in edges)
    todo = [(city, (1 << len(edges)) - 1, 0) for a, b, _ in edges for city in (a, b)]
    seen = set()
    best = 0
    while todo and best < total:
        city, left, length = todo.pop()
        best = max(best, length)
        for number, (a, b, step) in enumerate(edges):
            if left >> number & 1 and city in {a, b}:
                after = (b if city == a else a, left ^ 1 << number)
                if after not in seen:
                    seen.add(after)
                    todo.append((*after, length + step))
    return best


some_edges = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6)).filter(
        lambda edge: edge[0] != edge[1]
    ),
    max_size=9,
)


@settings(max_examples=100, deadline=None)
@given(some_edges)
def test_r19_the_longest_path_is_exact_on_any_network(edges: list[Edge]) -> None:
    assert longest_trail(edges) == brute_force(edges)


@settings(max_examples=100, deadline=None)
@given(some_edges, st.randoms(use_true_random=False))
def test_r19_neither_order_nor_names_matter(edges: list[Edge], rng: random.Random) -> None:
    name = rng.sample(range(40), 7)
    same = [(name[b], name[a], length) for a, b, length in edges]
    rng.shuffle(same)
    assert longest_trail(same) == longest_trail(edges)


@pytest.mark.parametrize(
    ("edges", "length"),
    [
        ([], 0),
        ([(1, 2, 3)], 3),
        ([(1, 2, 1), (1, 2, 1)], 2),  # two edges between the same cities: there and back
        ([(1, 2, 1), (1, 3, 2), (1, 4, 3)], 5),  # a star: two of its rays
        ([(1, 2, 1), (3, 4, 2), (3, 5, 2), (3, 6, 2)], 4),  # the heavier network of two
        ([(1, 2, 5), (3, 4, 2), (3, 5, 2), (3, 6, 2)], 5),  # the lighter one may hold the longest
        # Two triangles joined by a route that is cheap to leave out, but then nothing is whole.
        ([(1, 2, 3), (2, 3, 3), (3, 1, 3), (4, 5, 3), (5, 6, 3), (6, 4, 3), (3, 4, 1)], 19),
        # The same with a third one in the middle, and four odd cities.
        (
            [
                *((1, 2, 3), (2, 3, 3), (3, 1, 3), (3, 4, 1), (4, 5, 3), (5, 6, 3), (6, 4, 3)),
                *((5, 7, 1), (7, 8, 3), (8, 9, 3), (9, 7, 3)),
            ],
            26,
        ),
        # A circle on which three ways hang at one city and one at another: two of them are ends.
        (
            [
                *((1, 2, 1), (2, 3, 1), (3, 1, 1), (1, 4, 2), (4, 5, 2), (1, 6, 3), (1, 7, 1)),
                *((2, 8, 1), (4, 9, 1)),
            ],
            10,
        ),
        # What hangs on a circle holds the longest way itself.
        ([(1, 2, 1), (2, 3, 1), (3, 1, 1), (1, 4, 1), (4, 5, 6), (4, 6, 6), (2, 7, 1)], 12),
        # Three ways of several edges between two cities, and a circle at the end of one more.
        (
            [
                *((1, 2, 1), (2, 3, 2), (1, 4, 3), (4, 3, 3), (1, 5, 1), (5, 6, 1), (6, 3, 1)),
                *((3, 7, 4), (7, 8, 2), (8, 7, 2)),
            ],
            20,
        ),
    ],
)
def test_r19_shapes(edges: list[Edge], length: int) -> None:
    assert brute_force(edges) == length
    assert longest_trail(edges) == length


def dense_network(rng: random.Random, size: int) -> list[Edge]:
    """Build a network on the map that stays together: there are many ways through it."""
    cities = {rng.choice(USA.cities).name}
    chosen: list[int] = []
    while len(chosen) < size:
        near = [r for r in USA.routes if {r.city_a, r.city_b} & cities and r.lane != 2]
        near = [route for route in near if route.id not in chosen]
        rng.shuffle(near)
        route = max(near, key=lambda r: len({r.city_a, r.city_b} & cities))
        chosen.append(route.id)
        cities |= {route.city_a, route.city_b}
    return edges_of(chosen)


@pytest.mark.parametrize("number", range(12))
def test_r19_the_longest_path_is_exact_on_dense_parts_of_the_map(number: int) -> None:
    edges = dense_network(random.Random(number), 11)
    assert longest_trail(edges) == brute_force(edges) == walk(edges)


@pytest.mark.parametrize("number", range(30))
def test_r19_the_longest_path_is_exact_on_large_networks(number: int) -> None:
    rng = random.Random(number)
    edges = dense_network(rng, rng.randrange(12, 19))
    assert longest_trail(edges) == walk(edges)


@pytest.mark.parametrize("number", range(30))
def test_r19_the_longest_path_is_exact_on_networks_without_circles(number: int) -> None:
    rng = random.Random(number)
    name = rng.sample(range(40), 13)
    edges = [(name[n], name[rng.randrange(n)], rng.randint(1, 6)) for n in range(1, 13)]
    rng.shuffle(edges)
    assert longest_trail(edges) == walk(edges)


@pytest.mark.parametrize("number", range(len(HARD)))
def test_r19_the_hardest_legal_networks(number: int) -> None:
    ids = HARD[number]["routes"]
    assert isinstance(ids, list)
    routes = [USA.route(route_id) for route_id in ids]
    assert sum(route.length for route in routes) <= CLASSIC.trains
    assert not {route.id for route in routes} & {route.sibling for route in routes}
    assert longest_path(USA, ids) == walk(edges_of(ids)) == HARD[number]["longest_path"]


MOST_CALLS = 3000
"""Function calls that an answer may take, which no busy machine makes more: about 2 ms."""


def test_r19_the_hardest_legal_networks_take_little_work() -> None:
    calls = [work(frozenset(network["routes"])) for network in HARD]  # type: ignore[arg-type]
    assert max(calls) <= MOST_CALLS  # 1,031 when this was written
