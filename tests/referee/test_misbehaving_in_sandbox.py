"""The verdicts again where bots are really held, and those that only a sandbox can give."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from roundhouse.api.referee.v1.match_pb2 import DescribeHostRequest
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from roundhouse.timecontrol import Measure
from tests.referee.serving import HURRIED, PATIENT, Referee, finished, lane, sandbox_folder
from tests.referee.test_misbehaving import CASES, RESOURCE, TIME, Case, check, folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.referee.serving import Played

NAMES = ("exits_at_once", "crashes_in_mid_game", "ignores_sigterm", "half_closes", "two_answers")
HELD = [case for case in CASES if case.bot in NAMES]


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with sandbox_folder() as folder:
        referee = Referee.start(folder)
        try:
            yield referee
        finally:
            assert referee.stop() == 0, referee.output


@pytest.mark.parametrize("case", HELD, ids=lambda case: case.bot)
def test_a_misbehaving_bot_gets_the_same_verdict_in_a_sandbox(
    referee: Referee, tmp_path: Path, case: Case
) -> None:
    control = HURRIED if case.reason is TIME else PATIENT
    bots = [folder_of(case.bot, tmp_path), folder_of("steady", tmp_path)]
    request = lane(*bots, control=control)
    request.rated = True
    (game,) = finished(referee.play(request))
    (forfeit,) = game.forfeits
    check(forfeit, case)
    assert game.placements == [2, 1]
    assert game.log.host.isolated
    assert game.log.host.driver == "bubblewrap"
    assert game.log.host.enforced


def test_a_note_for_the_next_game_is_found_by_the_same_process_alone(
    referee: Referee, tmp_path: Path
) -> None:
    # It plays on in its lane and may remember; nothing outlives it, and no other process finds it.
    bots = [folder_of("leaves_a_note", tmp_path), folder_of("steady", tmp_path)]
    for _ in range(2):  # lanes
        games = finished(referee.play(lane(*bots, games=4)))
        said = [game.forfeits[0].output_tail.decode() for game in games if game.forfeits]
        assert len(said) == 2  # it crashes in its second game, and another takes its place
        for output in said:
            assert "game 1 of this process found []" in output
            assert "game 2 of this process found ['/tmp/note', '/dev/shm/note']" in output
            assert "note: Read-only file system" in output


METERED = replace(PATIENT, decision_cap=timedelta(seconds=1), measure=Measure.CPU)
"""By the wall clock a steady bot of a busy machine has four seconds."""


def play_metered(referee: Referee, bot: str, at: Path) -> Played:
    with referee.channel() as channel:
        host = MatchServiceStub(channel).DescribeHost(DescribeHostRequest(), timeout=10).host
    if not any("processor time counted" in line for line in host.enforced):
        pytest.skip(f"no processor time counted here: {', '.join(host.missing)}")
    bots = [folder_of(bot, at), folder_of("steady", at)]
    (game,) = finished(referee.play(lane(*bots, control=METERED)))
    return game


def test_by_processor_time_a_bot_that_burns_it_forfeits(referee: Referee, tmp_path: Path) -> None:
    game = play_metered(referee, "burns", tmp_path)
    (forfeit,) = game.forfeits
    assert (forfeit.seat, forfeit.reason) == (0, TIME.value), forfeit
    assert "within 1 s of processor time" in forfeit.sentence
    assert forfeit.used.ToTimedelta() > METERED.decision_cap


def test_by_processor_time_a_bot_that_waits_is_charged_a_quarter(
    referee: Referee, tmp_path: Path
) -> None:
    game = play_metered(referee, "dozes", tmp_path)
    assert game.forfeits == []
    slept = [entry.action.used.ToTimedelta() for entry in game.log.entries][:4]
    assert max(slept) >= timedelta(seconds=1.5) / 4
    assert max(slept) < METERED.decision_cap


def test_a_bot_that_ponders_on_its_opponents_turn_is_held_still(
    referee: Referee, tmp_path: Path
) -> None:
    with referee.channel() as channel:
        host = MatchServiceStub(channel).DescribeHost(DescribeHostRequest(), timeout=10).host
    if not any("held still" in line for line in host.enforced):
        pytest.skip(f"no bot is frozen here: {', '.join(host.missing)}")
    bots = [folder_of("ponders", tmp_path), folder_of("dozes", tmp_path)]
    (game,) = finished(referee.play(lane(*bots)))
    (forfeit,) = game.forfeits
    said = re.search(rb"pondered ([\d.]+) s of ([\d.]+) s", forfeit.output_tail)
    assert said is not None, forfeit
    pondered, waited = float(said[1]), float(said[2])
    assert waited > 1.2  # its opponent sleeps 1.5 s over its opening
    # Until it stands still, and from its thaw to the next look at the clock.
    assert pondered < waited / 4


def test_a_bot_that_takes_more_memory_than_it_may_forfeits_by_resource(
    referee: Referee, tmp_path: Path
) -> None:
    with referee.channel() as channel:
        host = MatchServiceStub(channel).DescribeHost(DescribeHostRequest(), timeout=10).host
    if not any("memory" in line and "group" in line for line in host.enforced):
        pytest.skip(f"no memory limit by control group here: {', '.join(host.missing)}")
    request = lane(folder_of("takes_memory", tmp_path), folder_of("steady", tmp_path))
    (game,) = finished(referee.play(request))
    (forfeit,) = game.forfeits
    assert forfeit.reason == RESOURCE.value
    assert "memory limit" in forfeit.sentence
    assert forfeit.out_of_memory
    assert forfeit.usage.memory_kills > 0
    assert forfeit.usage.memory_peak > 100 * 2**20
    assert forfeit.usage.processor.ToTimedelta() > timedelta(milliseconds=20)
