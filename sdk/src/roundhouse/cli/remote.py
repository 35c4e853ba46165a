"""Calls to the ladder and to a referee: channels, time limits, and what an answer's code means."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
import grpc

from roundhouse.address import LADDER
from roundhouse.api.ladder.v1.ladder_pb2_grpc import LadderServiceStub
from roundhouse.channel import OPTIONS, Metadata, authorization
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.verdict import OUTPUT_HEADING

CALL_SECONDS = 30.0
"""How long an ordinary call may take before we say that the ladder does not answer."""

SUBMIT_SECONDS = 330.0
"""A submission waits for a free referee and plays a game there, minutes long for a slow bot."""


@contextmanager
def open_ladder(target: str) -> Iterator[LadderServiceStub]:
    """Open a channel to the ladder. Its errors leave the block as `CommandError`."""
    if not target.strip():
        raise CommandError("The address of the ladder is empty; write HOST:PORT.", ExitCode.USAGE)
    with speak_plainly("ladder", target), grpc.insecure_channel(target, OPTIONS) as channel:
        yield LadderServiceStub(channel)


@contextmanager
def speak_plainly(service: str, target: str) -> Iterator[None]:
    """Turn the gRPC errors of a block into one sentence each."""
    try:
        yield
    except grpc.RpcError as error:
        _, heading, output = (error.details() or "").partition(OUTPUT_HEADING)
        raise CommandError(
            sentence_of(error, service, target), evidence=f"{heading}{output}".strip()
        ) from error


def sentence_of(error: grpc.RpcError, service: str, target: str) -> str:
    """Say what a failed call means for the caller.

    The services answer with a sentence of their own, which stands as it is. Only what they could
    not say themselves is worded here. What a bot printed is left out.
    """
    said = (error.details() or "").partition(OUTPUT_HEADING)[0]
    code, details = error.code(), " ".join(said.split())
    start = {"ladder": "python -m ladder up", "referee": "python -m referee serve"}[service]
    match code:
        case grpc.StatusCode.UNAVAILABLE if not details.endswith("."):
            # A service that lacks something says so in a sentence; these are gRPC's own words.
            return f"No {service} answers at {target}: start one with `{start}`."
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return (
                f"The {service} at {target} did not answer in time; try again when it is less busy."
            )
        case grpc.StatusCode.UNIMPLEMENTED:
            return f"What answers at {target} is not a {service} of this version: {details}"
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
            return (
                f"The {service} at {target} refused the call: {details} "
                "(the token is read from ROUNDHOUSE_SERVICE_TOKEN)."
            )
        case grpc.StatusCode.INTERNAL | grpc.StatusCode.UNKNOWN | grpc.StatusCode.DATA_LOSS:
            return f"The {service} at {target} failed: {details or code.name}; its log says more."
        case _:
            return details or f"The {service} at {target} answered {code.name}."


def service_metadata() -> Metadata:
    """Return the credentials of an internal call, from ROUNDHOUSE_SERVICE_TOKEN."""
    return authorization(os.environ.get("ROUNDHOUSE_SERVICE_TOKEN", "").strip())


def ladder_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--ladder` to a command."""
    return click.option(
        "--ladder",
        "target",
        metavar="HOST:PORT",
        envvar="ROUNDHOUSE_LADDER_TARGET",
        default=LADDER,
        show_default=True,
        show_envvar=True,
        help="The ladder to call.",
    )(command)
