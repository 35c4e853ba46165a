"""Every no has its code and its sentence, and nobody hears a traceback."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf.message import Message  # noqa: TC002 - beside the values
from sqlalchemy.exc import OperationalError

from ladder.service.errors import translate
from ladder.service.token import is_guarded
from roundhouse.api.game.v1.clock_pb2 import TimeControl
from roundhouse.api.ladder.v1 import dispatch_pb2, ladder_pb2
from roundhouse.codec import encode_duration
from roundhouse.errors import LogError
from tests.ladder.service.conftest import Client, serve
from tests.ladder.world import MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ladder.settings import Settings
    from ladder.store.database import Database

LEASE = encode_duration(MINUTE)


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    return sqlite_database


def error_of(call: Callable[[], Any]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as error:
        call()
    return error.value.code(), error.value.details() or ""


@pytest.mark.parametrize(
    ("method", "request_", "code", "sentence"),
    [
        ("GetBot", ladder_pb2.GetBotRequest(name="x"), "NOT_FOUND", "There is no bot 'x'."),
        ("ListBots", ladder_pb2.ListBotsRequest(page_token="x"), "INVALID_ARGUMENT", "page token"),
        ("GetTournament", ladder_pb2.GetTournamentRequest(id="x"), "NOT_FOUND", "tournament 'x'"),
        ("GetGame", ladder_pb2.GetGameRequest(game_id="x"), "NOT_FOUND", "no game 'x'"),
        ("GetLog", ladder_pb2.GetLogRequest(game_id="x"), "NOT_FOUND", "no game 'x'"),
        ("GetLeaderboard", ladder_pb2.GetLeaderboardRequest(pool="x"), "INVALID_ARGUMENT", "board"),
        ("ListGames", ladder_pb2.ListGamesRequest(bot="x"), "NOT_FOUND", "no bot 'x'"),
        (
            "ListGames",
            ladder_pb2.ListGamesRequest(status=9),  # type: ignore[arg-type] # of a newer client
            "INVALID_ARGUMENT",
            "9 is not a status",
        ),
        ("RecordGame", ladder_pb2.RecordGameRequest(log=b"x"), "INVALID_ARGUMENT", "gzip"),
        ("RecordAbort", ladder_pb2.RecordAbortRequest(game_id="x"), "NOT_FOUND", "game 'x'"),
        (
            "CreateTournament",
            ladder_pb2.CreateTournamentRequest(bots=["x", "y"], table_size=2, deals=1),
            "NOT_FOUND",
            "There is no bot 'x', 'y'; submit it first.",
        ),
        (
            "CreateTournament",
            ladder_pb2.CreateTournamentRequest(edition="x"),
            "INVALID_ARGUMENT",
            "There is no edition 'x'",
        ),
        (
            "CreateTournament",
            ladder_pb2.CreateTournamentRequest(
                bots=["x", "y"], table_size=2, deals=1, time_control=TimeControl(increment=LEASE)
            ),
            "INVALID_ARGUMENT",
            "The bank of a time control must be longer than zero.",
        ),
    ],
)
def test_the_ladder_says_no_with_code_and_sentence(
    client: Client, method: str, request_: Message, code: str, sentence: str
) -> None:
    found, details = error_of(lambda: getattr(client.ladder, method)(request_))

    assert found.name == code
    assert sentence in details
    assert "\n" not in details


@pytest.mark.parametrize(
    ("method", "request_", "code", "sentence"),
    [
        (
            "RecordPlan",
            dispatch_pb2.RecordPlanRequest(tournament_id="x"),
            "NOT_FOUND",
            "tournament 'x'",
        ),
        (
            "LeaseChunk",
            dispatch_pb2.LeaseChunkRequest(chunk_id="x", worker="w", duration=LEASE),
            "NOT_FOUND",
            "chunk 'x'",
        ),
        (
            "LeaseChunk",
            dispatch_pb2.LeaseChunkRequest(chunk_id="x", worker="w"),
            "INVALID_ARGUMENT",
            "A lease is longer than nothing",
        ),
        (
            "LeaseChunk",
            dispatch_pb2.LeaseChunkRequest(chunk_id="x", duration=LEASE),
            "INVALID_ARGUMENT",
            "A worker has a name",
        ),
        (
            "RenewLease",
            dispatch_pb2.RenewLeaseRequest(
                chunk_id="x", worker="w", duration=encode_duration(61 * MINUTE)
            ),
            "INVALID_ARGUMENT",
            "at most 1:00:00, not 1:01:00",
        ),
        (
            "ReleaseLease",
            dispatch_pb2.ReleaseLeaseRequest(chunk_id="x", worker="w"),
            "NOT_FOUND",
            "chunk 'x'",
        ),
        (
            "GetArchive",
            dispatch_pb2.GetArchiveRequest(hash="x"),
            "NOT_FOUND",
            "no bot version 'x'",
        ),
    ],
)
def test_the_dispatcher_says_no_with_code_and_sentence(
    client: Client, method: str, request_: Message, code: str, sentence: str
) -> None:
    found, details = error_of(lambda: getattr(client.dispatch, method)(request_))

    assert found.name == code
    assert sentence in details


def test_workers_must_show_the_token(
    settings: Settings, database: Database, tmp_path: Path
) -> None:
    requests: list[tuple[str, str, Any]] = [
        ("dispatch", "ListWork", dispatch_pb2.ListWorkRequest()),
        ("ladder", "RecordGame", ladder_pb2.RecordGameRequest()),
        ("ladder", "RecordAbort", ladder_pb2.RecordAbortRequest()),
    ]
    wrong = [
        (),
        (("authorization", "Bearer"),),
        (("authorization", "Bearer wrong"),),
        (("authorization", "right"),),
        (("authorization", "Bearer wrong"), ("authorization", "Bearer right")),
    ]
    with serve(replace(settings, service_token="right"), database, tmp_path) as client:
        for service, method, request in requests:
            call = getattr(getattr(client, service), method)
            for metadata in wrong:
                code, details = error_of(partial(call, request, metadata=metadata))
                assert code is grpc.StatusCode.UNAUTHENTICATED
                assert "ROUNDHOUSE_SERVICE_TOKEN" in details
                assert "right" not in details
        client.dispatch.ListWork(
            dispatch_pb2.ListWorkRequest(), metadata=(("authorization", "Bearer right"),)
        )
        client.ladder.ListBots(ladder_pb2.ListBotsRequest())  # for everybody


@pytest.mark.parametrize(
    ("method", "guarded"),
    [
        ("/roundhouse.api.ladder.v1.DispatchService/AnythingNew", True),
        ("/roundhouse.api.ladder.v1.LadderService/RecordGame", True),
        ("/roundhouse.api.ladder.v1.LadderService/RecordAbort", True),
        ("/roundhouse.api.ladder.v1.LadderService/GetLog", False),
    ],
)
def test_what_workers_alone_call_is_guarded(method: str, guarded: bool) -> None:  # noqa: FBT001
    assert is_guarded(method) == guarded


def test_a_fault_of_ours_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        code, details = translate(RuntimeError("secret"))

    assert code is grpc.StatusCode.INTERNAL
    assert details == "The ladder failed; its own log says how."
    assert "secret" in caplog.text


def test_a_database_that_is_away_is_worth_another_try() -> None:
    code, sentence = translate(OperationalError("SELECT 1", {}, RuntimeError("locked")))

    assert code is grpc.StatusCode.UNAVAILABLE
    assert "SELECT" not in sentence


def test_a_sentence_fits_into_a_header() -> None:
    _, sentence = translate(LogError("x" * 100_000))

    assert len(sentence) == 2_400
