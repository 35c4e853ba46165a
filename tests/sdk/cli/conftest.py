"""The command, run in this process and in one of its own, and a ladder for it to call."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.ladder.v1 import ladder_pb2_grpc
from roundhouse.cli import main
from tests.sdk.cli.fake_ladder import FakeLadder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


# The command silences gRPC's core, but in this process other tests have loaded it before.
GRPC_LINE = re.compile(r"^[IWE]\d{4} .*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def roundhouse(capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run the command in this process."""

    def run(*words: object) -> Outcome:
        capfd.readouterr()
        code = main([str(word) for word in words])
        out, err = capfd.readouterr()
        return Outcome(int(code), out, GRPC_LINE.sub("", err))

    return run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with no setting of the surroundings in force."""
    monkeypatch.chdir(tmp_path)
    for name in ("ROUNDHOUSE_LADDER_TARGET", "ROUNDHOUSE_REFEREE_TARGETS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ROUNDHOUSE_OWNER_KEY", "the owner key of the tests")
    return tmp_path


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLadder]:
    """Serve a ladder that answers what the test puts into it."""
    fake = FakeLadder()
    server = grpc.server(ThreadPoolExecutor(2))
    ladder_pb2_grpc.add_LadderServiceServicer_to_server(fake, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    monkeypatch.setenv("ROUNDHOUSE_LADDER_TARGET", f"127.0.0.1:{port}")
    yield fake
    server.stop(None).wait()
