"""The gRPC server: threads over a synchronous store.

A call is a few milliseconds of SQL, or a long wait for a smoke game; both are what threads are for,
and SQLAlchemy's asyncio form would add a greenlet to each statement for nothing.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import grpc

from ladder.errors import SettingsError
from ladder.service.dispatch import DispatchService
from ladder.service.errors import ErrorTranslator
from ladder.service.ladder import LadderService
from ladder.service.token import TokenGuard
from ladder.settings import Settings
from ladder.smoke import MAX_WAITING, SmokeTest
from ladder.store.database import Database
from roundhouse.address import Address, reason_of
from roundhouse.api.ladder.v1 import dispatch_pb2_grpc, ladder_pb2_grpc

GRACE = timedelta(seconds=5)
"""How long running calls may take to end when the server stops."""
MAX_MESSAGE_BYTES = 32 * 1024 * 1024
"""A plan has 20 MB at most, and an archive 8."""
_THREADS = MAX_WAITING + 16  # submissions that wait must not keep workers from recording

_log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """Read the clock; the only place where the ladder does."""
    return datetime.now(UTC)


class LadderServer:
    """Both services on all addresses of the settings."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._smoke = SmokeTest(settings.referee_targets, settings.service_token)
        interceptors: list[grpc.ServerInterceptor] = [ErrorTranslator()]
        if settings.service_token:
            interceptors.append(TokenGuard(settings.service_token))
        self._server = grpc.server(
            ThreadPoolExecutor(_THREADS, thread_name_prefix="ladder"),
            interceptors=interceptors,
            options=(
                ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
                ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
                ("grpc.so_reuseport", 0),  # a second ladder on the same port is a mistake
            ),
        )
        ladder_pb2_grpc.add_LadderServiceServicer_to_server(
            LadderService(database, self._smoke, now, anchor=settings.anchor_bot), self._server
        )
        dispatch_pb2_grpc.add_DispatchServiceServicer_to_server(
            DispatchService(database, now), self._server
        )
        self.addresses = tuple(self._bind(address) for address in settings.listen)

    def start(self) -> None:
        """Begin to answer."""
        self._server.start()
        for address in self.addresses:
            _log.info("gRPC on %s", address)

    def stop(self) -> None:
        """Take no more calls, let the running ones end, and return when they have."""
        self._smoke.stop()
        self._server.stop(GRACE.total_seconds()).wait()

    def _bind(self, address: Address) -> Address:
        try:
            address.clear()
            port = self._server.add_insecure_port(str(address))
        except OSError as error:
            raise _not_to_be_had(address, reason_of(error)) from error
        except RuntimeError as error:  # somebody was faster
            raise _not_to_be_had(address, str(error)) from error
        if address.path is not None:
            return address
        return Address.at(address.host, port)  # port 0 takes a free one


def _not_to_be_had(address: Address, reason: str) -> SettingsError:
    return SettingsError(
        f"The ladder cannot listen on {address} ({reason}); free it, or set "
        "ROUNDHOUSE_LADDER_LISTEN to another address."
    )
