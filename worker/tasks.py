"""The tasks. They are thin, take ids alone, and may run twice or be lost."""

from __future__ import annotations

import logging
import os
import random
import socket
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

import grpc
from kombu.exceptions import OperationalError

from worker import dispatch, planner
from worker.faults import describe, is_away
from worker.ladder_client import LadderClient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery

    from worker.settings import WorkerSettings

PLAN_TOURNAMENT = "roundhouse.plan_tournament"
PLAY_LANE = "roundhouse.play_lane"
LOOK_FOR_WORK = "roundhouse.planner_pass"
PLANNER_QUEUE = "roundhouse-planner"
LANE_QUEUE = "roundhouse-lanes"

log = logging.getLogger(__name__)


def register(app: Celery, settings: WorkerSettings) -> None:
    """Add the tasks to an application."""

    def plan_tournament(tournament_id: str) -> None:
        """Plan a tournament that has no plan, and look for work at once."""
        with _said_plainly(tournament_id):
            with LadderClient(settings) as ladder:
                planner.plan_tournament(tournament_id, ladder)
            with _broker_may_be_away(app):
                app.tasks[LOOK_FOR_WORK].delay()

    def play_lane(chunk_id: str) -> None:
        """Play a chunk of a lane, unless another worker does."""
        with _said_plainly(chunk_id):
            outcome = dispatch.play_chunk(chunk_id, _name(), settings, random.SystemRandom())
            log.info("%s: %s", chunk_id, outcome.value)

    def planner_pass() -> None:
        """Ask the ladder what is to be done, and queue it."""
        with (
            _said_plainly("planner pass"),
            _broker_may_be_away(app),
            LadderClient(settings) as ladder,
        ):
            planner.look_for_work(
                ladder,
                queue_plan=app.tasks[PLAN_TOURNAMENT].delay,
                queue_chunk=app.tasks[PLAY_LANE].delay,
                waiting_chunks=lambda: waiting(app, LANE_QUEUE),
            )

    # Not shared: another application in this process has settings of its own.
    app.task(name=PLAN_TOURNAMENT, shared=False)(plan_tournament)
    app.task(name=PLAY_LANE, shared=False)(play_lane)
    app.task(name=LOOK_FOR_WORK, shared=False)(planner_pass)


def waiting(app: Celery, queue: str) -> int:
    """Return how many tasks wait in a queue of the broker."""
    with app.connection_for_read() as connection:
        return int(connection.default_channel.queue_declare(queue=queue).message_count)


def _name() -> str:
    """Name who plays a chunk; no other run, of this very task either, has the same name."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


@contextmanager
def _broker_may_be_away(app: Celery) -> Iterator[None]:
    """Leave what could not be queued to the next planner pass."""
    try:
        yield
    except (OperationalError, *app.connection_for_write().connection_errors) as error:
        log.warning("The broker can't be reached: %s", error)


@contextmanager
def _said_plainly(what: str) -> Iterator[None]:
    """Turn what the ladder, or a tournament, refuses into one sentence in the log.

    Nothing is tried again here: the next planner pass finds whatever was not done.
    """
    try:
        yield
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.UNAUTHENTICATED:
            log.error(  # noqa: TRY400 - the setting is wrong, not the code
                "%s: the ladder refuses our service token; set ROUNDHOUSE_SERVICE_TOKEN to its.",
                what,
            )
        elif is_away(error):
            log.warning("%s: the ladder can't be reached. %s", what, describe(error))
        else:
            log.exception("%s: the ladder refuses.", what)
    except ValueError:
        log.exception("%s: this can't be planned.", what)
