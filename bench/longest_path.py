"""Search for the networks of 45 trains whose longest path is the hardest to find (R-19).

    python bench/longest_path.py [--networks 3000] [--climbs 20] [--seed 1] [--write FILE]

Networks are built by chance and by greed, most of them dense and of short routes, because there
the ways through are the most; then the hardest are made harder by swapping routes (hill climbing).
What is climbed is the number of functions called, which does not depend on how busy the machine is;
times are measured afterwards. So this is for the plain form of the engine, the slower one.
`--write tests/rules/data/hard_networks.json` keeps the hardest and their answers for the tests.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from roundhouse.rules import edition, longest_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from roundhouse.rules import Route

RULES = edition("classic")
BOARD = RULES.board
ROUTES = {route.id: route for route in BOARD.routes if route.lane != 2}
"""One lane of each pair: nobody owns both (R-13), and they are equally long."""

Network = frozenset[int]
"""The ids of the routes that one player owns."""


def trains_of(network: Iterable[int]) -> int:
    """Return the trains that a network takes."""
    return sum(ROUTES[route_id].length for route_id in network)


def fitting(network: Network) -> list[Route]:
    """List the routes that the trains left would cover."""
    spare = RULES.trains - trains_of(network)
    return [r for r in ROUTES.values() if r.id not in network and r.length <= spare]


def grow(
    rng: random.Random, network: Network, taste: Callable[[Route, set[str]], float]
) -> Network:
    """Add routes that touch the network, each with a chance as its taste, until none fits."""
    cities = {c for i in network for c in (ROUTES[i].city_a, ROUTES[i].city_b)}
    while True:
        near = [r for r in fitting(network) if not cities or {r.city_a, r.city_b} & cities]
        if not near:
            return network
        route = rng.choices(near, [taste(r, cities) for r in near])[0]
        network |= {route.id}
        cities |= {route.city_a, route.city_b}


def build(rng: random.Random) -> Network:
    """Build one network: how much short and closing routes are preferred is drawn as well."""
    shortness, closure = rng.uniform(0, 4), rng.choice((1.0, 3.0, 10.0, 50.0))

    def taste(route: Route, cities: set[str]) -> float:
        closes = {route.city_a, route.city_b} <= cities
        return math.pow(route.length, -shortness) * (closure if closes else 1.0)

    return grow(rng, frozenset(), taste)


def mutate(rng: random.Random, network: Network) -> Network:
    """Take a few routes away and grow the rest again."""
    kept = frozenset(rng.sample(sorted(network), max(1, len(network) - rng.randint(1, 4))))
    shortness = rng.uniform(0, 3)
    return grow(rng, kept, lambda route, _: math.pow(route.length, -shortness))


def work(network: Network) -> int:
    """Return how many functions one answer calls: the same on every machine, however busy."""
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        longest_path(BOARD, sorted(network))
    finally:
        sys.setprofile(None)
    return calls


def milliseconds(network: Network, runs: int = 9) -> float:
    """Return the time of one answer, the best of several runs."""
    ids = sorted(network)
    best = float("inf")
    for _ in range(runs):
        start = process_time()
        longest_path(BOARD, ids)
        best = min(best, process_time() - start)
    return best * 1e3


def climb(rng: random.Random, network: Network, patience: int) -> Network:
    """Replace a network by harder neighbours until `patience` of them in a row are not."""
    cost = work(network)
    failures = 0
    while failures < patience:
        other = mutate(rng, network)
        harder = work(other)
        if harder > cost:
            cost, network, failures = harder, other, 0
        else:
            failures += 1
    return network


def write(path: Path, networks: Iterable[Network]) -> None:
    """Write networks and the lengths of their longest paths, one a line."""
    rows = [
        json.dumps({"longest_path": longest_path(BOARD, ids), "routes": ids})
        for ids in map(sorted, networks)
    ]
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def report(
    networks: list[Network], climbs: int, patience: int, rng: random.Random
) -> list[Network]:
    """Measure what was built, climb from the hardest, and return the hardest found."""
    times = sorted(milliseconds(network, 3) for network in networks)
    print(
        f"{len(networks):,} networks built: {sum(times) / len(times):.2f} ms on average, "
        f"{times[len(times) // 2]:.2f} in the middle, {times[-1]:.2f} at worst"
    )
    networks.sort(key=work, reverse=True)
    found = {climb(rng, network, patience) for network in networks[:climbs]}
    hardest = sorted(found, key=work, reverse=True)
    print(f"{climbs} climbs from the hardest; milliseconds, calls, routes, longest path:")
    for network in hardest[:10]:
        length = longest_path(BOARD, sorted(network))
        print(
            f"  {milliseconds(network):6.2f} {work(network):6,} {len(network):3} {length:3}  "
            + " ".join(map(str, sorted(network)))
        )
    print(f"worst of all: {max(map(milliseconds, hardest)):.2f} ms")
    return hardest


def main() -> None:
    """Read the command line, search and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", type=int, default=3000, help="how many are built")
    parser.add_argument("--climbs", type=int, default=20, help="how many of them are climbed from")
    parser.add_argument("--patience", type=int, default=200, help="failures that end a climb")
    parser.add_argument("--seed", type=int, default=1, help="of all chance")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the hardest 40 for tests")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    built = [build(rng) for _ in range(options.networks)]
    hardest = report(built, options.climbs, options.patience, rng)
    if options.write:
        write(options.write, (hardest + built)[:40])


if __name__ == "__main__":
    main()
