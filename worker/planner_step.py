"""The step of a Celery worker that asks for planner passes, and notices that the broker is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celery import bootsteps

from worker.tasks import LOOK_FOR_WORK, PLANNER_QUEUE

if TYPE_CHECKING:
    from celery import Celery
    from celery.worker import WorkController
    from kombu.asynchronous.timer import Entry


class PlannerStep(bootsteps.StartStopStep):  # type: ignore[misc] # celery has no types
    """Ask for a planner pass every few seconds, as long as none waits already.

    Every worker asks, so passes go on as long as any worker lives; Celery's beat would be one more
    process that may die alone, and two of them would ask twice. The pass itself is a task, since
    it talks gRPC, which this process must not before it forks.
    """

    requires = ("celery.worker.components:Hub",)

    def __init__(self, worker: WorkController, **options: object) -> None:
        super().__init__(worker, **options)
        self._entries: list[Entry] = []
        self._broker: str | None = None

    def start(self, worker: WorkController) -> None:
        """Ask at once, and then again and again, from the worker's own loop."""
        seconds = worker.app.conf.roundhouse_pass_seconds
        self._entries = [
            worker.timer.call_after(0, self._ask, (worker.app,)),
            worker.timer.call_repeatedly(seconds, self._ask, (worker.app,)),
        ]

    def stop(self, worker: WorkController) -> None:  # noqa: ARG002 - the step's interface
        """Ask no more."""
        for entry in self._entries:
            entry.cancel()  # type: ignore[no-untyped-call]

    def _ask(self, app: Celery) -> None:
        """Put a planner pass into the queue, unless one waits there.

        A connection error that is raised here makes Celery connect anew. It would not by itself: an
        acknowledgement that fails is only logged, the task counts as unfinished for ever, and with
        a prefetch of one the worker never fetches another.
        """
        with app.connection_for_read() as connection:
            client = connection.channel().client
            broker = client.info("server")["run_id"]
            waiting = client.llen(PLANNER_QUEUE)
        known, self._broker = self._broker or broker, broker
        if broker != known:
            raise ConnectionResetError("The broker was started anew.")
        if waiting == 0:
            app.tasks[LOOK_FOR_WORK].apply_async(retry=False)
