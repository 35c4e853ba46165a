"""What goes over a bot's stream, as bytes: messages out of values, and answers out of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from roundhouse.api.referee.v1.play_pb2 import (
    GameOver,
    GameStarted,
    PlayRequest,
    PlayResponse,
)
from roundhouse.codec import (
    ProtocolError,
    decode_action,
    encode_board,
    encode_events,
    encode_rules,
    encode_standing,
    encode_time_control,
    serialise_decision,
)
from roundhouse.rules import commitment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.decision import Decision as OpenDecision
    from roundhouse.rules import Action, Event, RuleSet, Standing
    from roundhouse.timecontrol import TimeControl

MOST_ANSWER_BYTES = 64 * 1024
"""The largest answer that makes sense has about a hundred bytes; a newer SDK may add to it."""


def write_game_started(
    game_id: str, rules: RuleSet, seats: int, control: TimeControl, seed: bytes
) -> list[bytes]:
    """Return the message for each seat."""
    message = GameStarted(
        game_id=game_id,
        rules=encode_rules(rules),
        board=encode_board(rules),
        seats=seats,
        time_control=encode_time_control(control),
        seed_commitment=commitment(seed),
    )
    messages = []
    for seat in range(seats):
        message.seat = seat
        messages.append(PlayResponse(game_started=message).SerializeToString())
    return messages


def write_decision(decision: OpenDecision) -> bytes:
    """Return the message that asks for an answer."""
    return serialise_decision(
        decision.decision_id,
        events=decision.events,
        observation=decision.observation,
        legal_actions=decision.legal_actions,
        time_left=decision.time_left,
        bank=decision.bank,
    )


def write_game_over(game_id: str, events: Iterable[Event], standings: Iterable[Standing]) -> bytes:
    """Return the message for a seat that saw the game to its end."""
    return PlayResponse(
        game_over=GameOver(
            game_id=game_id,
            events=encode_events(events),
            standings=[encode_standing(standing) for standing in standings],
        )
    ).SerializeToString()


def read_answer(message: bytes) -> tuple[int, Action]:
    """Return which decision is answered, and with what.

    Raises:
        ProtocolError: the message is not an answer with an action; the sentence says what it is.
    """
    if len(message) > MOST_ANSWER_BYTES:
        raise ProtocolError(
            f"It sent a message of {len(message)} bytes; the most is {MOST_ANSWER_BYTES}."
        )
    try:
        request = PlayRequest.FromString(message)
    except DecodeError as error:
        raise ProtocolError("It sent a message that is not a PlayRequest.") from error
    match request.WhichOneof("kind"):
        case "answer":
            return request.answer.decision_id, decode_action(request.answer.action)
        case "hello":
            raise ProtocolError("It sent a second Hello.")
        case _:
            raise ProtocolError("It sent a message that is empty or of an unknown kind.")


def answered_decision(message: bytes) -> int:
    """Return the decision that a message answers, whatever else it holds; 0 if it answers none."""
    try:
        return PlayRequest.FromString(message).answer.decision_id
    except DecodeError:
        return 0
