"""Run the Celery worker with our settings."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import warnings
from typing import TYPE_CHECKING

from celery.platforms import SecurityWarning
from celery.signals import worker_process_init
from kombu.exceptions import OperationalError

from worker.app import make_app
from worker.broker import BrokerError

if TYPE_CHECKING:
    from celery import Celery

    from worker.settings import WorkerSettings

BROKER_PATIENCE = 4
"""How often it is tried again at the start, in five seconds. Later it is waited for without end."""
PR_SET_PDEATHSIG = 1


def run(settings: WorkerSettings) -> int:
    """Work until a signal: SIGTERM and Ctrl-C finish the chunks in play, SIGQUIT drops them.

    Raises `BrokerError` when the broker can't be reached.
    """
    app = make_app(settings)
    require_broker(app)
    worker_process_init.connect(_die_with_parent)
    quieten()
    worker = app.Worker(
        concurrency=settings.lanes,
        pool="prefork",
        loglevel=logging.INFO,
        # Workers have nothing to say to each other: the ladder knows who plays what.
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


def require_broker(app: Celery) -> None:
    """Raise `BrokerError` when the broker does not answer after a few attempts."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(
                max_retries=BROKER_PATIENCE, interval_start=0.5, interval_step=0.5
            )
            connection.default_channel.client.ping()
    except (OperationalError, *app.connection_for_write().connection_errors) as error:
        # The URL without its password.
        url = app.connection_for_write().as_uri()
        raise BrokerError(
            f"The broker {url} can't be reached ({error}); start it, or set ROUNDHOUSE_BROKER_URL."
        ) from error


def quieten() -> None:
    """Leave out what Celery says about every task; ours say what became of them.

    Its warning about root is about pickled tasks, which this worker does not accept.
    """
    for name in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).setLevel(logging.WARNING)
    warnings.filterwarnings("ignore", category=SecurityWarning)


def _die_with_parent(**_: object) -> None:
    """Have the kernel end this pool process when the worker is killed.

    Otherwise it would finish its chunk with nobody to stop it, and stay if the chunk hangs.
    """
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the worker died a moment ago
