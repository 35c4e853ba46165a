"""The final score: tickets, the longest path and the placements."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from roundhouse.rules.board import Board, Route, Ticket
from roundhouse.rules.ruleset import RuleSet, TieBreak
from roundhouse.rules.trail import longest_trail


@dataclass(frozen=True, slots=True)
class Standing:
    """State how one seat ended, with the parts of its score.

    `placement` counts from 1; ties share one and the next is skipped, as in 1, 1, 3 (R-21).
    """

    seat: int
    placement: int
    total: int
    route_points: int
    ticket_points: int
    tickets_completed: int
    tickets_failed: int
    longest_path: int
    longest_bonus: int
    routes_claimed: int
    trains_left: int
    forfeited: bool
    tickets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Collect what the score of one seat is made from.

    `forfeit_order` is 0 for a seat that finished; 1 left first, and seats that left in the same
    opening decision share a number.
    """

    routes: tuple[int, ...]
    tickets: tuple[int, ...]
    route_points: int
    trains_left: int
    forfeit_order: int


def longest_path(board: Board, route_ids: Iterable[int]) -> int:
    """Return the length of the longest continuous path over these routes, exactly (R-19)."""
    routes = [board.route(route_id) for route_id in route_ids]
    return longest_trail(
        [(board.city(r.city_a).id, board.city(r.city_b).id, r.length) for r in routes]
    )


def is_connected(ticket: Ticket, routes: Sequence[Route]) -> bool:
    """Tell whether routes connect the two cities of a ticket (R-18)."""
    reached = {ticket.city_a}
    grew = True
    while grew and ticket.city_b not in reached:
        grew = False
        for route in routes:
            if (route.city_a in reached) != (route.city_b in reached):
                reached |= {route.city_a, route.city_b}
                grew = True
    return ticket.city_b in reached


def score(rules: RuleSet, results: Sequence[SeatResult]) -> tuple[Standing, ...]:
    """Return the standings by seat, as the game stands."""
    standings = _award_longest_path(
        rules, [_score_alone(rules, seat, result) for seat, result in enumerate(results)]
    )
    keys = [
        _rank_key(rules, standing, result)
        for standing, result in zip(standings, results, strict=True)
    ]
    # a placement is one more than the number of seats that did better.
    return tuple(
        replace(standing, placement=1 + sum(other > key for other in keys))
        for standing, key in zip(standings, keys, strict=True)
    )


def _score_alone(rules: RuleSet, seat: int, result: SeatResult) -> Standing:
    """Score what does not depend on the other seats; placement and bonus are left open."""
    routes = [rules.board.route(route_id) for route_id in result.routes]
    by_id = {ticket.id: ticket for ticket in rules.tickets}
    tickets = [by_id[ticket_id] for ticket_id in result.tickets]
    done = [ticket for ticket in tickets if is_connected(ticket, routes)]
    # plus its value, else minus.
    ticket_points = 2 * sum(t.value for t in done) - sum(t.value for t in tickets)
    return Standing(
        seat=seat,
        placement=0,
        total=result.route_points + ticket_points,
        route_points=result.route_points,
        ticket_points=ticket_points,
        tickets_completed=len(done),
        tickets_failed=len(tickets) - len(done),
        longest_path=longest_path(rules.board, result.routes),
        longest_bonus=0,
        routes_claimed=len(routes),
        trains_left=result.trains_left,
        forfeited=result.forfeit_order > 0,
        tickets=result.tickets,
    )


def _award_longest_path(rules: RuleSet, standings: Sequence[Standing]) -> list[Standing]:
    # every seat tied for the longest; R-24: a seat that forfeited takes no part.
    longest = max((s.longest_path for s in standings if not s.forfeited), default=0)
    bonus = rules.longest_path_bonus if longest > 0 else 0
    return [
        replace(s, longest_bonus=bonus, total=s.total + bonus)
        if s.longest_path == longest and not s.forfeited
        else s
        for s in standings
    ]


def _rank_key(rules: RuleSet, standing: Standing, result: SeatResult) -> tuple[int, ...]:
    """Return a key that is higher for a better placement and equal for a shared one."""
    if standing.forfeited:
        # below everybody who finished; who left first is last; no score, no tie-breaks.
        return (0, result.forfeit_order)
    parts = {
        TieBreak.TICKETS_COMPLETED: standing.tickets_completed,
        TieBreak.LONGEST_PATH: standing.longest_bonus,
        TieBreak.ROUTES_CLAIMED: standing.routes_claimed,
    }
    return (1, standing.total, *(parts[name] for name in rules.tie_breaks))
