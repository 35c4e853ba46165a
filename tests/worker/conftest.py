"""Real gRPC servers on Unix sockets, with fakes behind them."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.ladder.v1 import dispatch_pb2_grpc, ladder_pb2_grpc
from roundhouse.api.ladder.v1.tournament_pb2 import Tournament
from roundhouse.api.referee.v1 import match_pb2_grpc
from tests.worker.fake_ladder import Book, FakeDispatch, FakeLadder
from tests.worker.fake_referee import FakeReferee
from tests.worker.tournaments import HASHES, SEED
from worker.settings import WorkerSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def servers() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def book(tmp_path: Path, servers: contextlib.ExitStack) -> Book:
    """A ladder on `ladder.sock` with one tournament that has no plan: 3 bots, 3 pairings."""
    book = Book()
    book.add(
        Tournament(
            id="t-ab12cd",
            edition="classic",
            table_size=2,
            deals=4,
            rated=True,
            versions=HASHES[:3],
            bots=["ada", "bert", "cleo"],
        ),
        SEED,
    )
    server = servers.enter_context(_serving(f"unix:{tmp_path}/ladder.sock"))
    dispatch_pb2_grpc.add_DispatchServiceServicer_to_server(FakeDispatch(book), server)
    ladder_pb2_grpc.add_LadderServiceServicer_to_server(FakeLadder(book), server)  # type: ignore[abstract]
    server.start()
    return book


@pytest.fixture
def referee(tmp_path: Path, servers: contextlib.ExitStack) -> FakeReferee:
    """A referee on `referee.sock`."""
    return serve_referee(servers, f"unix:{tmp_path}/referee.sock", FakeReferee())


@pytest.fixture
def settings(tmp_path: Path) -> WorkerSettings:
    return WorkerSettings(
        state_dir=tmp_path,
        broker_url=f"redis+socket://{tmp_path}/broker.sock",
        ladder_target=f"unix:{tmp_path}/ladder.sock",
        referee_targets=(f"unix:{tmp_path}/referee.sock",),
        service_token=None,
        lanes=1,
        lease=timedelta(seconds=30),
        pass_interval=timedelta(seconds=0.2),
    )


def serve_referee(servers: contextlib.ExitStack, address: str, referee: FakeReferee) -> FakeReferee:
    server = servers.enter_context(_serving(address))
    match_pb2_grpc.add_MatchServiceServicer_to_server(referee, server)
    server.start()
    return referee


@contextlib.contextmanager
def _serving(address: str) -> Iterator[grpc.Server]:
    with ThreadPoolExecutor(8) as threads:
        server = grpc.server(threads)
        server.add_insecure_port(address)
        try:
            yield server
        finally:
            server.stop(grace=0).wait()
