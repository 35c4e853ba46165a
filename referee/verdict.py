"""Whose fault it was, and which: forfeits are a seat's own, aborts are ours."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from roundhouse.api.game.v1 import observation_pb2, verdict_pb2
from roundhouse.codec import encode_duration
from roundhouse.rules import Phase

if TYPE_CHECKING:
    from google.protobuf.duration_pb2 import Duration

    from referee.sandbox.spec import Usage

NO_PHASE = observation_pb2.PHASE_UNSPECIFIED
_WIRE_PHASES = {phase: observation_pb2.Phase.Value(f"PHASE_{phase.name}") for phase in Phase}


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
    is_out_of_memory: bool = False
    """Whether the kernel ended its process at the memory limit."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the owner of a bot that forfeited gets to see, and nobody else."""

    output_tail: bytes = b""
    """The end of what it printed."""
    last_request: bytes = b""
    """The last decision that it was asked for, as it was sent; it holds the seat's cards."""
    usage: Usage | None = None
    """What its control group counted."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A fault with its evidence: the decision that was open, and the time that it had and used."""

    seat: int
    fault: Fault
    decision_id: int = 0
    """The decision that was open, or 0."""
    limit: timedelta = timedelta(0)
    used: timedelta = timedelta(0)
    margin: timedelta = timedelta(0)
    passed: timedelta = timedelta(0)
    """By the wall clock, however `used` is measured."""
    phase: Phase | None = None
    """In which the seat left."""

    def encode(self, evidence: Evidence | None = None) -> verdict_pb2.Forfeit:
        """Return the message, with the evidence for the bot's owner if it is given."""
        evidence = evidence or Evidence()
        return verdict_pb2.Forfeit(
            seat=self.seat,
            reason=self.fault.reason.value,
            sentence=self.fault.sentence,
            decision_id=self.decision_id,
            limit=encode_duration(self.limit),
            used=encode_duration(self.used),
            exit_code=self.fault.exit_code,
            output_tail=evidence.output_tail,
            margin=encode_duration(self.margin),
            passed=encode_duration(self.passed),
            phase=NO_PHASE if self.phase is None else _WIRE_PHASES[self.phase],
            last_request=evidence.last_request,
            out_of_memory=self.fault.is_out_of_memory,
            usage=None if evidence.usage is None else _encode_usage(evidence.usage),
        )


class AbortError(Exception):
    """A game that cannot be played to its end, by a fault of ours; the message says which."""

    def __init__(self, reason: AbortReason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


def _encode_usage(usage: Usage) -> verdict_pb2.BotUsage:
    return verdict_pb2.BotUsage(
        processor=_encode_seconds(usage.cpu_seconds),
        memory_peak=usage.memory_peak_bytes,
        memory_kills=usage.memory_kills,
        refused_processes=usage.refused_processes,
        withheld=_encode_seconds(usage.withheld_seconds),
        stalled=_encode_seconds(usage.stalled_seconds),
    )


def _encode_seconds(seconds: float | None) -> Duration | None:
    return None if seconds is None else encode_duration(timedelta(seconds=seconds))
