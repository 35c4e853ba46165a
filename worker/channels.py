"""Channels to the other services.

They are opened inside a task, never before a fork: a channel made earlier hangs the child
(grpc#13464).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import grpc

from roundhouse.channel import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

RETRIES = {
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.2s",
                "maxBackoff": "5s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}
"""Every call to the ladder may be repeated: what it changes is named by an identity."""


def open_ladder(target: str) -> grpc.Channel:
    """Return a channel to the ladder, which tries again where the ladder is away for a moment."""
    return _open(
        target,
        [("grpc.enable_retries", 1), ("grpc.service_config", json.dumps(RETRIES))],
    )


def open_referee(target: str) -> grpc.Channel:
    """Return a channel to a referee. It never tries again by itself: another one may be free."""
    return _open(target, [("grpc.enable_retries", 0)])


def _open(target: str, options: Sequence[tuple[str, str | int]]) -> grpc.Channel:
    return grpc.insecure_channel(
        target,
        options=[
            *OPTIONS,
            # Without this, channels to one target share a connection, and the back-off of one
            # that failed holds up the next task.
            ("grpc.use_local_subchannel_pool", 1),
            *options,
        ],
    )
