"""The final score: tickets, the longest path and the placements."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from roundhouse.rules.board import Board
from roundhouse.rules.ruleset import RuleSet, TieBreak
from roundhouse.rules.standing import SeatResult, Standing
from roundhouse.rules.tables import Tables, tables_of
from roundhouse.rules.trail import join_cities, longest_trail


def longest_path(board: Board, route_ids: Iterable[int]) -> int:
    """Return the length of the longest continuous path over these routes, exactly (R-19)."""
    routes = [board.route(route_id) for route_id in route_ids]
    return longest_trail(
        [(board.city(r.city_a).id, board.city(r.city_b).id, r.length) for r in routes]
    )


def completed(tables: Tables, tickets: Iterable[int], route_ids: Iterable[int]) -> set[int]:
    """Return those of the tickets whose cities these routes connect (R-18)."""
    parts = join_cities([tables.edges[route_id] for route_id in route_ids])
    done = set()
    for ticket in tickets:
        ends = tables.ticket_ends[ticket]
        if any([part & ends == ends for part in parts]):  # noqa: C419 - a list is faster than a generator
            done.add(ticket)
    return done


def score(rules: RuleSet, results: Sequence[SeatResult]) -> tuple[Standing, ...]:
    """Return the standings by seat, as the game stands."""
    standings = [_score_alone(rules, seat, results) for seat in range(len(results))]
    standings = _award_longest_path(rules, standings)
    standings = _award_most_tickets(rules, standings)
    sides: list[tuple[int, ...]] = [(seat,) for seat in range(len(results))]
    if rules.teams:  # V-7
        sides = [(seat, partner_of(seat)) for seat in range(len(results))]
        totals = [sum(standings[seat].total for seat in side) for side in sides]
        standings = [replace(s, team_total=t) for s, t in zip(standings, totals, strict=True)]
    keys = [_rank_key(rules, [(standings[s], results[s]) for s in side]) for side in sides]
    # a placement is one more than the number of seats that did better.
    return tuple(
        replace(standing, placement=1 + sum(other > key for other in keys))
        for standing, key in zip(standings, keys, strict=True)
    )


def partner_of(seat: int) -> int:
    """Return the other seat of the team: 0 and 2 play against 1 and 3 (V-7)."""
    return (seat + 2) % 4


def has_completed_all(rules: RuleSet, tickets: Sequence[int], owners: Sequence[int | None]) -> bool:
    """Tell whether the routes that are owned, by whomever, connect all these tickets (V-8)."""
    owned = [route_id for route_id, owner in enumerate(owners) if owner is not None]
    return len(completed(tables_of(rules), tickets, owned)) == len(tickets)


def _score_alone(rules: RuleSet, seat: int, results: Sequence[SeatResult]) -> Standing:
    """Score what does not depend on the others' scores; placement and bonuses are left open."""
    result = results[seat]
    route_ids = result.routes
    if rules.shared_network:  # V-7: the partners' routes count together for tickets
        route_ids += results[partner_of(seat)].routes
    tables = tables_of(rules)
    done = completed(tables, result.tickets, route_ids)
    # plus its value, else minus; V-1: else nothing.
    otherwise = 0 if rules.unfinished_tickets_score_zero else -1
    ticket_points = 0
    for ticket in result.tickets:
        ticket_points += tables.ticket_values[ticket] * (1 if ticket in done else otherwise)
    return Standing(
        seat=seat,
        placement=0,
        total=result.route_points + ticket_points,
        route_points=result.route_points,
        ticket_points=ticket_points,
        tickets_completed=len(done),
        tickets_failed=len(result.tickets) - len(done),
        longest_path=longest_trail([tables.edges[route_id] for route_id in result.routes]),
        longest_bonus=0,
        routes_claimed=len(result.routes),
        trains_left=result.trains_left,
        forfeited=result.forfeit_order > 0,
        tickets=result.tickets,
    )


def _award_longest_path(rules: RuleSet, standings: Sequence[Standing]) -> list[Standing]:
    # every seat tied for the longest; R-24: a seat that forfeited takes no part.
    longest = max((s.longest_path for s in standings if not s.forfeited), default=0)
    bonus = rules.longest_path_bonus if longest > 0 else 0
    if not bonus:
        return list(standings)
    return [
        replace(s, longest_bonus=bonus, total=s.total + bonus)
        if s.longest_path == longest and not s.forfeited
        else s
        for s in standings
    ]


def _award_most_tickets(rules: RuleSet, standings: Sequence[Standing]) -> list[Standing]:
    # every seat tied for most completed tickets, if it completed one; R-24 as above.
    most = max((s.tickets_completed for s in standings if not s.forfeited), default=0)
    bonus = rules.most_tickets_bonus if most > 0 else 0
    if not bonus:
        return list(standings)
    return [
        replace(s, tickets_bonus=bonus, total=s.total + bonus)
        if s.tickets_completed == most and not s.forfeited
        else s
        for s in standings
    ]


def _rank_key(rules: RuleSet, side: Sequence[tuple[Standing, SeatResult]]) -> tuple[int, ...]:
    """Return a key that is higher for a better placement and equal for a shared one.

    A side is one seat, or the two of a team, whose numbers count together (V-7).
    """
    left = [result.forfeit_order for standing, result in side if standing.forfeited]
    if left:
        # below everybody who finished; who left first is last; no score, no tie-breaks.
        return (0, min(left))
    parts = {
        TieBreak.TICKETS_COMPLETED: sum(standing.tickets_completed for standing, _ in side),
        TieBreak.LONGEST_PATH: sum(standing.longest_bonus for standing, _ in side),
        TieBreak.ROUTES_CLAIMED: sum(standing.routes_claimed for standing, _ in side),
    }
    total = sum(standing.total for standing, _ in side)
    return (1, total, *(parts[name] for name in rules.tie_breaks))
