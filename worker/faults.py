"""Whose fault it is when a call does not succeed, and so what to do about it.

A seat's own fault is no failure here: it comes as a finished game with a forfeit, and is recorded.
"""

from __future__ import annotations

from enum import Enum

import grpc


class Fault(Enum):
    """What stood in the way of a lane."""

    BUSY = "busy"
    """All lanes of the referee are taken. Ask another one, or later."""
    MACHINE = "machine"
    """That machine's, or the network's. Ask another referee, or later."""
    UNFIT = "unfit"
    """The games are rated and that machine has no sandbox. Ask another referee."""
    OURS = "ours"
    """Our own: the same request would fail everywhere. Somebody must look at it."""


_OF_REFEREE = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: Fault.BUSY,
    grpc.StatusCode.FAILED_PRECONDITION: Fault.UNFIT,
    grpc.StatusCode.INVALID_ARGUMENT: Fault.OURS,
    grpc.StatusCode.UNAUTHENTICATED: Fault.OURS,
    grpc.StatusCode.PERMISSION_DENIED: Fault.OURS,
    grpc.StatusCode.UNIMPLEMENTED: Fault.OURS,
}
"""Every other code is the machine's: a referee that is away, stops or fails."""

_AWAY = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}


def of_referee(error: grpc.RpcError) -> Fault:
    """Return whose fault it is that a referee did not play a lane."""
    return _OF_REFEREE.get(error.code(), Fault.MACHINE)


def is_away(error: grpc.RpcError) -> bool:
    """Say whether the other side could not be reached, so that the same call may succeed later."""
    return error.code() in _AWAY


def describe(error: grpc.RpcError) -> str:
    """Return the code and the sentence that came with it."""
    return f"{error.code().name}: {error.details() or 'no details'}"
