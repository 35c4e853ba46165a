"""What tickets need: the cheapest way between two cities, over what is mine and what is open."""

from functools import cache
from heapq import heappop, heappush
from math import inf

from roundhouse.rules import Board, Card, Observation, Route, Ticket

HOP = 3.0  # what a route costs beside its cards, in cards: each claim takes a turn


def plan(seen: Observation, ticket_ids: tuple[int, ...]) -> tuple[list[Route], list[int]]:
    """Return the routes that tickets still need, and the tickets that are out of reach.

    The nearest ticket comes first, and what it needs costs the others nothing.
    """
    costs = {r.id: HOP + r.length + 0.2 * missing(seen, r) for r in open_routes(seen)}
    costs |= {i: 0.0 for i, owner in enumerate(seen.route_owner) if owner == seen.seat}
    todo = [ticket for ticket in seen.rules.tickets if ticket.id in ticket_ids]
    planned: list[Route] = []
    while todo:
        paths = [(*shortest_path(seen, ticket, costs), ticket) for ticket in todo]
        cost, path, ticket = min(paths, key=lambda found: found[0])
        new = [seen.board.route(route_id) for route_id in path if costs[route_id]]
        trains = sum(route.length for route in planned + new)
        if cost == inf or trains > seen.players[seen.seat].trains:
            break  # the others are farther still
        todo.remove(ticket)
        planned += new
        costs |= {route.id: 0.0 for route in new}
    return planned, [ticket.id for ticket in todo]


def shortest_path(
    seen: Observation, ticket: Ticket, costs: dict[int, float]
) -> tuple[float, tuple[int, ...]]:
    """Find the cheapest way between the cities of a ticket by Dijkstra's algorithm."""
    queue: list[tuple[float, str, tuple[int, ...]]] = [(0.0, ticket.city_a, ())]
    done: set[str] = set()
    while queue:
        so_far, city, path = heappop(queue)
        if city == ticket.city_b:
            return so_far, path
        if city not in done:
            done.add(city)
            for route in roads(seen.board)[city]:
                if route.id in costs:
                    other = route.city_b if city == route.city_a else route.city_a
                    heappush(queue, (so_far + costs[route.id], other, (*path, route.id)))
    return inf, ()


@cache
def roads(board: Board) -> dict[str, list[Route]]:
    """Return the routes that end in each city."""
    cities = [city.name for city in board.cities]
    return {city: [r for r in board.routes if city in {r.city_a, r.city_b}] for city in cities}


def open_routes(seen: Observation) -> list[Route]:
    """Return the routes that this seat could claim if it had the cards."""
    bits = seen.claimable_routes()
    return [route for route in seen.board.routes if bits >> route.id & 1]


def missing(seen: Observation, route: Route) -> int:
    """Count the cards that the hand lacks for a route."""
    have = max(seen.hand[:8]) if route.colour is None else seen.hand[route.colour]
    return max(0, route.length - have - seen.hand[Card.LOCOMOTIVE])
