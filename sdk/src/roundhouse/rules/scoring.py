"""The final score: tickets, the longest path and the placements."""

from collections.abc import Iterable, Sequence
from typing import Final

from roundhouse.rules.board import Board
from roundhouse.rules.networks import Network, join_networks
from roundhouse.rules.ruleset import RuleSet, TieBreak
from roundhouse.rules.standing import SeatResult, Standing
from roundhouse.rules.tables import Tables, tables_of
from roundhouse.rules.trail import longest_trail, longest_trail_in

# Names of their own spare the look-up in the enum, as in `phase`.
TICKETS_COMPLETED: Final = TieBreak.TICKETS_COMPLETED
LONGEST_PATH: Final = TieBreak.LONGEST_PATH


def longest_path(board: Board, route_ids: Iterable[int]) -> int:
    """Return the length of the longest continuous path over these routes, exactly (R-19)."""
    routes = [board.route(route_id) for route_id in route_ids]
    return longest_trail(
        [(board.city(r.city_a).id, board.city(r.city_b).id, r.length) for r in routes]
    )


class _Tally:
    """Add up the score of one seat."""

    __slots__ = (
        "forfeit_order",
        "longest_bonus",
        "longest_path",
        "result",
        "team_total",
        "ticket_points",
        "tickets_bonus",
        "tickets_completed",
        "total",
    )

    def __init__(self, result: SeatResult) -> None:
        self.result = result
        self.forfeit_order = result.forfeit_order
        self.ticket_points = 0
        self.tickets_completed = 0
        self.longest_path = 0
        self.longest_bonus = 0
        self.tickets_bonus = 0
        self.team_total = 0
        self.total = result.route_points


def completed(tables: Tables, tickets: Sequence[int], networks: Sequence[Network]) -> list[int]:
    """Return those of the tickets whose cities one of these networks connects (R-18)."""
    done: list[int] = []
    for ticket in tickets:
        ends = tables.ticket_ends[ticket]
        for network in networks:
            if network.cities & ends == ends:
                done.append(ticket)
                break
    return done


def score(rules: RuleSet, results: Sequence[SeatResult]) -> tuple[Standing, ...]:
    """Return the standings by seat, as the game stands."""
    tallies = [_score_alone(rules, seat, results) for seat in range(len(results))]
    _award_longest_path(rules, tallies)
    _award_most_tickets(rules, tallies)
    sides: list[list[_Tally]] = [[tally] for tally in tallies]
    if rules.teams:  # V-7
        sides = [[tally, tallies[partner_of(seat)]] for seat, tally in enumerate(tallies)]
        for tally, side in zip(tallies, sides, strict=True):
            tally.team_total = sum([member.total for member in side])
    keys = [_rank_key(rules, side) for side in sides]
    # a placement is one more than the number of seats that did better.
    return tuple(
        [
            _standing(seat, 1 + sum([other > key for other in keys]), tally)
            for seat, (tally, key) in enumerate(zip(tallies, keys, strict=True))
        ]
    )


def partner_of(seat: int) -> int:
    """Return the other seat of the team: 0 and 2 play against 1 and 3 (V-7)."""
    return (seat + 2) % 4


def has_completed_all(rules: RuleSet, tickets: Sequence[int], owners: Sequence[int | None]) -> bool:
    """Tell whether the routes that are owned, by whomever, connect all these tickets (V-8)."""
    tables = tables_of(rules)
    owned = [tables.edges[route_id] for route_id, owner in enumerate(owners) if owner is not None]
    return len(completed(tables, tickets, join_networks(owned))) == len(tickets)


def _score_alone(rules: RuleSet, seat: int, results: Sequence[SeatResult]) -> _Tally:
    """Score what does not depend on the others' scores; the bonuses are left open."""
    tally = _Tally(results[seat])
    tables = tables_of(rules)
    networks = join_networks([tables.edges[route_id] for route_id in tally.result.routes])
    tally.longest_path = longest_trail_in(networks)
    if rules.shared_network:  # V-7: the partners' routes count together for tickets
        together = tally.result.routes + results[partner_of(seat)].routes
        networks = join_networks([tables.edges[route_id] for route_id in together])
    tickets = tally.result.tickets
    done = completed(tables, tickets, networks)
    tally.tickets_completed = len(done)
    # plus its value, else minus; V-1: else nothing.
    points = sum([tables.ticket_values[ticket] for ticket in done])
    if not rules.unfinished_tickets_score_zero:
        points = 2 * points - sum([tables.ticket_values[ticket] for ticket in tickets])
    tally.ticket_points = points
    tally.total += points
    return tally


def _award_longest_path(rules: RuleSet, tallies: Sequence[_Tally]) -> None:
    # every seat tied for the longest; R-24: a seat that forfeited takes no part.
    longest = max([t.longest_path for t in tallies if not t.forfeit_order], default=0)
    for tally in tallies:
        if 0 < longest == tally.longest_path and not tally.forfeit_order:
            tally.longest_bonus = rules.longest_path_bonus
            tally.total += rules.longest_path_bonus


def _award_most_tickets(rules: RuleSet, tallies: Sequence[_Tally]) -> None:
    # every seat tied for most completed tickets, if it completed one; R-24 as above.
    most = max([t.tickets_completed for t in tallies if not t.forfeit_order], default=0)
    for tally in tallies:
        if 0 < most == tally.tickets_completed and not tally.forfeit_order:
            tally.tickets_bonus = rules.most_tickets_bonus
            tally.total += rules.most_tickets_bonus


def _rank_key(rules: RuleSet, side: Sequence[_Tally]) -> tuple[int, ...]:
    """Return a key that is higher for a better placement and equal for a shared one.

    A side is one seat, or the two of a team, whose numbers count together (V-7).
    """
    left = [tally.forfeit_order for tally in side if tally.forfeit_order]
    if left:
        # below everybody who finished; who left first is last; no score, no tie-breaks.
        return (0, min(left))
    key = [1, sum([tally.total for tally in side])]
    for tie_break in rules.tie_breaks:
        if tie_break is TICKETS_COMPLETED:
            key.append(sum([tally.tickets_completed for tally in side]))
        elif tie_break is LONGEST_PATH:
            key.append(sum([tally.longest_bonus for tally in side]))
        else:
            key.append(sum([len(tally.result.routes) for tally in side]))
    return tuple(key)


def _standing(seat: int, placement: int, tally: _Tally) -> Standing:
    result = tally.result
    return Standing(
        seat,
        placement,
        tally.total,
        result.route_points,
        tally.ticket_points,
        tally.tickets_completed,
        len(result.tickets) - tally.tickets_completed,
        tally.longest_path,
        tally.longest_bonus,
        len(result.routes),
        result.trains_left,
        result.forfeit_order > 0,
        result.tickets,
        tally.tickets_bonus,
        tally.team_total,
    )
