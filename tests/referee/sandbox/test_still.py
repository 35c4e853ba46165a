"""Bots that are held still, on this machine's own kernel."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Limits, Stage
from referee.sandbox.bubblewrap import BubblewrapDriver
from referee.sandbox.oci import OciDriver
from tests.referee.sandbox.conftest import Holder, driver_named, wait_for_output

if TYPE_CHECKING:
    from referee.sandbox import BotProcess, Driver

BURN = "print('burning', flush=True)\nwhile True: pass"
SETTLE_SECONDS = 1.0
"""A busy machine takes up to a twentieth of a second to bring every thread to a halt."""
V1_FREEZER = Path("/sys/fs/cgroup/freezer")

pytestmark = pytest.mark.usefixtures("as_root")


Grouping = BubblewrapDriver | OciDriver


@pytest.fixture(params=["bubblewrap", "bubblewrap by v1 alone", "runc", "runsc"])
def held(request: pytest.FixtureRequest, state: Path) -> Grouping:
    """A driver with this machine's groups, or where it has them with the older kind alone."""
    name, _, is_old = request.param.partition(" ")
    driver = driver_named(name, state)
    assert isinstance(driver, Grouping)
    found = driver.hierarchy
    if found is None:
        pytest.skip("no control groups here")
    if is_old:
        if found.version != 1 or not (V1_FREEZER / "cgroup.procs").exists():
            pytest.skip("no v1 freezer here")
        folders = {**found.folders, "freezer": V1_FREEZER}
        driver.hierarchy = replace(found, folders=folders, unified=None)
    return driver


async def used_in(process: BotProcess, seconds: float) -> timedelta:
    before = process.meter()
    await asyncio.sleep(seconds)
    after = process.meter()
    if before is None or after is None:
        pytest.skip("no processor time counted here")
    return after - before


def test_a_frozen_bot_uses_no_processor_and_goes_on_when_thawed(
    held: BubblewrapDriver | OciDriver,
) -> None:
    async def run() -> None:
        async with Holder(held, Stage(held.state)) as holder:
            process = await holder.start("python3", "-c", BURN)
            await wait_for_output(process, b"burning")
            assert process.freeze()
            await asyncio.sleep(SETTLE_SECONDS)
            assert await used_in(process, 0.5) < timedelta(milliseconds=1)
            process.thaw()
            assert await used_in(process, 1.0) > timedelta(milliseconds=20)

    asyncio.run(run())


def test_a_frozen_bot_is_ended_as_fast_as_any(held: Grouping) -> None:
    async def run() -> None:
        async with Holder(held, Stage(held.state)) as holder:
            process = await holder.start("python3", "-c", BURN)
            await wait_for_output(process, b"burning")
            process.freeze()
            began = time.monotonic()
            ended = await process.kill()
            assert ended.is_killed
            assert time.monotonic() - began < 3
            process.thaw()  # of a bot that is gone: nothing happens
            assert not process.freeze()

    asyncio.run(run())


def test_a_bot_that_uses_up_its_share_is_no_victim_of_the_machine(
    sandbox: Driver, state: Path
) -> None:
    async def run() -> None:
        async with Holder(sandbox, Stage(state)) as holder:
            limits = Limits(cpu_cores=0.1)
            process = await holder.start("python3", "-c", BURN, limits=limits)
            await wait_for_output(process, b"burning")
            before = process.stalled()
            await asyncio.sleep(1.0)
            after = process.stalled()
            if before is None or after is None:
                pytest.skip("this machine does not tell who waits for a processor")
            # Nine tenths of a second it had to stand still, by its own limit.
            assert after - before < timedelta(seconds=0.7)

    asyncio.run(run())
