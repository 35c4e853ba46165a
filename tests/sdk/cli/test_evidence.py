"""`roundhouse evidence`, and the key that says whose bots they are."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from roundhouse.api.game.v1 import observation_pb2, verdict_pb2
from roundhouse.api.ladder.v1.ladder_pb2 import ListEvidenceRequest, SubmitBotRequest
from roundhouse.api.ladder.v1.record_pb2 import GameRecord, GameSeat
from roundhouse.api.referee.v1.play_pb2 import Decision, PlayResponse
from roundhouse.cli.evidence import evidence_lines
from roundhouse.cli.owner import owner_key
from roundhouse.codec import encode_duration

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome
    from tests.sdk.cli.fake_ladder import FakeLadder

SECOND = timedelta(seconds=1)
KILLED = verdict_pb2.Forfeit(
    seat=1,
    reason=verdict_pb2.FORFEIT_REASON_RESOURCE,
    sentence="Its process ended: killed by the kernel at its memory limit.",
    decision_id=17,
    limit=encode_duration(15 * SECOND),
    used=encode_duration(2.5 * SECOND),
    margin=encode_duration(SECOND / 4),
    passed=encode_duration(3 * SECOND),
    exit_code=-9,
    phase=observation_pb2.PHASE_SECOND_CARD,
    out_of_memory=True,
    last_request=PlayResponse(decision=Decision(decision_id=17)).SerializeToString(),
    output_tail=b"taking more\x1b[2J\n",
    usage=verdict_pb2.BotUsage(
        processor=encode_duration(4 * SECOND),
        memory_peak=512 * 2**20,
        memory_kills=1,
        refused_processes=0,
        withheld=encode_duration(SECOND),
        stalled=encode_duration(0.1 * SECOND),
    ),
)


@pytest.mark.usefixtures("here")
def test_it_shows_all_that_the_referee_noted(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.evidence = [KILLED]
    ladder.games = [GameRecord(game_id="abc", seats=[GameSeat(bot="alpha"), GameSeat(bot="bravo")])]

    outcome = roundhouse("evidence", "abc")

    assert (outcome.code, outcome.err) == (0, "")
    assert [line.rstrip() for line in outcome.out.splitlines()] == [
        (
            "bravo forfeited game abc (RESOURCE): Its process ended: killed by the kernel at its"
            " memory limit."
        ),
        "  when      second card, decision 17",
        "  time      limit 15 s, margin 0.25 s, used 2.5 s, passed 3 s",
        "  process   killed by SIGKILL, out of memory",
        (
            "  usage     processor 4 s, withheld by its share 1 s, waited for a processor 0.1 s,"
            " most memory 512.0 MiB, kills at the memory limit 1, processes refused 0"
        ),
        "The end of its output:",
        "taking more?[2J",
    ]
    (request, _) = ladder.requests
    assert request == ListEvidenceRequest(game_id="abc", owner_key="the owner key of the tests")


@pytest.mark.usefixtures("here")
def test_the_last_request_is_shown_as_json_when_asked_for(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.evidence = [KILLED]
    ladder.games = [GameRecord(game_id="abc", seats=[GameSeat(), GameSeat(bot="bravo")])]

    assert '"decision_id": "17"' in roundhouse("evidence", "abc", "--request").out


@pytest.mark.usefixtures("here")
def test_a_game_that_is_not_ones_own_is_one_sentence(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    assert ladder.evidence == []
    outcome = roundhouse("evidence", "abc")
    assert outcome.code == 1
    assert outcome.err == "roundhouse: No bot of yours has forfeited it.\n"


def test_what_is_not_known_is_left_out() -> None:
    forfeit = verdict_pb2.Forfeit(
        reason=verdict_pb2.FORFEIT_REASON_CRASH, sentence="It ended.", exit_code=3
    )
    assert evidence_lines("alpha", "g", forfeit) == [
        "alpha forfeited game g (CRASH): It ended.",
        "  process   exit code 3",
    ]
    forfeit.exit_code = -99
    assert evidence_lines("alpha", "g", forfeit)[1] == "  process   killed by signal 99"
    forfeit.usage.SetInParent()
    forfeit.phase = observation_pb2.PHASE_OPENING
    lines = evidence_lines("alpha", "g", forfeit)
    assert lines[1] == "  when      opening, no decision open"
    assert lines[3] == "  usage     nothing is counted there"


@pytest.mark.usefixtures("here")
def test_the_key_goes_with_a_submission(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    assert roundhouse("submit", "greedy").code == 0
    (request,) = ladder.requests
    assert isinstance(request, SubmitBotRequest)
    assert request.owner_key == "the owner key of the tests"


def test_a_key_is_made_once_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    surroundings = {"ROUNDHOUSE_STATE_DIR": str(tmp_path / "state")}
    key = owner_key(surroundings)
    assert len(key) >= 40
    assert owner_key(surroundings) == key
    (file,) = (tmp_path / "state").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert owner_key({**surroundings, "ROUNDHOUSE_OWNER_KEY": " another one "}) == "another one"
