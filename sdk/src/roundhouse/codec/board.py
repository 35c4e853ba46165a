"""The map and the tickets, which the wire carries for bots that have no rules engine."""

from collections.abc import Iterable
from itertools import chain

from roundhouse.api.game.v1 import board_pb2
from roundhouse.codec.cards import decode_card, encode_card
from roundhouse.errors import ProtocolError
from roundhouse.rules import Board, City, Route, RuleSet, Ticket


def encode_board(rules: RuleSet) -> board_pb2.Board:
    """Return the message for the map and the tickets of the rules."""
    board = rules.board
    return board_pb2.Board(
        name=board.name,
        cities=[board_pb2.City(id=c.id, name=c.name, x=c.x, y=c.y) for c in board.cities],
        routes=[
            board_pb2.Route(
                id=route.id,
                city_a=route.city_a,
                city_b=route.city_b,
                length=route.length,
                colour=encode_card(route.colour),
                lane=route.lane,
                sibling_id=route.sibling or 0,
            )
            for route in board.routes
        ],
        tickets=encode_tickets(rules.tickets),
    )


def encode_tickets(tickets: Iterable[Ticket]) -> list[board_pb2.Ticket]:
    """Return the messages for tickets, in order."""
    return [
        board_pb2.Ticket(id=t.id, city_a=t.city_a, city_b=t.city_b, value=t.value) for t in tickets
    ]


def decode_tickets(messages: Iterable[board_pb2.Ticket]) -> tuple[Ticket, ...]:
    """Return the tickets, which need not fit a board."""
    return tuple(Ticket(t.id, t.city_a, t.city_b, t.value) for t in messages)


def decode_board(message: board_pb2.Board) -> tuple[Board, tuple[Ticket, ...]]:
    """Return the map, without what is for drawing only, and the tickets.

    Raises `ProtocolError` when routes or tickets name cities that are not on it, or when routes are
    not numbered from 1.
    """
    names = {city.name for city in message.cities}
    ends = [(line.city_a, line.city_b) for line in message.routes]
    ends += [(ticket.city_a, ticket.city_b) for ticket in message.tickets]
    for name in chain.from_iterable(ends):
        if name not in names:
            raise ProtocolError(f"The board {message.name!r} has no city {name!r}.")
    for number, line in enumerate(message.routes, start=1):
        if line.id != number:
            raise ProtocolError(
                f"The board {message.name!r} numbers a route {line.id}, not {number}."
            )
    board = Board(
        name=message.name,
        cities=tuple(City(c.id, c.name, c.x, c.y) for c in message.cities),
        routes=tuple(
            Route(
                id=line.id,
                city_a=line.city_a,
                city_b=line.city_b,
                length=line.length,
                colour=decode_card(line.colour),
                lane=line.lane,
                sibling=line.sibling_id or None,
            )
            for line in message.routes
        ),
    )
    return board, decode_tickets(message.tickets)
