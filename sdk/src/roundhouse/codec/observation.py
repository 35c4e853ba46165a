"""What one seat may know now. It is built at every decision, so its parts are cached by value."""

from functools import lru_cache

from roundhouse.api.game.v1 import action_pb2, observation_pb2
from roundhouse.codec.actions import decode_keep, encode_keep
from roundhouse.codec.cards import (
    decode_card,
    decode_counts,
    encode_card,
    encode_counts,
    serialise_counts,
)
from roundhouse.codec.fields import MessageField
from roundhouse.errors import ProtocolError
from roundhouse.rules import (
    FinalRoundStatus,
    KeepTickets,
    KnownTicket,
    MixedTickets,
    Observation,
    Phase,
    PublicPlayer,
    RuleSet,
)

_Message = observation_pb2.Observation
_PHASES = {phase.value: phase for phase in Phase}  # the numbers are the wire's
_MAX_SEATS = 5
# On the wire 0 is nobody, so that every seat's number is one higher.
_OWNERS: tuple[int | None, ...] = (None, *range(_MAX_SEATS))
_WIRE_OWNERS = {owner: number for number, owner in enumerate(_OWNERS)}


def encode_observation(observation: Observation) -> observation_pb2.Observation:
    """Return the message for an observation."""
    return _Message.FromString(serialise_observation(observation))


def serialise_observation(observation: Observation) -> bytes:
    """Return the bytes of the message for an observation. Equal observations give equal bytes."""
    numbers = _Message(
        seat=observation.seat,
        seats=observation.seats,
        phase=_WIRE_PHASES[observation.phase],
        turn_seat=observation.turn_seat,
        turn_number=observation.turn_number,
        tickets=observation.tickets,
        offer=observation.offer,
        display=[encode_card(card) for card in observation.display],
        deck_size=observation.deck_size,
        ticket_deck_size=observation.ticket_deck_size,
        known_tickets=[
            observation_pb2.KnownTicket(position=known.position, ticket_id=known.ticket_id)
            for known in observation.known_tickets
        ],
        final_round=_encode_final_round(observation.final_round),
        shuffles=observation.shuffles,
        passes_in_a_row=observation.passes_in_a_row,
        answer=_encode_answer(observation.answer),
        market=[ticket or 0 for ticket in observation.market],
        shown_offer=observation.shown_offer,
        mixed_tickets=_encode_mixed(observation.mixed_tickets),
    )
    return b"".join(
        (
            numbers.SerializeToString(),
            _HAND.write(serialise_counts(observation.hand)),
            _DISCARD.write(serialise_counts(observation.discard)),
            _DECK_POOL.write(serialise_counts(observation.deck_pool)),
            _write_owners(observation.route_owner),
            *[_write_player(player) for player in observation.players],
        )
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
    try:
        # A slice is read at once, and as bytes it is a key that is cheap to look up.
        route_owner = _read_owners(bytes(message.route_owners[:]), seats)
    except (LookupError, ValueError) as error:
        raise ProtocolError(
            "The observation gives a route to a seat that does not play."
        ) from error
    if len(route_owner) != len(rules.board.routes) + 1:
        raise ProtocolError(
            f"The observation has owners for {len(route_owner) - 1} routes; the board "
            f"{rules.board.name} has {len(rules.board.routes)}."
        )
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
        route_owner=route_owner,
        players=tuple([_read_player(one.SerializeToString()) for one in message.players]),
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
        market=tuple([ticket or None for ticket in message.market]),
        shown_offer=tuple(message.shown_offer),
        mixed_tickets=_decode_mixed(message.mixed_tickets)
        if message.HasField("mixed_tickets")
        else None,
    )


_WIRE_PHASES = {phase: observation_pb2.Phase.Value(f"PHASE_{phase.name}") for phase in Phase}
_HAND = MessageField(_Message, "hand")
_DISCARD = MessageField(_Message, "discard")
_DECK_POOL = MessageField(_Message, "deck_pool")
_ROUTE_OWNERS = MessageField(_Message, "route_owners")
_PLAYERS = MessageField(_Message, "players")


@lru_cache(maxsize=512)  # the same for all seats, and until the next claim
def _write_owners(route_owner: tuple[int | None, ...]) -> bytes:
    # A packed list of numbers below 128 is one byte for each of them.
    return _ROUTE_OWNERS.write(bytes([_WIRE_OWNERS[owner] for owner in route_owner[1:]]))


@lru_cache(maxsize=512)
def _read_owners(content: bytes, seats: int) -> tuple[int | None, ...]:
    owners = _OWNERS[: seats + 1]
    return (None, *[owners[number] for number in content])


@lru_cache(maxsize=1024)  # of all seats only one has changed since the last decision
def _write_player(player: PublicPlayer) -> bytes:
    message = observation_pb2.PublicPlayer(
        trains=player.trains,
        hand_size=player.hand_size,
        ticket_count=player.ticket_count,
        route_points=player.route_points,
        forfeited=player.forfeited,
        known_hand=encode_counts(player.known_hand),
        offer_size=player.offer_size,
        forfeit_order=player.forfeit_order,
        tickets=player.tickets,
        turns=player.turns,
    )
    return _PLAYERS.write(message.SerializeToString())


# Writing the message and looking its bytes up is faster than asking for all its fields.
@lru_cache(maxsize=1024)
def _read_player(content: bytes) -> PublicPlayer:
    message = observation_pb2.PublicPlayer.FromString(content)
    return PublicPlayer(
        trains=message.trains,
        hand_size=message.hand_size,
        ticket_count=message.ticket_count,
        route_points=message.route_points,
        forfeited=message.forfeited,
        known_hand=decode_counts(message.known_hand),
        offer_size=message.offer_size,
        forfeit_order=message.forfeit_order,
        tickets=tuple(message.tickets),
        turns=message.turns,
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


def _encode_mixed(mixed: MixedTickets | None) -> observation_pb2.MixedTickets | None:
    if mixed is None:
        return None
    return observation_pb2.MixedTickets(
        position=mixed.position, count=mixed.count, tickets=mixed.tickets
    )


def _decode_mixed(message: observation_pb2.MixedTickets) -> MixedTickets:
    return MixedTickets(message.position, message.count, tuple(message.tickets))
