"""The best that one player can have on the map: 285 points, without the longest path.

Schaefer and Schaefer (2025) prove that 45 trains reach 62 points for routes and 223 for tickets,
and no more together. `bench/best_network.py --seed 22 --steps 500000` found this network.
"""

from __future__ import annotations

from roundhouse.rules import Position, State
from tests.rules.games import CLASSIC, cards

BEST = (
    "Atlanta-Miami",
    "Atlanta-Nashville",
    "Boston-Montreal/1",
    "Boston-New York/1",
    "Chicago-Pittsburgh/1",
    "Chicago-Saint Louis/1",
    "Denver-Kansas City/1",
    "Denver-Santa Fe",
    "Kansas City-Saint Louis/1",
    "Los Angeles-Phoenix",
    "Los Angeles-San Francisco/1",
    "Nashville-Saint Louis",
    "New York-Pittsburgh/1",
    "Phoenix-Santa Fe",
    "Pittsburgh-Toronto",
    "Portland-San Francisco/1",
    "Portland-Seattle/1",
    "Seattle-Vancouver/1",
)


def owner_of_the_best_network(tickets: tuple[int, ...]) -> State:
    """Set up the end of a game in which seat 0 owns the network and some tickets."""
    routes = tuple(CLASSIC.board.route_named(name).id for name in BEST)
    return Position(
        rules=CLASSIC, hands=(cards(), cards()), routes=(routes, ()), tickets=(tickets, ())
    ).state()


def test_the_best_network_has_285_points() -> None:
    every_ticket = tuple(ticket.id for ticket in CLASSIC.tickets)
    alone = [
        owner_of_the_best_network((ticket,)).standings()[0].tickets_completed
        for ticket in every_ticket
    ]
    held = tuple(t for t, done in zip(every_ticket, alone, strict=True) if done)
    state = owner_of_the_best_network(held)
    assert state.trains[0] == 0
    standing = state.standings()[0]
    assert (standing.route_points, standing.ticket_points) == (62, 223)
    assert standing.total - standing.longest_bonus == 285
    assert (standing.tickets_completed, standing.tickets_failed) == (len(held), 0)
