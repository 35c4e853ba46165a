"""`serve`: gRPC and the web pages in one process, until a signal."""

import logging
import signal
import socket
from contextlib import closing
from types import FrameType

import uvicorn

from ladder.errors import SettingsError
from ladder.fitting import FitKeeper
from ladder.schema import require_current, upgrade
from ladder.service.server import LadderServer, utc_now
from ladder.settings import Settings
from ladder.store.database import Database
from roundhouse.address import Address, reason_of

_BACKLOG = 256
_WEB_GRACE_SECONDS = 3
"""Live pages keep their connections open; they come back by themselves."""

_log = logging.getLogger(__name__)


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM; then end the running calls and return.

    A SQLite file is brought up to date first: it has no other user. A shared PostgreSQL is not
    touched, since other processes may still run the older code.

    Raises:
        SettingsError: an address is in use, or a folder cannot be made.
        SchemaError: the database is not of this version, or cannot be opened.
    """
    stop = _Stop()
    settings.make_state_dir()
    with closing(Database.open(settings.database_url)) as database:
        if not database.is_sqlite:
            require_current(database)
        elif upgrade(database):
            _log.info("The database is migrated.")
        with closing(bind_web(settings.web_listen)) as web_socket:
            server = LadderServer(settings, database)
            server.start()
            try:
                with FitKeeper(database, settings.anchor_bot, utc_now):
                    _run_web(settings, database, web_socket, stop)
            finally:
                server.stop()


class _Stop:
    """Takes the signals that ask us to stop. A second one ends the process as it is.

    It raises nothing: an exception out of a signal handler may come up in a callback that swallows
    it. While the pages run, uvicorn takes the signals, and sends them on here when it is done.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self.web: uvicorn.Server | None = None
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._take)

    def _take(self, number: int, _frame: FrameType | None) -> None:
        if self.is_asked:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self.is_asked = True
        if self.web is not None:
            self.web.should_exit = True


def bind_web(address: Address) -> socket.socket:
    """Bind the address of the pages before anything starts.

    Raises:
        SettingsError: another process listens there, or this machine has no such address.
    """
    try:
        return address.listen(_BACKLOG)
    except OSError as error:
        raise SettingsError(
            f"The web pages cannot listen on {address} ({reason_of(error)}); free it, or "
            "set ROUNDHOUSE_WEB_LISTEN to another address."
        ) from error


def _run_web(
    settings: Settings, database: Database, web_socket: socket.socket, stop: _Stop
) -> None:
    from ladder.web.app import create_app  # noqa: PLC0415 - `migrate` needs no web framework

    config = uvicorn.Config(
        create_app(database, settings),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_WEB_GRACE_SECONDS,
    )
    stop.web = uvicorn.Server(config)
    host, port = web_socket.getsockname()[:2]
    _log.info("web on http://%s", Address.at(host, port))
    if not stop.is_asked:
        stop.web.run(sockets=[web_socket])
