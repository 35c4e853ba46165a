"""The step of a Celery worker that asks for planner passes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from celery import bootsteps
from kombu.exceptions import OperationalError

from worker.tasks import LOOK_FOR_WORK, PLANNER_QUEUE, waiting

if TYPE_CHECKING:
    from celery import Celery
    from celery.worker import WorkController
    from kombu.asynchronous.timer import Entry

log = logging.getLogger(__name__)


class PlannerStep(bootsteps.StartStopStep):  # type: ignore[misc] # celery has no types
    """Ask for a planner pass every few seconds, as long as none waits already.

    Every worker asks, so passes go on as long as any worker lives; Celery's beat would be one more
    process that may die alone, and two of them would ask twice. The pass itself is a task, since
    it talks gRPC, which this process must not before it forks.
    """

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: WorkController, **options: object) -> None:
        super().__init__(worker, **options)
        self._entry: Entry | None = None

    def start(self, worker: WorkController) -> None:
        """Ask now, and then again and again."""
        ask_for_pass(worker.app)
        self._entry = worker.timer.call_repeatedly(
            worker.app.conf.roundhouse_pass_seconds, ask_for_pass, (worker.app,)
        )

    def stop(self, worker: WorkController) -> None:  # noqa: ARG002 - the step's interface
        """Ask no more."""
        if self._entry is not None:
            self._entry.cancel()  # type: ignore[no-untyped-call]


def ask_for_pass(app: Celery) -> None:
    """Put a planner pass into the queue, unless one waits there."""
    try:
        if waiting(app, PLANNER_QUEUE) == 0:
            app.tasks[LOOK_FOR_WORK].apply_async(retry=False)
    except (OperationalError, *app.connection_for_read().connection_errors) as error:
        log.warning("The broker can't be reached (%s); no planner pass was asked for.", error)
