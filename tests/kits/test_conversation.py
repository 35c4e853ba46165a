"""Bots in all languages speak the protocol alike: the same ends, and a sentence for each."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse import API_VERSION
from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.api.referee.v1 import play_pb2
from tests.kits.conftest import SANDBOX_PATH
from tests.sdk.client.scripted_referee import (
    TOKEN,
    Requests,
    Responses,
    Script,
    Table,
    goodbye,
    referee,
    welcome,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.kit

NEWER = b"\xba\x3e\x02ab"
"""A field that this version does not know."""


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    said: str


def start(bot: Path, environment: Mapping[str, str]) -> Ended:
    """Run the entry command in the bot's folder, as the referee does, to its end."""
    entry = tomllib.loads((bot / "roundhouse.toml").read_text())["entry"]
    done = subprocess.run(
        entry,
        cwd=bot,
        env={"PATH": f"{Path(sys.executable).parent}:{SANDBOX_PATH}", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Ended(done.returncode, done.stderr)


def converse(bot: Path, folder: Path, script: Script) -> Ended:
    with referee(folder, script) as socket:
        return start(bot, {"ROUNDHOUSE_SOCKET": socket, "ROUNDHOUSE_TOKEN": TOKEN})


def test_it_greets_plays_and_says_nothing(bot: Path, tmp_path: Path) -> None:
    greetings: list[play_pb2.Hello] = []
    tables = [Table(1), Table(2)]

    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        greetings.append(next(requests).hello)
        yield welcome(games=2)
        for table in tables:
            yield from table.play(requests)
        yield goodbye()

    assert converse(bot, tmp_path, script) == Ended(0, "")
    (hello,) = greetings
    assert (hello.token, hello.api_version) == (TOKEN, API_VERSION)
    assert hello.agent.startswith("roundhouse-")
    assert all(table.state.is_over() for table in tables)


def test_it_skips_what_a_newer_minor_version_says(bot: Path, tmp_path: Path) -> None:
    major = API_VERSION.partition(".")[0]

    def newer(message: play_pb2.PlayResponse) -> play_pb2.PlayResponse:
        if message.HasField("decision"):
            message.decision.MergeFromString(NEWER)
            message.decision.legal_actions.add().MergeFromString(NEWER)
        return message

    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome(version=f"{major}.99.0")
        yield play_pb2.PlayResponse.FromString(NEWER)
        for message in Table().play(requests):
            yield newer(message)
        yield goodbye()

    assert converse(bot, tmp_path, script) == Ended(0, "")


def _other_major(requests: Requests, _: grpc.ServicerContext) -> Responses:
    next(requests)
    yield welcome(version="99.0.0")
    yield goodbye()


def _refuses(requests: Requests, context: grpc.ServicerContext) -> Responses:
    next(requests)
    context.abort(grpc.StatusCode.UNAUTHENTICATED, "That is no token.")
    yield welcome()


def _fails(requests: Requests, context: grpc.ServicerContext) -> Responses:
    next(requests)
    yield welcome()
    context.abort(grpc.StatusCode.UNAVAILABLE, "gone")


def _leaves(requests: Requests, _: grpc.ServicerContext) -> Responses:
    next(requests)
    yield welcome()


def _tells_of_a_forfeit(requests: Requests, _: grpc.ServicerContext) -> Responses:
    next(requests)
    yield welcome()
    yield play_pb2.PlayResponse(
        forfeited=play_pb2.Forfeited(
            reason=verdict_pb2.FORFEIT_REASON_TIME, sentence="It was too slow."
        )
    )


@pytest.mark.parametrize(
    ("script", "code", "sentence"),
    [
        (_other_major, 3, "The referee speaks version 99.0.0 of the protocol, and this "),
        (_refuses, 3, "The referee refused this bot: That is no token."),
        (_fails, 3, "it went away ("),
        (_leaves, 3, "The referee ended the stream before its goodbye."),
        (_tells_of_a_forfeit, 0, "Forfeited: It was too slow."),
    ],
    ids=["other major", "refused", "failed", "left", "forfeited"],
)
def test_it_ends_with_a_code_and_one_sentence(
    bot: Path, tmp_path: Path, script: Script, code: int, sentence: str
) -> None:
    ended = converse(bot, tmp_path, script)
    assert ended.code == code
    assert sentence in ended.said
    assert ended.said.count("\n") == 1


def test_without_a_referee_it_says_how_it_is_started(bot: Path, tmp_path: Path) -> None:
    ended = start(bot, {})
    assert ended.code == 2
    assert "roundhouse play" in ended.said
    there = start(bot, {"ROUNDHOUSE_SOCKET": str(tmp_path / "none"), "ROUNDHOUSE_TOKEN": TOKEN})
    assert there.code == 3
    assert there.said.startswith(f"No referee answers at {tmp_path / 'none'}")
    assert there.said.count("\n") == 1
