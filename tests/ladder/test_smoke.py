"""The smoke game: whose fault it is decides what the submitter hears."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import grpc
import pytest

from ladder.errors import InvalidError, LadderError, UnavailableError
from ladder.smoke import MAX_WAITING, SmokeTest
from tests.ladder.referee import CRASH, FakeReferee
from tests.ladder.world import package

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE, ARCHIVE = package("planner")
NOBODY = "127.0.0.1:1"  # a port that nobody may listen on


@pytest.fixture
def referee() -> Iterator[FakeReferee]:
    with FakeReferee().serve() as referee:
        yield referee


def check(*targets: str, patience: timedelta = timedelta(seconds=30)) -> None:
    SmokeTest(targets, "token", patience).check(PACKAGE, ARCHIVE)


def test_the_archive_plays_itself_unrated(referee: FakeReferee) -> None:
    check(referee.target)

    (lane,) = referee.lanes
    assert [(seat.bot, seat.version, seat.archive) for seat in lane.seats] == [
        ("planner", PACKAGE.hash, ARCHIVE)
    ] * 2
    assert not lane.rated
    assert len(lane.games) == 1
    assert len(lane.games[0].seed) == 32
    assert lane.time_control.bank.seconds == 60
    assert referee.metadata[0]["authorization"] == "Bearer token"


def test_two_submissions_never_meet_the_same_deal(referee: FakeReferee) -> None:
    check(referee.target)
    check(referee.target)

    assert referee.lanes[0].games[0].seed != referee.lanes[1].games[0].seed


def test_a_forfeit_refuses_with_its_sentence_and_the_end_of_the_output(
    referee: FakeReferee,
) -> None:
    referee.forfeits = [CRASH]

    with pytest.raises(InvalidError) as error:
        check(referee.target)

    assert str(error.value) == (
        "planner was not accepted: it forfeited its smoke game (CRASH). "
        "Its process ended with exit code 1.\n"
        "The end of its output:\n"
        "Traceback:\nImportError: no module named nächstes"
    )


def test_a_long_output_is_cut_to_its_end(referee: FakeReferee) -> None:
    forfeit = type(CRASH)()
    forfeit.CopyFrom(CRASH)
    forfeit.output_tail = b"x" * 60_000 + b"the end"
    referee.forfeits = [forfeit]

    with pytest.raises(InvalidError, match=r"xxxthe end$") as error:
        check(referee.target)

    assert len(str(error.value)) < 2_000


def test_an_abort_is_not_the_bots_fault(referee: FakeReferee) -> None:
    referee.aborts = True

    with pytest.raises(UnavailableError, match=r"no fault of its own.*The sandbox did not start\."):
        check(referee.target)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (grpc.StatusCode.FAILED_PRECONDITION, "refused the game: This referee refuses"),
        (grpc.StatusCode.UNAVAILABLE, "cannot be reached"),
    ],
)
def test_a_referee_that_refuses_is_not_the_bots_fault(
    referee: FakeReferee, code: grpc.StatusCode, sentence: str
) -> None:
    referee.refuses = code

    with pytest.raises(UnavailableError, match=sentence):
        check(referee.target)


def test_no_referee_is_one_sentence() -> None:
    with pytest.raises(UnavailableError, match=f"{NOBODY} cannot be reached"):
        check(NOBODY)
    with pytest.raises(UnavailableError, match="must set ROUNDHOUSE_REFEREE_TARGETS"):
        check()


def test_the_next_referee_is_asked_when_one_is_away(referee: FakeReferee) -> None:
    check(NOBODY, referee.target)

    assert len(referee.lanes) == 1


def test_a_busy_referee_is_asked_again(referee: FakeReferee) -> None:
    referee.busy = 1

    check(referee.target)

    assert len(referee.lanes) == 1


def test_patience_with_busy_referees_ends(referee: FakeReferee) -> None:
    referee.busy = 10

    with pytest.raises(UnavailableError, match="busy with other games"):
        check(referee.target, patience=timedelta(0))


def test_stopping_ends_games_and_lets_no_more_submissions_wait(referee: FakeReferee) -> None:
    referee.hangs = True
    smoke = SmokeTest([referee.target], "")
    errors: list[LadderError] = []

    def submit() -> None:
        try:
            smoke.check(PACKAGE, ARCHIVE)
        except LadderError as error:
            errors.append(error)

    threads = [threading.Thread(target=submit) for _ in range(MAX_WAITING + 2)]
    for thread in threads:
        thread.start()
    assert referee.started.wait(30)
    smoke.stop()
    for thread in threads:
        thread.join(30)

    assert len(errors) == len(threads)
    assert all(isinstance(error, UnavailableError) for error in errors)
    assert any("the ladder is being stopped" in str(error) for error in errors)
