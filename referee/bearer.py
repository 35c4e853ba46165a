"""The service token: calls without it are turned away before anything else is looked at."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

import grpc

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Handler = grpc.RpcMethodHandler[Any, Any]


class RequireToken(grpc.aio.ServerInterceptor):
    """Let through what carries ``authorization: Bearer TOKEN`` in its metadata."""

    def __init__(self, token: str) -> None:
        """Ask for this token."""
        self._wanted = f"Bearer {token}".encode()
        self._refusal: Handler = grpc.unary_unary_rpc_method_handler(_refuse)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Hand the call on, or to somebody who refuses it."""
        for key, value in handler_call_details.invocation_metadata or ():
            if key == "authorization":
                shown = value if isinstance(value, bytes) else value.encode()
                if hmac.compare_digest(shown, self._wanted):
                    return await continuation(handler_call_details)
        return self._refusal


async def _refuse(_request: object, context: grpc.aio.ServicerContext[object, object]) -> None:
    await context.abort(
        grpc.StatusCode.UNAUTHENTICATED,
        "This referee asks for the service token: send `authorization: Bearer TOKEN` with the value"
        " of its ROUNDHOUSE_SERVICE_TOKEN.",
    )
