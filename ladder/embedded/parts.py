"""The parts of Roundhouse as programs on one machine, and how to tell that each answers."""

from __future__ import annotations

import http.client
import secrets
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc
import redis

from roundhouse.api.ladder.v1 import dispatch_pb2, dispatch_pb2_grpc
from roundhouse.api.referee.v1 import match_pb2, match_pb2_grpc
from roundhouse.channel import authorization

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from roundhouse.address import Address

CALL_SECONDS = 2.0
FOLLOWED = (
    "ROUNDHOUSE_REFEREE_LANES",
    "ROUNDHOUSE_REFEREE_WARM_LANES",
    "ROUNDHOUSE_SANDBOX",
    "ROUNDHOUSE_STATE_DIR",
    "ROUNDHOUSE_TEST_",
    "ROUNDHOUSE_WORKER_",
)
"""How the names of the settings start that an embedded set-up follows. All others say where
something is, and here everything is in one place: a demo must never write into the database that
some shell happens to name."""
LEASE_SECONDS = 10
"""Shorter than on many machines: after a restart, whatever was being played then goes on soon."""


@dataclass(frozen=True, slots=True)
class Part:
    """One program, and the question that it answers once it is ready."""

    name: str
    command: tuple[str, ...]
    is_ready: Callable[[], bool]
    stop: signal.Signals = signal.SIGTERM


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything of one embedded set-up is."""

    state_dir: Path
    grpc: Address
    """Where the ladder answers bots' authors and organisers."""
    web: Address
    is_trusted: bool = False
    """Whether bots run as plain processes; no game is rated then."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    """The service token, fresh with each start: nobody but our own parts needs it."""

    @property
    def site(self) -> str:
        """The address of the web pages."""
        return f"http://{self.web}/"

    def environment(self, ours: Mapping[str, str]) -> dict[str, str]:
        """Return what the parts are told, out of our own environment and this set-up."""
        referee = f"unix:{self.state_dir / 'referee.sock'}"
        return {
            "ROUNDHOUSE_WORKER_LEASE_SECONDS": str(LEASE_SECONDS),
            **followed_settings(ours),
            "ROUNDHOUSE_STATE_DIR": str(self.state_dir),
            "ROUNDHOUSE_BROKER_URL": f"redis+socket://{self.broker_socket}",
            "ROUNDHOUSE_LADDER_LISTEN": str(self.grpc),
            "ROUNDHOUSE_LADDER_TARGET": str(self.grpc),
            "ROUNDHOUSE_WEB_LISTEN": str(self.web),
            "ROUNDHOUSE_REFEREE_LISTEN": referee,
            "ROUNDHOUSE_REFEREE_TARGETS": referee,
            "ROUNDHOUSE_SERVICE_TOKEN": self.token,
            "TMPDIR": str(self.scratch_dir),
            "PYTHONUNBUFFERED": "1",  # a log must hold the last words of who died
        }

    @property
    def scratch_dir(self) -> Path:
        """Where the parts leave temporary files; it is emptied at each start."""
        return self.state_dir / "tmp"

    @property
    def broker_socket(self) -> Path:
        """Where the broker listens."""
        return self.state_dir / "broker.sock"

    def parts(self) -> tuple[Part, ...]:
        """Return the parts in the order in which they start; the first must answer first."""
        serve = ("serve", "--trusted") if self.is_trusted else ("serve",)
        return (
            Part("broker", _module("worker", "broker"), self._broker_answers),
            Part("referee", _module("referee", *serve), self._referee_answers),
            Part("ladder", _module("ladder", "serve"), self._ladder_answers),
            # Nothing is lost with it, and it would wait for the chunks in play.
            Part("worker", _module("worker", "run"), self._worker_waits, signal.SIGKILL),
        )

    def describe_host(self) -> match_pb2.DescribeHostResponse:
        """Ask the referee what isolation it has. Raise `grpc.RpcError` when it does not answer."""
        target = f"unix:{self.state_dir / 'referee.sock'}"
        with grpc.insecure_channel(target) as channel:
            return match_pb2_grpc.MatchServiceStub(channel).DescribeHost(
                match_pb2.DescribeHostRequest(),
                metadata=authorization(self.token),
                timeout=CALL_SECONDS,
            )

    def _broker_answers(self) -> bool:
        with suppress(redis.RedisError), self._broker() as client:
            return bool(client.ping())
        return False

    def _referee_answers(self) -> bool:
        with suppress(grpc.RpcError):
            self.describe_host()
            return True
        return False

    def _ladder_answers(self) -> bool:
        with suppress(grpc.RpcError, OSError, http.client.HTTPException):
            with grpc.insecure_channel(str(self.grpc)) as channel:
                # With the token: what answers must be ours, and no other that took the port first.
                dispatch_pb2_grpc.DispatchServiceStub(channel).ListWork(
                    dispatch_pb2.ListWorkRequest(),
                    metadata=authorization(self.token),
                    timeout=CALL_SECONDS,
                )
            connection = http.client.HTTPConnection(
                self.web.host, self.web.port, timeout=CALL_SECONDS
            )
            connection.request("GET", "/")
            return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
        return False

    def _worker_waits(self) -> bool:
        """Say whether a worker waits for tasks: it has no address that could be asked."""
        with suppress(redis.RedisError), self._broker() as client:
            return any(each["cmd"] == "brpop" for each in client.client_list())
        return False

    def _broker(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self.broker_socket), socket_timeout=CALL_SECONDS)


def _module(name: str, *arguments: str) -> tuple[str, ...]:
    # -P: a folder of that name in the working directory is not the part.
    return (sys.executable, "-P", "-m", name, *arguments)


def _is_followed(name: str) -> bool:
    """Say whether a variable of our own environment reaches the parts."""
    return not name.startswith("ROUNDHOUSE_") or name.startswith(FOLLOWED)


def followed_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without the settings that have no effect here."""
    return {name: value for name, value in environment.items() if _is_followed(name)}


def ignored_settings(environment: Mapping[str, str]) -> list[str]:
    """Return the settings that would matter on many machines, and do not here."""
    return sorted(name for name in environment if not _is_followed(name))
