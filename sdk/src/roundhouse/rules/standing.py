"""How a seat ended: what its score is made from, and the score with its parts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """State how one seat ended, with the parts of its score.

    `placement` counts from 1; ties share one and the next is skipped, as in 1, 1, 3 (R-21).
    `tickets_bonus` is that for most completed tickets (R-27), and `team_total` the sum of both
    totals of a team, which decides its placement (V-7); 0 where the rules have none.
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
    tickets_bonus: int = 0
    team_total: int = 0


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
