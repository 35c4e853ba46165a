"""A referee to play under: the one that the environment names, or one started for the occasion."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import grpc

from roundhouse.api.game.v1.log_pb2 import Host
from roundhouse.api.referee.v1.match_pb2 import DescribeHostRequest, DescribeHostResponse
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from roundhouse.channel import OPTIONS
from roundhouse.cli.failure import CommandError
from roundhouse.cli.remote import CALL_SECONDS, service_metadata, speak_plainly

START_SECONDS = 30.0
"""How long a referee may take to listen: it probes its sandbox first."""

STOP_SECONDS = 10.0
"""How long it may take to end its lanes before it is killed."""


class NoRefereeError(CommandError):
    """Report that no referee can be had on this machine."""


@contextmanager
def open_referee() -> Iterator[str]:
    """Yield the address of a referee, and stop it afterwards if it was started here.

    ROUNDHOUSE_REFEREE_TARGETS names running ones, of which the first is taken. Raises
    `NoRefereeError` when there is none and none can be started.
    """
    named = os.environ.get("ROUNDHOUSE_REFEREE_TARGETS", "").split(",")[0].strip()
    if named:
        yield named
        return
    if find_spec("referee") is None:
        raise NoRefereeError(
            "No referee can be had: this installation has no referee of its own, and "
            "ROUNDHOUSE_REFEREE_TARGETS names none."
        )
    with tempfile.TemporaryDirectory(prefix="roundhouse-") as folder, _started(Path(folder)) as at:
        yield at


def describe_host(target: str) -> DescribeHostResponse:
    """Ask a referee for its machine, its isolation and its lanes."""
    with (
        speak_plainly("referee", target),
        grpc.insecure_channel(target, OPTIONS) as channel,
    ):
        return MatchServiceStub(channel).DescribeHost(
            DescribeHostRequest(), timeout=CALL_SECONDS, metadata=service_metadata()
        )


def host_sentence(host: Host) -> str:
    """Say in one line under what isolation the bots play."""
    if not host.isolated:
        return f"No isolation: the bots are plain processes (driver {host.driver})."
    missing = f"; not enforced here: {', '.join(host.missing)}" if host.missing else ""
    return f"Sandbox: {host.driver}{missing}."


@contextmanager
def _started(folder: Path) -> Iterator[str]:
    target = f"unix:{folder / 'referee.sock'}"
    output = folder / "referee.log"
    process: subprocess.Popen[bytes] | None = None
    try:
        with output.open("wb") as stream, _uninterrupted():
            process = subprocess.Popen(
                # -P: a folder named `referee` in the current one is not the referee.
                [sys.executable, "-P", "-m", "referee", "serve"],
                env={**os.environ, "ROUNDHOUSE_REFEREE_LISTEN": target},
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches us alone; we end it in order
            )
        _wait_until_ready(process, target, output)
        yield target
    finally:
        if process:
            _stop(process)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold signals back during a block: an interrupt within `Popen` would lose the new process."""
    pending: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda got, _: pending.append(got)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    for held in pending:
        signal.raise_signal(held)


def _wait_until_ready(process: subprocess.Popen[bytes], target: str, output: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    with grpc.insecure_channel(target, OPTIONS) as channel:
        ready = grpc.channel_ready_future(channel)
        while time.monotonic() < deadline:
            with suppress(grpc.FutureTimeoutError):
                ready.result(timeout=0.1)
                return
            if process.poll() is not None:
                raise NoRefereeError(f"No referee can be had: {_last_line(output, process)}")
    raise NoRefereeError(f"The referee did not listen within {START_SECONDS:.0f} s.")


def _last_line(output: Path, process: subprocess.Popen[bytes]) -> str:
    lines = output.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else f"it ended with code {process.returncode}."


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):  # the second Ctrl-C is in a hurry
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its own session: the lanes go with it
        process.wait()
