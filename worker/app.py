"""The Celery application: how tasks travel and what happens to those of a worker that dies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celery import Celery
from kombu.entity import Exchange, Queue

from worker import tasks
from worker.planner_step import PlannerStep

if TYPE_CHECKING:
    from worker.settings import WorkerSettings

VISIBILITY_SECONDS = 600
"""When the broker gives an unacknowledged task to somebody else. A chunk that is still played then
costs nothing: its lease turns the second task away. One that was lost is found long before by the
planner pass."""
SOCKET_SECONDS = 20
"""When a broker that does not answer counts as lost; by default it would be waited for for ever."""


def make_app(settings: WorkerSettings) -> Celery:
    """Return the application with its tasks."""
    app = Celery("roundhouse", broker=settings.broker_url, set_as_current=False)
    app.conf.update(
        # A task is acknowledged when it has ended, and put back when its process died.
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,  # a chunk waits in the queue, not behind another one
        broker_transport_options={
            "visibility_timeout": VISIBILITY_SECONDS,
            "socket_timeout": SOCKET_SECONDS,
            "socket_connect_timeout": SOCKET_SECONDS,
            # Sending to a broker that is away fails soon. By default it waits without end, and in
            # the worker's main process it would wait for a connection that itself must mend.
            "max_retries": 3,
            "interval_start": 0,
            "interval_step": 0.2,
            "interval_max": 0.5,
        },
        # Only ids travel, and nothing is unpickled.
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_queues=[_queue(tasks.PLANNER_QUEUE), _queue(tasks.LANE_QUEUE)],
        task_default_queue=tasks.PLANNER_QUEUE,
        task_routes={tasks.PLAY_LANE: {"queue": tasks.LANE_QUEUE}},
        # A lane in play goes on without the broker; what it plays is recorded with the ladder.
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        # Nobody listens to either, and both would keep the broker busy.
        worker_send_task_events=False,
        worker_enable_remote_control=False,
    )
    tasks.register(app, settings)
    app.steps["worker"].add(PlannerStep)
    app.conf.roundhouse_pass_seconds = settings.pass_interval.total_seconds()
    return app


def _queue(name: str) -> Queue:
    # With names of its own: by default all queues share an exchange and a routing key.
    return Queue(name, Exchange(name), routing_key=name)  # type: ignore[no-untyped-call]
