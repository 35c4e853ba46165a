"""A ladder that answers on a port, with a referee that plays as the test says."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import grpc
import pytest

from ladder.service.server import LadderServer
from ladder.settings import Settings
from roundhouse.address import Address
from roundhouse.api.ladder.v1 import dispatch_pb2_grpc, ladder_pb2, ladder_pb2_grpc
from roundhouse.package import pack
from tests.ladder.referee import FakeReferee
from tests.ladder.world import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ladder.store.database import Database


@dataclass(frozen=True)
class Client:
    """Both stubs on one channel."""

    ladder: ladder_pb2_grpc.LadderServiceStub
    dispatch: dispatch_pb2_grpc.DispatchServiceStub
    folder: Path

    def archive(self, name: str, content: str = "") -> bytes:
        """Pack a bot's folder, as the command line does."""
        folder = self.folder / f"{name}{len(content)}"
        folder.mkdir(exist_ok=True)
        (folder / "roundhouse.toml").write_text(
            f'name = "{name}"\nlanguage = "python"\nentry = "python3 bot.py"\n'
        )
        (folder / "bot.py").write_text(content)
        return pack(folder)

    def submit(self, *names: str) -> None:
        for name in names:
            self.ladder.SubmitBot(ladder_pb2.SubmitBotRequest(archive=self.archive(name)))


@pytest.fixture
def referee() -> Iterator[FakeReferee]:
    with FakeReferee().serve() as referee:
        yield referee


@pytest.fixture
def settings(referee: FakeReferee, tmp_path: Path) -> Settings:
    settings = Settings.from_environment({"ROUNDHOUSE_STATE_DIR": str(tmp_path)})
    return replace(settings, listen=(Address("127.0.0.1:0"),), referee_targets=(referee.target,))


@contextmanager
def serve(settings: Settings, database: Database, folder: Path) -> Iterator[Client]:
    server = LadderServer(settings, database, now=lambda: NOW)
    server.start()
    with grpc.insecure_channel(str(server.addresses[0])) as channel:
        yield Client(
            ladder_pb2_grpc.LadderServiceStub(channel),
            dispatch_pb2_grpc.DispatchServiceStub(channel),
            folder,
        )
    server.stop()


@pytest.fixture
def client(settings: Settings, database: Database, tmp_path: Path) -> Iterator[Client]:
    with serve(settings, database, tmp_path) as client:
        yield client
