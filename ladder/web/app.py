"""The web application: routes, error pages and headers around the pages."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from ladder.errors import (
    InvalidError,
    LadderError,
    NotFoundError,
    UnavailableError,
    WrongMomentError,
)
from ladder.settings import Settings
from ladder.store.database import Database
from ladder.web import alarm_pages, explanation_pages, pages, replay_pages
from ladder.web.rendering import render

STATIC = Path(__file__).parent / "static"

# Everything comes from this site itself; styles stand in attributes, where seats get their colours.
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}

STATUS = {NotFoundError: 404, InvalidError: 400, WrongMomentError: 409, UnavailableError: 503}
HEADINGS = {
    400: "That can't be read",
    404: "Not found",
    405: "Not allowed",
    409: "Not yet",
    503: "Not available now",
}


class AnswerHead:
    """Takes a HEAD for a GET, in a scope of its own: the server's still says to send no body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)


def create_app(database: Database, settings: Settings) -> FastAPI:
    """Return the ASGI application, which reads `database` and never writes it."""
    # The pages are no API: the OpenAPI documents come with the REST interface.
    app = FastAPI(title="Roundhouse", openapi_url=None)
    app.state.database = database
    app.state.settings = settings
    app.state.watches = {}  # by pool: the alarms, which take seconds to find
    app.add_middleware(GZipMiddleware, minimum_size=2000)
    app.middleware("http")(_add_headers)
    app.add_middleware(AnswerHead)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.include_router(pages.router)
    app.include_router(replay_pages.router)
    app.include_router(explanation_pages.router)
    app.include_router(alarm_pages.router)
    app.add_exception_handler(LadderError, _ladder_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    return app


async def _add_headers(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    response = await call_next(request)
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def error_page(request: Request, status: int, sentence: str) -> Response:
    """Return a page that says in one sentence what was wrong."""
    heading = HEADINGS.get(status, "Something went wrong")
    return render(
        request, "error.html", status_code=status, heading=heading, sentence=sentence, section=""
    )


def _ladder_error(request: Request, error: Exception) -> Response:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 500)
    return error_page(request, status, str(error))


def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentence = (
        f"There is no page at {request.url.path}." if status == 404 else f"HTTP error {status}."
    )
    return error_page(request, status, sentence)


def _validation_error(request: Request, error: Exception) -> Response:
    # Query parameters alone can be wrong here: the first of them is named.
    details = error.errors() if isinstance(error, RequestValidationError) else []
    name = str(details[0]["loc"][-1]) if details else "request"
    value = details[0].get("input") if details else None
    return error_page(
        request, 400, f"The parameter {name!r} can't be {value!r}: {details[0]['msg'].lower()}."
    )
