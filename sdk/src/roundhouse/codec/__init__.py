"""Translate between the values of the rules and the messages of the wire.

Nothing else in the project does. Decoding raises `ProtocolError` for a message that means nothing:
an empty or unknown `oneof`, a card that does not exist. Whether an action is legal is the engine's
business, not the codec's.

Messages that `encode_action`, `encode_counts` and `encode_rules` return are shared: put them into
other messages, which copies them, and never change them.
"""

from roundhouse.codec.actions import decode_action, encode_action, encode_actions
from roundhouse.codec.board import decode_board, decode_tickets, encode_board, encode_tickets
from roundhouse.codec.cards import decode_card, decode_counts, encode_card, encode_counts
from roundhouse.codec.clock import (
    decode_duration,
    decode_measure,
    decode_time_control,
    decode_timestamp,
    encode_duration,
    encode_time_control,
    encode_timestamp,
)
from roundhouse.codec.decision import serialise_decision
from roundhouse.codec.events import decode_event, decode_events, encode_event, encode_events
from roundhouse.codec.observation import decode_observation, encode_observation
from roundhouse.codec.ruleset import decode_rules, encode_rules, name_rules
from roundhouse.codec.standing import decode_standing, encode_standing
from roundhouse.errors import ProtocolError

__all__ = [
    "ProtocolError",
    "decode_action",
    "decode_board",
    "decode_card",
    "decode_counts",
    "decode_duration",
    "decode_event",
    "decode_events",
    "decode_measure",
    "decode_observation",
    "decode_rules",
    "decode_standing",
    "decode_tickets",
    "decode_time_control",
    "decode_timestamp",
    "encode_action",
    "encode_actions",
    "encode_board",
    "encode_card",
    "encode_counts",
    "encode_duration",
    "encode_event",
    "encode_events",
    "encode_observation",
    "encode_rules",
    "encode_standing",
    "encode_tickets",
    "encode_time_control",
    "encode_timestamp",
    "name_rules",
    "serialise_decision",
]
