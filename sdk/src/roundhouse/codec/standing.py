"""Final standings."""

from roundhouse.api.game.v1 import standing_pb2
from roundhouse.rules import Standing


def encode_standing(standing: Standing) -> standing_pb2.Standing:
    """Return the message for how a seat ended."""
    return standing_pb2.Standing(
        seat=standing.seat,
        placement=standing.placement,
        total=standing.total,
        route_points=standing.route_points,
        ticket_points=standing.ticket_points,
        tickets_completed=standing.tickets_completed,
        tickets_failed=standing.tickets_failed,
        longest_path=standing.longest_path,
        longest_path_bonus=standing.longest_bonus,
        routes_claimed=standing.routes_claimed,
        trains_left=standing.trains_left,
        forfeited=standing.forfeited,
        tickets=standing.tickets,
        tickets_bonus=standing.tickets_bonus,
        team_total=standing.team_total,
    )


def decode_standing(message: standing_pb2.Standing) -> Standing:
    """Return how a seat ended."""
    return Standing(
        seat=message.seat,
        placement=message.placement,
        total=message.total,
        route_points=message.route_points,
        ticket_points=message.ticket_points,
        tickets_completed=message.tickets_completed,
        tickets_failed=message.tickets_failed,
        longest_path=message.longest_path,
        longest_bonus=message.longest_path_bonus,
        routes_claimed=message.routes_claimed,
        trains_left=message.trains_left,
        forfeited=message.forfeited,
        tickets=tuple(message.tickets),
        tickets_bonus=message.tickets_bonus,
        team_total=message.team_total,
    )
