"""Whose fault it was, and which: forfeits are a seat's own, aborts are ours."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.codec import encode_duration


class ForfeitReason(Enum):
    """A seat's own fault that ended its game. Such a game is rated."""

    TIME = verdict_pb2.FORFEIT_REASON_TIME
    """It used more time than it had."""
    ILLEGAL_ACTION = verdict_pb2.FORFEIT_REASON_ILLEGAL_ACTION
    """It answered with an action that is not legal."""
    CRASH = verdict_pb2.FORFEIT_REASON_CRASH
    """Its process ended."""
    DISCONNECT = verdict_pb2.FORFEIT_REASON_DISCONNECT
    """It closed the stream while its process lived, or never opened it."""
    PROTOCOL = verdict_pb2.FORFEIT_REASON_PROTOCOL
    """It sent something that the protocol does not allow."""
    RESOURCE = verdict_pb2.FORFEIT_REASON_RESOURCE
    """It used more memory or processes than it may."""


class AbortReason(Enum):
    """A fault of ours. Such a game is never rated, and is played again."""

    SANDBOX = verdict_pb2.ABORT_REASON_SANDBOX
    """A sandbox could not be started."""
    STOPPED = verdict_pb2.ABORT_REASON_STOPPED
    """The referee was stopped."""
    OVERLOAD = verdict_pb2.ABORT_REASON_OVERLOAD
    """The machine was too busy to hold a bot's time against it."""
    INTERNAL = verdict_pb2.ABORT_REASON_INTERNAL
    """The referee failed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a seat did wrong, before it is known which decision it cost."""

    reason: ForfeitReason
    sentence: str
    exit_code: int | None = None
    """The exit code of its process, when that ended; negative for a signal."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A fault with its evidence: the decision that was open, and the time that it had and used."""

    seat: int
    fault: Fault
    decision_id: int = 0
    """The decision that was open, or 0."""
    limit: timedelta = timedelta(0)
    used: timedelta = timedelta(0)

    def encode(self, output_tail: bytes = b"") -> verdict_pb2.Forfeit:
        """Return the message, with the bot's output for its owner alone."""
        return verdict_pb2.Forfeit(
            seat=self.seat,
            reason=self.fault.reason.value,
            sentence=self.fault.sentence,
            decision_id=self.decision_id,
            limit=encode_duration(self.limit),
            used=encode_duration(self.used),
            exit_code=self.fault.exit_code,
            output_tail=output_tail,
        )


class AbortError(Exception):
    """A game that cannot be played to its end, by a fault of ours; the message says which."""

    def __init__(self, reason: AbortReason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
