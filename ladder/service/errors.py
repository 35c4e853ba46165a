"""Errors become gRPC codes here and nowhere else."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import grpc
from sqlalchemy.exc import OperationalError

from ladder.errors import (
    InvalidError,
    NotFoundError,
    UnauthenticatedError,
    UnavailableError,
    WrongMomentError,
)
from roundhouse.errors import RoundhouseError
from roundhouse.rules import RulesError

if TYPE_CHECKING:
    from collections.abc import Callable

    Handler = grpc.RpcMethodHandler[Any, Any]  # generic in the stubs only

_log = logging.getLogger(__name__)

_CODES: tuple[tuple[type[Exception], grpc.StatusCode], ...] = (
    (NotFoundError, grpc.StatusCode.NOT_FOUND),
    (InvalidError, grpc.StatusCode.INVALID_ARGUMENT),
    (WrongMomentError, grpc.StatusCode.FAILED_PRECONDITION),
    (UnauthenticatedError, grpc.StatusCode.UNAUTHENTICATED),
    (UnavailableError, grpc.StatusCode.UNAVAILABLE),
    (RoundhouseError, grpc.StatusCode.INVALID_ARGUMENT),  # what was sent cannot be read
    (RulesError, grpc.StatusCode.INVALID_ARGUMENT),
)

_MAX_DETAILS = 2_400
"""Characters. Details travel in a header of 8 KiB at most, in which a byte may become three."""


def translate(error: Exception) -> tuple[grpc.StatusCode, str]:
    """Return the code and the sentence for an error.

    What is nobody's foreseen mistake is ours: it is logged with its traceback, which never leaves
    the machine.
    """
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code, str(error)[:_MAX_DETAILS]
    if isinstance(error, OperationalError):
        _log.warning("The database does not answer.", exc_info=error)
        return grpc.StatusCode.UNAVAILABLE, "The database does not answer; try again in a moment."
    _log.error("A call failed.", exc_info=error)
    return grpc.StatusCode.INTERNAL, "The ladder failed; its own log says how."


class ErrorTranslator(grpc.ServerInterceptor):
    """Catches what the handlers raise."""

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Handler | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Wrap the handler of a call."""
        handler = continuation(handler_call_details)
        if handler is None or handler.unary_unary is None:
            return handler
        answer = handler.unary_unary

        def translated(request: Any, context: grpc.ServicerContext) -> Any:  # noqa: ANN401 - any message
            try:
                return answer(request, context)
            except Exception as error:  # noqa: BLE001 - the boundary
                code, sentence = translate(error)
            return context.abort(code, sentence)  # raises; out here it chains no traceback

        return grpc.unary_unary_rpc_method_handler(
            translated,
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )
