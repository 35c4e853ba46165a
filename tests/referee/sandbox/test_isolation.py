"""What isolation looks like from outside: uids, environment, groups, and what is left behind."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import secrets
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Limits, SandboxError, SandboxSettings, SandboxSpec, Stage
from referee.sandbox.bubblewrap import BubblewrapDriver
from referee.sandbox.engine import KINDS
from referee.sandbox.hierarchy import find_hierarchy
from tests.referee.sandbox.conftest import (
    Holder,
    driver_named,
    has_own_kernel,
    processes_with,
    wait_for_output,
)

if TYPE_CHECKING:
    from referee.sandbox import Driver

STATUS = ("Uid", "Gid", "Groups", "CapPrm", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")


OPEN_DESCRIPTORS = """
import os
for number in range(256):
    try:
        os.fstat(number)
    except OSError:
        continue
    print(number)
"""


def status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    pairs = (line.split(":", 1) for line in lines)
    return {name: value.strip() for name, value in pairs if name in STATUS}


SLEEPER = "import time; print('ready'); time.sleep(1000)"


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def our_groups() -> set[Path]:
    hierarchy = find_hierarchy(is_whole=True)
    bases = () if hierarchy is None else hierarchy.bases
    return {folder for base in bases for folder in base.glob(f"rh-{os.getpid()}-*")}


@pytest.mark.usefixtures("as_root")
def test_every_bot_has_an_unprivileged_uid_of_its_own(sandbox: Driver, state: Path) -> None:
    token = secrets.token_hex(8)

    async def play() -> None:
        async with Holder(sandbox, Stage(state)) as holder:
            uids = set()
            for number in range(2):
                word = f"{token}-{number}"
                bot = await holder.start("python3", "-c", SLEEPER, word)
                await wait_for_output(bot, b"ready")
                (pid,) = (pid for pid in processes_with(word) if command(pid).startswith("python"))
                seen = status(pid)
                real = set(seen["Uid"].split()) | set(seen["Gid"].split())
                assert len(real) == 1
                uids |= real
                assert all(int(uid) >= 64000 for uid in real)
                assert seen["Groups"] == ""
                assert {seen["CapPrm"], seen["CapEff"], seen["CapBnd"]} == {"0" * 16}
                assert (seen["NoNewPrivs"], seen["Seccomp"]) == ("1", "2")
            assert len(uids) == 2

    asyncio.run(play())


def test_the_environment_is_a_closed_list(isolation: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            ended = await holder.run(
                "python3",
                "-c",
                "import os, json; print(json.dumps(dict(os.environ)))",
                environment={"ROUNDHOUSE_TOKEN": "t"},
            )
            assert json.loads(ended.output) == {
                "HOME": "/tmp",
                "TMPDIR": "/tmp",
                "LANG": "C.UTF-8",
                "PATH": "/opt/roundhouse/bin:/usr/local/bin:/usr/bin:/bin",
                "PWD": "/bot",
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONUNBUFFERED": "1",
                "ROUNDHOUSE_SOCKET": "/run/roundhouse.sock",
                "ROUNDHOUSE_TOKEN": "t",
            }

    asyncio.run(play())


def test_no_descriptor_of_ours_reaches_the_bot(isolation: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            ended = await holder.run("python3", "-c", OPEN_DESCRIPTORS)
            assert ended.output.split() == ["0", "1", "2"]

    asyncio.run(play())


def test_the_rlimits_are_set(sandbox: Driver, state: Path) -> None:
    limits = Limits(processes=50, cpu_seconds=77, open_files=99)

    async def play() -> None:
        async with Holder(sandbox, Stage(state)) as holder:
            ended = await holder.run("cat", "/proc/self/limits", limits=limits)
            for name, value in (
                ("Max processes", 50),
                ("Max cpu time", 77),
                ("Max open files", 99),
                ("Max core file size", 0),
                ("Max file size", limits.tmp_bytes),
            ):
                assert re.search(rf"^{name} +{value} +{value} ", ended.output, re.MULTILINE)

    asyncio.run(play())


@pytest.mark.usefixtures("as_root")
def test_a_bot_that_burns_is_held_to_its_share(isolation: Driver, state: Path) -> None:
    burn = (
        "import time\nend = time.monotonic() + 1\nwhile time.monotonic() < end: pass\n"
        "print(time.process_time())"
    )

    async def play() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            began = time.monotonic()
            ended = await holder.run("python3", "-c", burn, limits=Limits(cpu_cores=0.2))
            took = time.monotonic() - began
            assert ended.usage.cpu_seconds is not None
            assert ended.usage.cpu_seconds < 0.2 * took + 0.2
            if not has_own_kernel(isolation):  # which guesses what a process has used
                assert float(ended.output) < 0.5

    asyncio.run(play())


def test_nothing_is_left_behind(isolation: Driver, state: Path) -> None:
    async def play() -> tuple[set[Path], int, int]:
        async with Holder(isolation, Stage(state)) as holder:
            for command in ("exit 0", "exit 1", "kill -9 $$", "sleep 1000 & sleep 1000"):
                bot = await holder.start("sh", "-c", command)
                await bot.kill()
        gc.collect()
        descriptors = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - the folder reads itself
        left = [path for name in ("run", "containers") for path in (state / name).glob("*")]
        return our_groups(), descriptors, len(left)

    first = asyncio.run(play())
    assert asyncio.run(play()) == first
    assert str(state) not in Path("/proc/self/mounts").read_text()
    assert (first[0], first[2]) == (set(), 0)


@pytest.mark.usefixtures("as_root", "sandbox")
def test_uids_can_run_out_and_come_back(state: Path) -> None:
    few = BubblewrapDriver.find(SandboxSettings("bubblewrap", state, uid_first=65000, uid_count=1))

    async def play() -> None:
        async with Holder(few, Stage(state)) as holder:
            bot = await holder.start("sleep", "1000")
            with pytest.raises(SandboxError, match="all 1 uids from 65000 are in use"):
                await holder.start("sleep", "1000")
            await bot.kill()
            assert (await holder.run("true")).exit.code == 0
        assert our_groups() == set()

    asyncio.run(play())


def test_a_sandbox_that_cannot_be_made_is_our_fault(isolation: Driver, state: Path) -> None:
    async def play() -> None:
        with Stage(state) as stage, socket.socket(socket.AF_UNIX) as listener:
            path = stage.socket()
            listener.bind(str(path))
            bot = await isolation.start(SandboxSpec("test", ("true",), stage.folder / "gone", path))
            end = await bot.wait()
            assert end.is_ours
            # gVisor's launcher knows only that the process that makes the mounts has ended.
            reason = "EOF" if has_own_kernel(isolation) else "gone"
            assert reason in bot.stderr_tail().decode()
            assert end.describe() == "the sandbox could not be set up"

    asyncio.run(play())


SLEEP = "sleep\x00100200300"
"""What nobody else runs, by which the bots' own children are known."""


def wait_for_processes(word: str, count: int) -> list[int]:
    end = time.monotonic() + 10
    while len(found := processes_with(word)) < count:
        assert time.monotonic() < end, found
        time.sleep(0.005)
    return found


REFEREE = """
import asyncio, pathlib, sys
from referee.sandbox import Stage
from tests.referee.sandbox.conftest import Holder, driver_named, wait_for_output

async def play():
    state = pathlib.Path(sys.argv[1])
    driver = driver_named(sys.argv[3], state)
    holder = Holder(driver, Stage(state))
    for _ in range(3):
        bot = await holder.start("sh", "-c", "sleep 100200300 & echo ready; wait", sys.argv[2])
        await wait_for_output(bot, b"ready")
    print("ready", flush=True)
    await bot.wait()

asyncio.run(play())
"""


@pytest.mark.parametrize("name", ["bubblewrap", "runc", "runsc", "trusted"])
def test_a_killed_referee_leaves_no_bot_and_the_next_sweeps_the_rest(
    sandbox: Driver, state: Path, name: str
) -> None:
    token = secrets.token_hex(8)
    sweeper = driver_named(name, state) if name in KINDS else sandbox
    with subprocess.Popen(
        [sys.executable, "-c", REFEREE, str(state), token, name],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as referee:
        try:
            assert referee.stdout is not None
            assert referee.stdout.readline() == b"ready\n"
            word = token
            if has_own_kernel(sweeper):  # which shows nobody what runs in it
                word = f"{state}/containers/rh-{referee.pid}-"
            bots = [pid for pid in processes_with(word) if pid != referee.pid]
            assert len(bots) >= 3
            children = [] if has_own_kernel(sweeper) else wait_for_processes(SLEEP, 3)
            watched = [os.pidfd_open(pid) for pid in (*bots, *children)]
        finally:
            referee.send_signal(signal.SIGKILL)
    asyncio.run(sweeper.probe())
    for process in watched:
        assert select.select([process], [], [], 10)[0]
        os.close(process)
    assert processes_with(word) == []
    for folder in ("run", "containers"):
        assert not list((state / folder).glob(f"rh-{referee.pid}-*"))
    hierarchy = find_hierarchy(is_whole=True)
    for base in () if hierarchy is None else hierarchy.bases:
        assert not list(base.glob(f"rh-{referee.pid}-*"))
