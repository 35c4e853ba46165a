"""The score of a game that has ended: a part of the independent checker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.sdk.replay.independent_checker import Checker

TIE_BREAKS = {
    "tickets completed": "tickets_completed",
    "longest-path bonus": "longest_path_bonus",
    "routes claimed": "routes_claimed",
}


def score(game: Checker) -> list[dict[str, Any]]:
    """Return what the standings must say, by seat."""
    seats = range(game.seats)
    standings = [score_alone(game, seat) for seat in seats]
    for measure, bonus in (
        ("longest_path", "longest_path_bonus"),
        ("tickets_completed", "tickets_bonus"),
    ):
        name = "most_tickets_bonus" if bonus == "tickets_bonus" else bonus
        best = max((s[measure] for s in standings if not s["forfeited"]), default=0)
        for standing in standings:
            has_won = standing[measure] == best > 0 and not standing["forfeited"]
            standing[bonus] = game.rules[name] if has_won else 0
            standing["total"] += standing[bonus]
    with_teams = "teams" in game.variants
    sides = [[seat, (seat + 2) % 4] if with_teams else [seat] for seat in seats]
    keys = []
    for standing, side in zip(standings, sides, strict=True):
        total = sum(standings[seat]["total"] for seat in side)
        standing["team_total"] = total if with_teams else None
        breaks = [
            sum(standings[seat][TIE_BREAKS[name]] for seat in side)
            for name in game.rules["tie_breaks"]
        ]
        left = [game.left[seat] for seat in side if seat in game.left]
        keys.append((0, min(left)) if left else (1, total, *breaks))
    for standing, key in zip(standings, keys, strict=True):
        standing["placement"] = 1 + sum(other > key for other in keys)
    return standings


def score_alone(game: Checker, seat: int) -> dict[str, Any]:
    """Score what does not depend on the others."""
    mine = routes_of(game, {seat})
    shared = {seat, (seat + 2) % 4} if "shared_network" in game.variants else {seat}
    network = routes_of(game, shared)
    held = [game.tickets[ticket] for ticket in game.kept[seat]]
    done = [ticket for ticket in held if connected(ticket, network)]
    failed = [ticket for ticket in held if ticket not in done]
    worth = sum(ticket["value"] for ticket in done)
    if "unfinished_tickets_score_zero" not in game.variants:
        worth -= sum(ticket["value"] for ticket in failed)
    return {
        "seat": seat,
        "total": game.points[seat] + worth,
        "route_points": game.points[seat],
        "ticket_points": worth,
        "longest_path": longest_path(mine),
        "tickets_completed": len(done),
        "tickets_failed": len(failed),
        "routes_claimed": len(mine),
        "trains_left": game.trains[seat],
        "forfeited": seat in game.left,
        "tickets": held,
    }


def routes_of(game: Checker, seats: set[int]) -> list[dict[str, Any]]:
    return [game.routes[route] for route, owner in game.owners.items() if owner in seats]


def has_completed_all(game: Checker) -> bool:
    """Tell whether the only seat has connected all its tickets (V-8)."""
    mine = routes_of(game, {0})
    return all(connected(game.tickets[ticket], mine) for ticket in game.kept[0])


def connected(ticket: dict[str, Any], routes: list[dict[str, Any]]) -> bool:
    reached = {ticket["city_a"]}
    for _ in routes:
        for route in routes:
            ends = {route["city_a"], route["city_b"]}
            if ends & reached:
                reached |= ends
    return ticket["city_b"] in reached


def longest_path(routes: list[dict[str, Any]]) -> int:
    """Try every trail from every city: slow, plain, and right."""

    def extend(city: str, rest: list[dict[str, Any]]) -> int:
        best = 0
        for place, route in enumerate(rest):
            for here, there in (
                (route["city_a"], route["city_b"]),
                (route["city_b"], route["city_a"]),
            ):
                if here == city:
                    others = rest[:place] + rest[place + 1 :]
                    best = max(best, route["length"] + extend(there, others))
        return best

    cities = {route[end] for route in routes for end in ("city_a", "city_b")}
    return max((extend(city, routes) for city in cities), default=0)
