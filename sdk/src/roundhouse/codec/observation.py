"""What one seat may know now. It is built at every decision, so its parts are cached by value."""

from functools import lru_cache

from roundhouse.api.game.v1 import action_pb2, observation_pb2
from roundhouse.codec.actions import decode_keep, encode_keep
from roundhouse.codec.cards import decode_card, decode_counts, encode_card, encode_counts
from roundhouse.errors import ProtocolError
from roundhouse.rules import (
    FinalRoundStatus,
    KeepTickets,
    KnownTicket,
    Observation,
    Phase,
    PublicPlayer,
    RuleSet,
)

_PHASES = {phase.value: phase for phase in Phase}  # the numbers are the wire's
_MAX_SEATS = 5


def encode_observation(observation: Observation) -> observation_pb2.Observation:
    """Return the message for an observation. Equal observations give equal bytes."""
    return observation_pb2.Observation(
        seat=observation.seat,
        seats=observation.seats,
        phase=_WIRE_PHASES[observation.phase],
        turn_seat=observation.turn_seat,
        turn_number=observation.turn_number,
        hand=encode_counts(observation.hand),
        tickets=observation.tickets,
        offer=observation.offer,
        display=[encode_card(card) for card in observation.display],
        deck_size=observation.deck_size,
        discard=encode_counts(observation.discard),
        ticket_deck_size=observation.ticket_deck_size,
        route_owners=[
            _encode_owner(route_id, seat)
            for route_id, seat in enumerate(observation.route_owner)
            if seat is not None
        ],
        players=[_encode_player(player) for player in observation.players],
        known_tickets=[
            observation_pb2.KnownTicket(position=known.position, ticket_id=known.ticket_id)
            for known in observation.known_tickets
        ],
        final_round=_encode_final_round(observation.final_round),
        shuffles=observation.shuffles,
        passes_in_a_row=observation.passes_in_a_row,
        deck_pool=encode_counts(observation.deck_pool),
        answer=_encode_answer(observation.answer),
    )


def decode_observation(message: observation_pb2.Observation, rules: RuleSet) -> Observation:
    """Return the observation of a game by these rules.

    Raises `ProtocolError` when the phase is unknown, a seat, route or card does not exist, or the
    public part is not that of every seat.
    """
    phase = _PHASES.get(message.phase)
    if phase is None:
        raise ProtocolError(f"The observation has the unknown phase {message.phase}.")
    seats = message.seats
    if not message.seat < seats <= _MAX_SEATS or len(message.players) != seats:
        raise ProtocolError(
            f"The observation of seat {message.seat} shows {len(message.players)} of {seats} seats."
        )
    owners: list[int | None] = [None] * (len(rules.board.routes) + 1)
    for owner in message.route_owners:
        if not 0 < owner.route_id < len(owners) or owner.seat >= seats:
            raise ProtocolError(
                f"The observation gives route {owner.route_id} to seat {owner.seat}."
            )
        owners[owner.route_id] = owner.seat
    last = message.final_round
    return Observation(
        rules=rules,
        seat=message.seat,
        seats=seats,
        phase=phase,
        turn_seat=message.turn_seat,
        turn_number=message.turn_number,
        hand=decode_counts(message.hand),
        tickets=tuple(message.tickets),
        offer=tuple(message.offer),
        display=tuple([decode_card(card) for card in message.display]),
        deck_size=message.deck_size,
        discard=decode_counts(message.discard),
        ticket_deck_size=message.ticket_deck_size,
        route_owner=tuple(owners),
        players=tuple([_decode_player(player) for player in message.players]),
        known_tickets=tuple(
            [KnownTicket(known.position, known.ticket_id) for known in message.known_tickets]
        ),
        final_round=FinalRoundStatus(last.trigger_seat, last.turns_left)
        if message.HasField("final_round")
        else None,
        shuffles=message.shuffles,
        passes_in_a_row=message.passes_in_a_row,
        deck_pool=decode_counts(message.deck_pool),
        answer=decode_keep(message.answer) if message.HasField("answer") else None,
    )


_WIRE_PHASES = {phase: observation_pb2.Phase.Value(f"PHASE_{phase.name}") for phase in Phase}


@lru_cache(maxsize=1024)  # every route of a board with each of its owners
def _encode_owner(route_id: int, seat: int) -> observation_pb2.RouteOwner:
    return observation_pb2.RouteOwner(route_id=route_id, seat=seat)


@lru_cache(maxsize=1024)  # of all seats only one has changed since the last decision
def _encode_player(player: PublicPlayer) -> observation_pb2.PublicPlayer:
    return observation_pb2.PublicPlayer(
        trains=player.trains,
        hand_size=player.hand_size,
        ticket_count=player.ticket_count,
        route_points=player.route_points,
        forfeited=player.forfeited,
        known_hand=encode_counts(player.known_hand),
        offer_size=player.offer_size,
        forfeit_order=player.forfeit_order,
    )


def _decode_player(message: observation_pb2.PublicPlayer) -> PublicPlayer:
    return PublicPlayer(
        trains=message.trains,
        hand_size=message.hand_size,
        ticket_count=message.ticket_count,
        route_points=message.route_points,
        forfeited=message.forfeited,
        known_hand=decode_counts(message.known_hand),
        offer_size=message.offer_size,
        forfeit_order=message.forfeit_order,
    )


def _encode_final_round(
    status: FinalRoundStatus | None,
) -> observation_pb2.FinalRoundStatus | None:
    if status is None:
        return None
    return observation_pb2.FinalRoundStatus(
        trigger_seat=status.trigger_seat, turns_left=status.turns_left
    )


def _encode_answer(answer: KeepTickets | None) -> action_pb2.KeepTickets | None:
    return None if answer is None else encode_keep(answer)
