"""The referee's server: its addresses, its signals, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from typing import TYPE_CHECKING

import grpc

from referee.bearer import RequireToken
from referee.isolation import Isolation
from referee.service import MatchService
from roundhouse.address import reason_of
from roundhouse.api.referee.v1.match_pb2_grpc import add_MatchServiceServicer_to_server
from roundhouse.package import MAX_ARCHIVE_BYTES

if TYPE_CHECKING:
    from referee.settings import RefereeSettings
    from roundhouse.address import Address

MOST_SEATS = 5
MOST_REQUEST_BYTES = MOST_SEATS * MAX_ARCHIVE_BYTES + 1024 * 1024
"""Five archives, and room for the rest of a lane."""
STOP_SECONDS = 5.0
"""gRPC's `stop` does not always return; what it would wait for ends with the process."""
OPTIONS = (
    ("grpc.max_receive_message_length", MOST_REQUEST_BYTES),
    ("grpc.so_reuseport", 0),  # else a second referee would silently share the port
)

log = logging.getLogger(__name__)


class AddressError(Exception):
    """Nobody can listen there; the message is a sentence for whoever started us."""


async def serve(settings: RefereeSettings) -> None:
    """Serve until SIGTERM or SIGINT, then end every lane with its bots.

    Raises:
        AddressError: nobody can listen on one of the addresses.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    isolation = await Isolation.find(settings.sandbox)
    if stopped.is_set():
        return
    service = MatchService(settings, isolation)
    token = settings.service_token
    server = grpc.aio.server(
        interceptors=() if token is None else (RequireToken(token),), options=OPTIONS
    )
    add_MatchServiceServicer_to_server(service, server)
    ours: list[Address] = []
    try:
        for address in settings.listen:
            _listen(server, address)
            ours.append(address)
        await server.start()
        log.info(
            "Refereeing up to %d lanes on %s (sandbox: %s).",
            settings.lanes,
            ", ".join(str(address) for address in settings.listen),
            isolation.host.driver if isolation.lack is None else "none",
        )
        if isolation.lack is not None:
            log.warning("%s", isolation.refusal(is_rated=False, needs_meter=False))
        await stopped.wait()
    finally:
        # Begun first, so that no new call comes in; it returns once the calls have, which end with
        # their lanes and tell their callers so. A `stop` that is cancelled would be tried again
        # when the loop has gone.
        stopping = asyncio.ensure_future(server.stop(STOP_SECONDS))
        await service.stop()
        await asyncio.wait({stopping}, timeout=2 * STOP_SECONDS)
        for address in ours:
            if address.path is not None:
                address.path.unlink(missing_ok=True)


def _listen(server: grpc.aio.Server, address: Address) -> None:
    try:
        address.clear()
    except OSError as error:
        raise _not_to_be_had(address, reason_of(error)) from error
    # Nobody but us may dial the socket, from the moment at which it exists.
    mask = os.umask(0o177)
    try:
        server.add_insecure_port(str(address))
    except RuntimeError as error:  # gRPC's only word for whatever went wrong
        raise _not_to_be_had(address, str(error)) from error
    finally:
        os.umask(mask)


def _not_to_be_had(address: Address, reason: str) -> AddressError:
    return AddressError(
        f"The referee cannot listen on {address} ({reason}); free it, or set"
        " ROUNDHOUSE_REFEREE_LISTEN to another address."
    )
