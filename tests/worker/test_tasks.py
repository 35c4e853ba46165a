"""The tasks, run in this process one after another as Celery's eager mode does."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import grpc
import pytest

from tests.worker.tournaments import SEED
from worker import planner, tasks
from worker.app import make_app
from worker.ladder_client import LadderClient

if TYPE_CHECKING:
    from celery import Celery

    from tests.worker.fake_ladder import Book
    from tests.worker.fake_referee import FakeReferee
    from worker.settings import WorkerSettings


@pytest.fixture
def _nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eager tasks never wait in a queue, and there is no broker to ask."""
    monkeypatch.setattr(tasks, "waiting", lambda *_: 0)


def eager(settings: WorkerSettings) -> Celery:
    app = make_app(settings)
    app.conf.task_always_eager = True
    return app


@pytest.mark.usefixtures("_nothing_waits")
def test_one_pass_sets_a_whole_tournament_going(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    eager(settings).tasks[tasks.LOOK_FOR_WORK].delay()
    assert len(book.games()) == 3 * 4 * 2
    assert book.is_finished()
    assert set(book.recorded.values()) == {1}
    assert len(referee.requests) == 6  # lanes, of one chunk each


@pytest.mark.usefixtures("_nothing_waits")
def test_a_tournament_is_planned_once(
    book: Book, referee: FakeReferee, settings: WorkerSettings
) -> None:
    app = eager(settings)
    app.tasks[tasks.PLAN_TOURNAMENT].delay("t-ab12cd")
    games = book.games()
    app.tasks[tasks.PLAN_TOURNAMENT].delay("t-ab12cd")
    app.tasks[tasks.PLAN_TOURNAMENT].delay("t-000000")
    assert book.games() == games
    assert len(referee.requests) == 6


def test_chunks_are_queued_only_when_none_waits(
    book: Book, referee: FakeReferee, settings: WorkerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "waiting", lambda *_: 1)
    eager(settings).tasks[tasks.LOOK_FOR_WORK].delay()
    assert book.games()
    assert referee.requests == []


def test_another_plan_that_was_there_first_holds(
    book: Book, settings: WorkerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    book.refuses["RecordPlan"] = (grpc.StatusCode.FAILED_PRECONDITION, "It has another plan.")
    with LadderClient(settings) as ladder:
        planner.plan_tournament("t-ab12cd", ladder)
    assert "t-ab12cd: FAILED_PRECONDITION: It has another plan." in caplog.messages


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (
            (grpc.StatusCode.UNAUTHENTICATED, "Wrong."),
            (
                "planner pass: the ladder refuses our service token; set ROUNDHOUSE_SERVICE_TOKEN "
                "to its."
            ),
        ),
        (
            (grpc.StatusCode.DEADLINE_EXCEEDED, "Too busy."),
            "planner pass: the ladder can't be reached. DEADLINE_EXCEEDED: Too busy.",
        ),
        ((grpc.StatusCode.INTERNAL, "Oh."), "planner pass: the ladder refuses."),
    ],
)
def test_what_the_ladder_refuses_is_said_in_one_sentence(
    refusal: tuple[grpc.StatusCode, str],
    sentence: str,
    book: Book,
    settings: WorkerSettings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    book.refuses["ListWork"] = refusal
    eager(settings).tasks[tasks.LOOK_FOR_WORK].delay()
    assert [record.getMessage() for record in caplog.records if record.name == "worker.tasks"] == [
        sentence
    ]


@pytest.mark.usefixtures("_nothing_waits", "referee")
def test_a_tournament_that_can_t_be_planned_stops_no_other(
    book: Book, settings: WorkerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    tournament, _ = book.tournaments["t-ab12cd"]
    broken = type(tournament)()
    broken.CopyFrom(tournament)
    broken.id, broken.table_size = "t-broken", 9
    book.tournaments = {"t-broken": (broken, SEED), **book.tournaments}
    with caplog.at_level(logging.ERROR):
        eager(settings).tasks[tasks.LOOK_FOR_WORK].delay()
    assert "9 seats at a table, not 1 to 5" in caplog.text
    assert book.is_finished()


def test_an_unreachable_ladder_is_a_warning(
    settings: WorkerSettings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.ladder_client.CALL_SECONDS", 0.5)
    away = replace(settings, ladder_target=f"unix:{settings.state_dir}/nobody.sock")
    eager(away).tasks[tasks.LOOK_FOR_WORK].delay()
    (record,) = [record for record in caplog.records if record.name == "worker.tasks"]
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith("planner pass: the ladder can't be reached. ")


@pytest.mark.usefixtures("book")
def test_a_broker_that_is_away_is_a_warning_too(
    settings: WorkerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_app(settings)  # whose broker nobody has started
    app.tasks[tasks.LOOK_FOR_WORK].run()
    assert "The broker can't be reached: " in caplog.text
    assert "Traceback" not in caplog.text
