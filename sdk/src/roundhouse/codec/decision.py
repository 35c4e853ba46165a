"""A decision as it is sent: everything that a seat gets at its turn, as bytes."""

from collections.abc import Iterable
from datetime import timedelta

from roundhouse.api.referee.v1 import play_pb2
from roundhouse.codec.actions import serialise_action
from roundhouse.codec.clock import encode_duration
from roundhouse.codec.events import serialise_event
from roundhouse.codec.fields import MessageField
from roundhouse.codec.observation import serialise_observation
from roundhouse.rules import Action, Event, Observation

_DECISION = MessageField(play_pb2.PlayResponse, "decision")
_EVENTS = MessageField(play_pb2.Decision, "events")
_OBSERVATION = MessageField(play_pb2.Decision, "observation")
_LEGAL_ACTIONS = MessageField(play_pb2.Decision, "legal_actions")


def serialise_decision(
    decision_id: int,
    *,
    events: Iterable[Event],
    observation: Observation,
    legal_actions: Iterable[Action],
    time_left: timedelta,
    bank: timedelta,
) -> bytes:
    """Return the bytes of the `PlayResponse` that asks for an answer.

    `events` are what the seat may see of what happened since its last decision.
    """
    head = play_pb2.Decision(
        decision_id=decision_id, time_left=encode_duration(time_left), bank=encode_duration(bank)
    )
    parts = [head.SerializeToString()]
    parts += [_EVENTS.write(serialise_event(event)) for event in events]
    parts.append(_OBSERVATION.write(serialise_observation(observation)))
    parts += [_LEGAL_ACTIONS.write(serialise_action(action)) for action in legal_actions]
    return _DECISION.write(b"".join(parts))
