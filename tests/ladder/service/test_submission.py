"""Submission over the wire: what is accepted, and that a refusal stores nothing."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.ladder.v1 import dispatch_pb2, ladder_pb2
from roundhouse.package import content_hash
from tests.ladder.referee import CRASH
from tests.ladder.service.conftest import Client, serve

if TYPE_CHECKING:
    from pathlib import Path

    from ladder.settings import Settings
    from ladder.store.database import Database
    from tests.ladder.referee import FakeReferee


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    return sqlite_database


def tar_of(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.USTAR_FORMAT) as tar:
        member = tarfile.TarInfo(name)
        member.type = kind
        member.linkname = "/etc/passwd" if kind == tarfile.SYMTYPE else ""
        member.size = len(data)
        tar.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def submit(client: Client, archive: bytes) -> ladder_pb2.SubmitBotResponse:
    return client.ladder.SubmitBot(ladder_pb2.SubmitBotRequest(archive=archive))


def refusal(client: Client, archive: bytes) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as error:
        submit(client, archive)
    assert list(client.ladder.ListBots(ladder_pb2.ListBotsRequest()).bots) == []
    return error.value.code(), error.value.details() or ""


def test_an_accepted_bot_can_be_looked_up_and_fetched(client: Client) -> None:
    archive = client.archive("planner")

    answer = submit(client, archive)

    assert not answer.already_submitted
    assert answer.version.bot == "planner"
    assert answer.version.hash == content_hash(archive)
    assert answer.version.number == 1
    found = client.ladder.GetBot(ladder_pb2.GetBotRequest(name="planner"))
    assert found.bot.latest == answer.version
    assert list(found.versions) == [answer.version]
    fetched = client.dispatch.GetArchive(dispatch_pb2.GetArchiveRequest(hash=answer.version.hash))
    assert fetched.archive == archive


def test_the_same_archive_again_plays_no_second_smoke_game(
    client: Client, referee: FakeReferee
) -> None:
    archive = client.archive("planner")
    first = submit(client, archive)

    again = submit(client, archive)

    assert again.already_submitted
    assert again.version == first.version
    assert len(referee.lanes) == 1


def test_a_new_archive_is_the_next_version(client: Client) -> None:
    submit(client, client.archive("planner"))

    second = submit(client, client.archive("planner", "# better"))

    assert second.version.number == 2
    (bot,) = client.ladder.ListBots(ladder_pb2.ListBotsRequest()).bots
    assert bot.latest == second.version
    assert bot.versions == 2


@pytest.mark.parametrize(
    ("archive", "sentence"),
    [
        (b"", "gzip"),
        (tar_of("bot.py"), "has no roundhouse.toml at its top"),
        (tar_of("../bot.py"), "../bot.py"),
        (tar_of("link", kind=tarfile.SYMTYPE), "a symbolic link"),
        (tar_of("roundhouse.toml", b'name = "x"'), "name"),
        (tar_of("roundhouse.toml", b"name = "), "roundhouse.toml"),
        (b"x" * (8 * 1024 * 1024 + 1), "8388608 at most"),
    ],
    ids=["empty", "no manifest", "traversal", "link", "bad name", "no toml", "too large"],
)
def test_a_bad_archive_is_one_sentence_and_never_played(
    client: Client, referee: FakeReferee, archive: bytes, sentence: str
) -> None:
    code, details = refusal(client, archive)

    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert sentence in details
    assert referee.lanes == []


def test_a_forfeit_in_the_smoke_game_refuses_the_bot(client: Client, referee: FakeReferee) -> None:
    referee.forfeits = [CRASH]

    code, details = refusal(client, client.archive("planner"))

    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details.startswith("planner was not accepted: it forfeited its smoke game (CRASH).")
    assert details.endswith("ImportError: no module named nächstes")


def test_an_abort_of_the_smoke_game_is_ours(client: Client, referee: FakeReferee) -> None:
    referee.aborts = True

    code, details = refusal(client, client.archive("planner"))

    assert code is grpc.StatusCode.UNAVAILABLE
    assert "by no fault of its own" in details


def test_without_a_referee_nothing_is_accepted(
    settings: Settings, database: Database, tmp_path: Path
) -> None:
    with serve(replace(settings, referee_targets=()), database, tmp_path) as client:
        code, details = refusal(client, client.archive("planner"))

    assert code is grpc.StatusCode.UNAVAILABLE
    assert "ROUNDHOUSE_REFEREE_TARGETS" in details
