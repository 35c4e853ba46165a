"""Which calls are for workers alone, and how they show it."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any, NoReturn

import grpc

from ladder.errors import UnauthenticatedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.service.errors import Handler

_PACKAGE = "/roundhouse.api.ladder.v1."
_GUARDED_SERVICES = (f"{_PACKAGE}DispatchService/",)
_GUARDED_METHODS = frozenset(
    {f"{_PACKAGE}LadderService/RecordGame", f"{_PACKAGE}LadderService/RecordAbort"}
)


class TokenGuard(grpc.ServerInterceptor):
    """Refuses guarded calls without the service token. Stands inside the error translator."""

    def __init__(self, token: str) -> None:
        self._header = f"Bearer {token}".encode()

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Handler | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Let a call pass, or put a refusal in its place."""
        if is_guarded(handler_call_details.method) and not self._is_shown(handler_call_details):
            return grpc.unary_unary_rpc_method_handler(_refuse)
        return continuation(handler_call_details)

    def _is_shown(self, details: grpc.HandlerCallDetails) -> bool:
        shown = [value for key, value in details.invocation_metadata if key == "authorization"]
        return len(shown) == 1 and hmac.compare_digest(_encoded(shown[0]), self._header)


def is_guarded(method: str) -> bool:
    """Say whether a method is for workers alone."""
    return method.startswith(_GUARDED_SERVICES) or method in _GUARDED_METHODS


def _encoded(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _refuse(_request: Any, _context: grpc.ServicerContext) -> NoReturn:  # noqa: ANN401 - any message
    raise UnauthenticatedError(
        "This call is for workers: send the ladder's ROUNDHOUSE_SERVICE_TOKEN as "
        "`authorization: Bearer TOKEN`."
    )
