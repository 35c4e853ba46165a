"""Chunks against a real gRPC ladder and real gRPC referees, with fakes behind them."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.game.v1.verdict_pb2 import ABORT_REASON_INTERNAL, ABORT_REASON_SANDBOX
from tests.worker.conftest import serve_referee
from tests.worker.fake_referee import FakeReferee, Play, Refuse
from tests.worker.tournaments import HASHES
from worker import dispatch, planner
from worker.dispatch import Outcome, play_chunk, rest_after
from worker.faults import Fault
from worker.ladder_client import LadderClient

if TYPE_CHECKING:
    import contextlib
    from pathlib import Path

    from tests.worker.fake_ladder import Book
    from worker.settings import WorkerSettings

CHUNK = "t-ab12cd-p000-r0-c0"
BUSY = Refuse(grpc.StatusCode.RESOURCE_EXHAUSTED)
DOWN = Refuse(grpc.StatusCode.UNAVAILABLE)


@pytest.fixture(autouse=True)
def _planned(book: Book, settings: WorkerSettings) -> None:
    with LadderClient(settings) as ladder:
        planner.plan_tournament("t-ab12cd", ladder)
    assert len(book.left(CHUNK)) == 4


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "FIRST_PAUSE", timedelta(milliseconds=5))


def play(settings: WorkerSettings, worker: str = "me") -> Outcome:
    return play_chunk(CHUNK, worker, settings, random.Random(1))


def two_referees(
    settings: WorkerSettings, servers: contextlib.ExitStack, *, second: FakeReferee
) -> WorkerSettings:
    address = f"unix:{settings.state_dir}/second.sock"
    serve_referee(servers, address, second)
    return replace(settings, referee_targets=(*settings.referee_targets, address))


def test_a_chunk_is_played_recorded_and_given_back(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    games = book.left(CHUNK)
    assert play(settings) is Outcome.PLAYED
    assert book.recorded == {game.game_id: 1 for game in games}
    assert book.leases == {}
    (request,) = referee.requests
    assert request.lane_id == CHUNK
    assert request.rated
    assert [(game.game_id, game.seed) for game in request.games] == [
        (game.game_id, game.seed) for game in games
    ]
    names = dict(zip(HASHES, ["ada", "bert", "cleo"], strict=False))
    assert [(seat.bot, seat.version, seat.archive) for seat in request.seats] == [
        (names[version], version, f"archive {version}".encode()) for version in games[0].versions
    ]


def test_a_chunk_that_was_played_is_not_played_again(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    assert [play(settings), play(settings)] == [Outcome.PLAYED, Outcome.TAKEN]
    assert len(referee.requests) == 1
    assert set(book.recorded.values()) == {1}


def test_a_chunk_that_another_worker_holds_is_left_alone(
    referee: FakeReferee, settings: WorkerSettings
) -> None:
    with LadderClient(settings) as ladder:
        ladder.lease(CHUNK, "somebody else", timedelta(seconds=30))
    assert play(settings) is Outcome.TAKEN
    assert referee.requests == []


def test_only_what_is_left_of_a_chunk_is_played(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    first, *others = book.left(CHUNK)
    book.recorded[first.game_id] = 1
    assert play(settings) is Outcome.PLAYED
    assert [game.game_id for game in referee.requests[0].games] == [game.game_id for game in others]
    assert set(book.recorded.values()) == {1}


@pytest.mark.parametrize("code", [BUSY.code, DOWN.code, grpc.StatusCode.FAILED_PRECONDITION])
def test_a_referee_that_can_t_play_passes_the_chunk_on(
    code: grpc.StatusCode,
    referee: FakeReferee,
    settings: WorkerSettings,
    servers: contextlib.ExitStack,
) -> None:
    referee.script = [Refuse(code)]
    referee.lanes = 9  # so it is asked first
    second = FakeReferee()
    assert play(two_referees(settings, servers, second=second)) is Outcome.PLAYED
    assert (len(referee.requests), len(second.requests)) == (1, 1)


def test_the_freest_referee_is_asked_first(
    referee: FakeReferee, settings: WorkerSettings, servers: contextlib.ExitStack
) -> None:
    referee.busy = 1
    second = FakeReferee()
    assert play(two_referees(settings, servers, second=second)) is Outcome.PLAYED
    assert (len(referee.requests), len(second.requests)) == (0, 1)


def test_a_referee_that_is_away_is_asked_last(
    referee: FakeReferee, settings: WorkerSettings, tmp_path: Path
) -> None:
    referee.busy = 2
    away = f"unix:{tmp_path}/nobody.sock"
    assert (
        play(replace(settings, referee_targets=(away, *settings.referee_targets))) is Outcome.PLAYED
    )


def test_a_lane_that_breaks_off_goes_on_where_it_broke(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    referee.script = [Play(breaks_after=2)]
    assert play(settings) is Outcome.PLAYED
    assert [len(request.games) for request in referee.requests] == [4, 2]
    assert set(book.recorded.values()) == {1}


def test_an_abort_is_noted_and_the_game_played_again(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    aborted = book.left(CHUNK)[1].game_id
    referee.script = [Play(aborts=(1,))]
    assert play(settings) is Outcome.PLAYED
    assert book.aborts == [(aborted, ABORT_REASON_SANDBOX, "No sandbox today.")]
    assert [game.game_id for game in referee.requests[1].games] == [aborted]
    assert set(book.recorded.values()) == {1}


@pytest.mark.parametrize("failure", [Play(aborts=(0,)), Play(breaks_after=1)])
def test_a_referee_that_failed_is_asked_after_the_others(
    failure: Play,
    referee: FakeReferee,
    settings: WorkerSettings,
    servers: contextlib.ExitStack,
) -> None:
    referee.lanes = 9  # it stays the freest
    referee.script = [failure]
    second = FakeReferee()
    assert play(two_referees(settings, servers, second=second)) is Outcome.PLAYED
    assert (len(referee.requests), len(second.requests)) == (1, 1)


def test_a_game_that_always_aborts_is_tried_so_often_and_then_rests(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    referee.script = [Play(aborts=(0,)) for _ in range(10)]
    assert play(settings) is Outcome.RESTS
    assert len(referee.requests) == dispatch.ATTEMPTS == len(book.aborts)
    assert book.recorded.total() == 3
    # The chunk is held by a name that nobody uses any more, and longer after each failure.
    assert book.lengths[CHUNK] == rest_after(None, 3).total_seconds() == 16
    book.leases.clear()
    assert play(settings, "me, later") is Outcome.RESTS
    assert book.lengths[CHUNK] == 128


@pytest.mark.parametrize(
    ("fault", "aborts", "seconds"),
    [
        (Fault.BUSY, 0, 2),
        (Fault.MACHINE, 1, 4),
        (None, 5, 64),
        (None, 1000, 300),
        (Fault.UNFIT, 0, 60),
        (Fault.OURS, 0, 60),
        (Fault.OURS, 6, 128),
    ],
)
def test_a_rest_grows_with_the_aborts_up_to_an_end(
    fault: Fault | None, aborts: int, seconds: int
) -> None:
    assert rest_after(fault, aborts) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("code", "tries", "seconds"),
    [
        (grpc.StatusCode.RESOURCE_EXHAUSTED, 3, 2),
        (grpc.StatusCode.UNAVAILABLE, 3, 2),
        (grpc.StatusCode.FAILED_PRECONDITION, 3, 60),
        (grpc.StatusCode.INVALID_ARGUMENT, 1, 60),
        (grpc.StatusCode.UNAUTHENTICATED, 1, 60),
    ],
)
def test_what_no_referee_plays_rests(
    code: grpc.StatusCode,
    tries: int,
    seconds: int,
    book: Book,
    referee: FakeReferee,
    settings: WorkerSettings,
) -> None:
    referee.script = [Refuse(code) for _ in range(10)]
    assert play(settings) is Outcome.RESTS
    assert len(referee.requests) == tries
    assert book.lengths[CHUNK] == seconds


def test_why_no_referee_may_play_is_told_to_the_ladder_once(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    sentence = "This referee runs bots as plain processes."
    referee.script = [Refuse(grpc.StatusCode.FAILED_PRECONDITION, sentence) for _ in range(20)]
    assert play(settings) is Outcome.RESTS
    assert [(reason, told) for _, reason, told in book.aborts] == [(ABORT_REASON_SANDBOX, sentence)]
    assert play(settings) is Outcome.RESTS
    assert len(book.aborts) == 1


def test_while_another_referee_is_busy_no_refusal_is_told(
    book: Book, referee: FakeReferee, settings: WorkerSettings, servers: contextlib.ExitStack
) -> None:
    referee.script = [Refuse(grpc.StatusCode.FAILED_PRECONDITION) for _ in range(20)]
    second = FakeReferee()
    second.script = [Refuse(BUSY.code) for _ in range(20)]
    assert play(two_referees(settings, servers, second=second)) is Outcome.RESTS
    assert book.aborts == []
    assert CHUNK in book.leases
    assert not book.recorded


def test_a_lease_is_renewed_while_the_chunk_is_played_and_a_lost_one_stops_the_lane(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    referee.script = [Play(hangs_after=1)]
    outcomes = []
    player = threading.Thread(
        target=lambda: outcomes.append(play(replace(settings, lease=timedelta(milliseconds=200))))
    )
    player.start()
    assert referee.hanging.wait(20)
    with book.changed:
        first = book.leases[CHUNK][1]
        assert book.changed.wait_for(lambda: book.leases[CHUNK][1] > first, 20)
        book.leases[CHUNK] = ("somebody else", first + 100)
    player.join(20)
    assert outcomes == [Outcome.TAKEN]
    assert referee.cancelled.wait(20)
    assert book.leases[CHUNK][0] == "somebody else"
    assert book.recorded.total() == 1


def test_a_referee_that_falls_silent_loses_the_lane(
    book: Book, referee: FakeReferee, settings: WorkerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.lease.SILENCE_SECONDS", 0.05)
    referee.script = [Play(hangs_after=1)]
    assert play(replace(settings, lease=timedelta(milliseconds=300))) is Outcome.PLAYED
    assert referee.cancelled.wait(20)
    assert [len(request.games) for request in referee.requests] == [4, 3]
    assert set(book.recorded.values()) == {1}


def test_a_log_that_the_ladder_refuses_is_an_abort_of_ours(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    book.refuses["RecordGame"] = (grpc.StatusCode.INVALID_ARGUMENT, "The log is no log.")
    assert play(settings) is Outcome.RESTS
    assert {(reason, sentence) for _, reason, sentence in book.aborts} == {
        (
            ABORT_REASON_INTERNAL,
            "The ladder refused the log. INVALID_ARGUMENT: The log is no log.",
        )
    }
    assert len(referee.requests) == dispatch.ATTEMPTS
    assert book.lengths[CHUNK] == 300


def test_a_ladder_that_goes_away_stops_the_lane(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    book.refuses["RecordGame"] = (grpc.StatusCode.DEADLINE_EXCEEDED, "Too busy.")
    with pytest.raises(grpc.RpcError, match="Too busy"):
        play(settings)
    assert len(referee.requests) == 1
    assert book.leases == {}


def test_every_internal_call_carries_the_service_token(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    book.token = "a secret of this test"
    assert play(replace(settings, service_token=book.token)) is Outcome.PLAYED
    assert referee.tokens == ["Bearer a secret of this test"]
    with pytest.raises(grpc.RpcError, match="The service token is wrong"):
        play(settings)
