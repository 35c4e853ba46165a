"""Brokers and workers as processes of their own, gone when the block ends."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import redis
import redis.backoff
import redis.exceptions
import redis.retry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worker.settings import WorkerSettings

MARKER = "ROUNDHOUSE_TEST_MARKER"


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


def marked(marker: str) -> dict[int, str]:
    """Return the processes that carry the marker, with their command lines."""
    found = {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it ended, or is another user's
            if f"{MARKER}={marker}\0".encode() in (folder / "environ").read_bytes():
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(folder.name)] = command
    return found


def wait_until_gone(marker: str, seconds: float = 20) -> dict[int, str]:
    """Wait until nothing carries the marker; return what still does."""
    deadline = time.monotonic() + seconds
    while (left := marked(marker)) and time.monotonic() < deadline:
        for process_id in left:
            with contextlib.suppress(ProcessLookupError):
                descriptor = os.pidfd_open(process_id)
                try:
                    select.select([descriptor], [], [], max(deadline - time.monotonic(), 0))
                finally:
                    os.close(descriptor)
    return left


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
