"""What a killed sandbox leaves behind is reaped by us, and not by whoever runs the machine."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Stage
from referee.sandbox.adoption import adopt_orphans, reap
from referee.sandbox.engine import KINDS
from tests.referee.sandbox.conftest import Holder, driver_named, wait_for_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.sandbox import Driver


@pytest.fixture
def adopting() -> Iterator[None]:
    assert adopt_orphans()
    yield
    assert adopt_orphans(is_wanted=False)


@pytest.mark.usefixtures("adopting")
def test_no_defunct_process_is_left_of_a_killed_sandbox(sandbox: Driver, state: Path) -> None:
    before = children()

    async def play() -> None:
        async with Holder(sandbox, Stage(state)) as holder:
            for _ in range(10):  # whichever of its two processes ends first
                bot = await holder.start("sh", "-c", "echo ready; sleep 1000")
                await wait_for_output(bot, b"ready")
                assert (await bot.kill()).is_killed
                assert children() == before

    asyncio.run(play())


@pytest.mark.usefixtures("adopting")
@pytest.mark.parametrize("runtime", KINDS)
def test_no_defunct_process_is_left_of_a_container_however_it_ends(
    state: Path, runtime: str
) -> None:
    before = children()

    async def play() -> None:
        async with Holder(driver_named(runtime, state), Stage(state)) as holder:
            assert (await holder.run("sh", "-c", "sleep 1000 & exit 3")).exit.code == 3
            assert children() == before
            bot = await holder.start("sh", "-c", "echo ready; sleep 1000")
            await wait_for_output(bot, b"ready")
            assert (await bot.kill()).is_killed
            assert children() == before

    asyncio.run(play())


@pytest.mark.usefixtures("adopting")
def test_an_orphan_falls_to_us_and_is_reaped_once_it_has_ended() -> None:
    command = ["sh", "-c", "exec 3<&0; cat <&3 >/dev/null & echo $!"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        orphan = int(parent.stdout.readline())
        parent.wait()
        assert orphan in children()
    os.waitid(os.P_PID, orphan, os.WEXITED | os.WNOWAIT)  # it has read to the end
    reap(orphan)
    assert orphan not in children()
    reap(orphan)  # again does no harm


def children() -> set[int]:
    """Return the children of this process, defunct ones included."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for one in lists for pid in one.read_text(encoding="ascii").split()}
