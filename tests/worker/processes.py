"""Brokers and workers as processes of their own, gone when the block ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import redis
import redis.backoff
import redis.exceptions
import redis.retry

from tests.processes import MARKER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worker.settings import WorkerSettings


@contextlib.contextmanager
def running_broker(state_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run `python -m worker broker` and wait until it answers."""
    with _running("broker", {"ROUNDHOUSE_STATE_DIR": str(state_dir)}, None) as process:
        retry = redis.retry.Retry(
            redis.backoff.ConstantBackoff(0.05),
            200,
            supported_errors=(redis.exceptions.ConnectionError,),
        )
        with redis.Redis(unix_socket_path=str(state_dir / "broker.sock"), retry=retry) as client:
            client.ping()
        yield process


@contextlib.contextmanager
def running_worker(
    settings: WorkerSettings, marker: str, log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `python -m worker run`; all its processes carry the marker in their environment."""
    environment = {
        MARKER: marker,
        "ROUNDHOUSE_STATE_DIR": str(settings.state_dir),
        "ROUNDHOUSE_BROKER_URL": settings.broker_url,
        "ROUNDHOUSE_LADDER_TARGET": settings.ladder_target,
        "ROUNDHOUSE_REFEREE_TARGETS": ",".join(settings.referee_targets),
        "ROUNDHOUSE_WORKER_LANES": str(settings.lanes),
        "ROUNDHOUSE_WORKER_LEASE_SECONDS": str(settings.lease.total_seconds()),
        "ROUNDHOUSE_WORKER_PASS_SECONDS": str(settings.pass_interval.total_seconds()),
    }
    with _running("run", environment, log) as process:
        yield process


@contextlib.contextmanager
def _running(
    command: str, environment: dict[str, str], log: Path | None
) -> Iterator[subprocess.Popen[bytes]]:
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(log.open("ab")) if log else subprocess.DEVNULL
        process = subprocess.Popen(
            [sys.executable, "-m", "worker", command],
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
