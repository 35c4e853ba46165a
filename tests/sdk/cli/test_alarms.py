"""`roundhouse ratings alarms`: a table and a sentence each, or that there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from roundhouse.api.ladder.v1.ladder_pb2 import ListAlarmsRequest
from roundhouse.api.ladder.v1.statistics_pb2 import Alarm, AlarmKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sdk.cli.conftest import Outcome
    from tests.sdk.cli.fake_ladder import FakeLadder


@pytest.mark.usefixtures("here")
def test_no_alarm_is_said(roundhouse: Callable[..., Outcome], ladder: FakeLadder) -> None:
    outcome = roundhouse("ratings", "alarms")
    assert ladder.requests == [ListAlarmsRequest(pool="classic/2")]
    assert outcome.out == "No alarms in 240 deal groups of classic/2.\n"


@pytest.mark.usefixtures("here")
def test_an_alarm_is_a_line_and_a_sentence(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.alarms = [
        Alarm(
            kind=AlarmKind.ALARM_KIND_HOST,
            subjects=["host-1", "planner"],
            deviations=-5.25,
            chance=0.000012,
            groups=80,
            sentence="planner does worse under the host host-1.",
        )
    ]
    lines = roundhouse("ratings", "alarms", "--pool", "classic/multi").out.splitlines()
    assert lines[2].split() == ["host", "host-1,", "planner", "-5.2", "1e-05", "80"]
    assert lines[3] == "planner does worse under the host host-1."
    assert lines[4].startswith("1 alarms in 240 deal groups of classic/multi.")
