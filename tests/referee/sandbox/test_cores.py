"""Bots of a lane stay on one core, whichever way they were started, and lanes share none."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import PinnedDriver, Stage, WarmDriver, can_pin
from referee.sandbox.ahead import AheadDriver
from referee.sandbox.cores import take_core
from referee.sandbox.pinned import PROMISE
from referee.sandbox.trusted import TrustedDriver
from tests.referee.sandbox.conftest import Holder

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox import Driver

PROGRAM = """
import ctypes, errno, os
print(sorted(os.sched_getaffinity(0)))
try:
    os.sched_setaffinity(0, range(64))
except OSError as error:
    print(errno.errorcode[error.errno])
child = os.popen("python3 -c 'import os; print(sorted(os.sched_getaffinity(0)))'").read()
print(child, end="")
"""

several = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="this machine has but one core"
)


@several
@pytest.mark.parametrize("is_warm", [False, True], ids=["cold", "warm"])
def test_a_bot_stays_on_the_core_of_its_lane(
    sandbox: Driver, state: Path, *, is_warm: bool
) -> None:
    assert can_pin(sandbox)
    assert isinstance(sandbox, AheadDriver)
    stage = Stage(state)

    async def play() -> None:
        warm = WarmDriver(sandbox, stage)
        if is_warm:
            warm.prepare(2)
        driver = PinnedDriver(warm, state / "cores")
        async with Holder(driver, stage) as holder:
            said = {
                (await holder.run("python3", "bot.py", files={"bot.py": PROGRAM})).output
                for _ in range(2)
            }
            (core, refusal, inherited) = said.pop().splitlines()
            assert (said, refusal) == (set(), "ENOSYS")
            assert core == inherited
            assert int(core.strip("[]")) in os.sched_getaffinity(0)
        await warm.close()
        driver.close()

    asyncio.run(play())


@several
def test_lanes_take_different_cores_until_all_are_taken(tmp_path: Path) -> None:
    mine = os.sched_getaffinity(0)
    cores = [take_core(tmp_path / "cores") for _ in mine]
    assert {core.number for core in cores if core} == mine
    shared = take_core(tmp_path / "cores")
    assert shared is not None
    assert shared.number in mine
    assert cores[0] is not None
    cores[0].release()
    again = take_core(tmp_path / "cores")
    assert again is not None
    assert again.number == cores[0].number
    for core in (*cores, shared, again):
        assert core is not None
        core.release()


def test_where_there_is_but_one_core_nobody_is_kept_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3})
    assert take_core(tmp_path / "cores") is None


def test_plain_processes_run_where_they_like() -> None:
    assert not can_pin(TrustedDriver())


@several
def test_the_report_says_that_bots_stay_on_their_core(sandbox: Driver, state: Path) -> None:
    report = asyncio.run(PinnedDriver(sandbox, state / "cores").probe())
    assert PROMISE in report.enforced
