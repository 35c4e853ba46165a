"""Search for the network of 45 trains with the most route and ticket points.

    python bench/best_network.py [--steps 500000] [--restarts 8] [--seed 21]

Schaefer and Schaefer (2025) prove that one player can have 285 on this map, 62 for routes and 223
for tickets, the bonus for the longest path not counted. This search does not prove anything: it
finds such a network, by simulated annealing, and `tests/rules/test_best_network.py` scores it.
"""

from __future__ import annotations

import argparse
import math
import random

from roundhouse.rules import ROUTE_POINTS, edition

RULES = edition("classic")
BOARD = RULES.board
PLACE = {city.name: place for place, city in enumerate(BOARD.cities)}
# One lane of each pair: nobody owns both, and they are equally long.
ROUTES = tuple(
    (route.id, PLACE[route.city_a], PLACE[route.city_b], route.length)
    for route in BOARD.routes
    if route.lane != 2
)
TICKETS = tuple((PLACE[t.city_a], PLACE[t.city_b], t.value) for t in RULES.tickets)


def points(network: set[int]) -> tuple[int, int]:
    """Return the points for routes and for tickets of a set of indices into `ROUTES`."""
    part = list(range(len(PLACE)))  # by city: a city of the same part, its root at the end
    route_points = 0
    for index in network:
        _, a, b, length = ROUTES[index]
        route_points += ROUTE_POINTS[length]
        while part[a] != a:
            a = part[a]
        while part[b] != b:
            b = part[b]
        part[a] = b
    for city, _ in enumerate(part):
        root = city
        while part[root] != root:
            root = part[root]
        part[city] = root
    return route_points, sum(value for a, b, value in TICKETS if part[a] == part[b])


def change(rng: random.Random, network: set[int]) -> set[int]:
    """Take up to three routes away, and add routes as long as they fit and luck holds."""
    after = set(network)
    for index in rng.sample(sorted(network), min(len(network), rng.randint(0, 3))):
        after.discard(index)
    spare = RULES.trains - sum(ROUTES[index][3] for index in after)
    for index in rng.sample(range(len(ROUTES)), len(ROUTES)):
        if index not in after and ROUTES[index][3] <= spare:
            after.add(index)
            spare -= ROUTES[index][3]
            if rng.random() < 0.2:
                break
    return after


def anneal(rng: random.Random, steps: int) -> set[int]:
    """Return the best network met while the temperature falls from 12 points to a half."""
    network: set[int] = set()
    value = 0
    best, best_value = network, value
    for step in range(steps):
        temperature = 12.0 * math.exp(math.log(0.5 / 12.0) * step / steps)
        other = change(rng, network)
        worth = sum(points(other))
        if worth >= value or rng.random() < math.exp((worth - value) / temperature):
            network, value = other, worth
            if value > best_value:
                best, best_value = network, value
    return best


def main() -> None:
    """Search as often as asked, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=500_000, help="of one search")
    parser.add_argument("--restarts", type=int, default=8, help="how many searches")
    parser.add_argument("--seed", type=int, default=21, help="of the first search")
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.restarts):
        network = anneal(random.Random(seed), options.steps)
        routes, tickets = points(network)
        names = ", ".join(str(BOARD.route(ROUTES[index][0])) for index in sorted(network))
        print(f"seed {seed}: {routes + tickets} = {routes} + {tickets}: {names}")


if __name__ == "__main__":
    main()
