"""A bot in a prepared sandbox runs as one that was started from cold."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Limits, SandboxError, Stage
from referee.sandbox.ahead import AheadDriver
from referee.sandbox.warm import MOST_LOST, WarmDriver
from tests.referee.sandbox.conftest import END_SECONDS, Ended, Holder, wait_for_output
from tests.referee.sandbox.test_attacks import program

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from referee.sandbox import Driver

PROBE = r"""
import __main__, json, os, random, signal, sys, threading
import roundhouse
main = {name: repr(value) for name, value in vars(__main__).items() if name != "main"}
main["__loader__"] = type(__main__.__loader__).__name__
main.pop("__spec__")
status = open("/proc/self/status").read().splitlines()
fields = ("Uid", "Gid", "Groups", "CapPrm", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Threads")
mounts = [line.split(" - ")[0].split()[4:6] for line in open("/proc/self/mountinfo")]
def can_write(place):
    try:
        open(place + "/x", "w").close()
    except OSError as error:
        return error.strerror
    os.unlink(place + "/x")
print(json.dumps({
    "main": main, "argv": sys.argv, "orig_argv": sys.orig_argv, "path": sys.path,
    "folder": os.getcwd(), "files": sorted(os.listdir()),
    "spec": [getattr(__main__.__spec__, part, None) for part in ("name", "origin", "parent")],
    "environment": dict(sorted(os.environ.items())), "flags": str(sys.flags),
    "stdin": sys.stdin.read(), "descriptors": sorted(os.listdir("/proc/self/fd")),
    "stdin is": os.readlink("/proc/self/fd/0"), "threads": threading.active_count(),
    "status": [line for line in status if line.partition(":")[0] in fields],
    "writable": {place: can_write(place) for place in ("/", "/bot", "/run", "/usr", "/tmp")},
    "mounts": sorted(mount for mount in mounts if "roundhouse" not in mount[0]),
    "processes": len([name for name in os.listdir("/proc") if name.isdecimal()]),
    "signals": [str(signal.getsignal(n)) for n in (2, 13, 15)],
}, indent=1, default=str))
"""
PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "probe.py": ("probe.py", "--depth", "3"),
    "inner/probe.py": ("inner/probe.py",),
    "-m": ("-m", "probe", "-x"),
    "-m package": ("-m", "package"),
    "raises": ("raises.py",),
    "does not compile": ("broken.py",),
    "raises in a module": ("-m", "raises"),
    "no such module": ("-m", "absent"),
    "exit code": ("exits.py", "7"),
    "exit sentence": ("exits.py", "I do not like this game."),
    "exits at once": ("exits_at_once.py",),
    "signal": ("killed.py",),
    "own hook": ("hooks.py",),
    "thread after the end": ("threads.py",),
    "pickles its own": ("pickles.py",),
    "no such script": ("absent.py",),
    "not a script of ours": ("/bot/probe.py",),
    "brings a module of a known name": ("shadow/main.py",),
}
FILES = {
    "probe.py": PROBE,
    "inner/probe.py": PROBE,
    "package/__main__.py": "from . import part\nprint(__name__, __package__, part.__file__)\n",
    "package/part.py": "",
    "app/__main__.py": "",
    "roundhouse.toml": "",
    "raises.py": "def slip():\n    raise ValueError('a slip')\nslip()\n",
    "broken.py": "print('never')\nif:\n",
    "exits.py": "import sys\nword = sys.argv[1]\nsys.exit(int(word) if len(word) == 1 else word)\n",
    "exits_at_once.py": "import os\nos._exit(5)\n",
    "killed.py": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "hooks.py": "import sys\nsys.excepthook = lambda *a: print('mine', a[0].__name__)\n1 / 0\n",
    "threads.py": "import threading, time, sys\ndef work():\n    threading.main_thread().join()\n"
    "    print(sys.modules['__main__'].work is work)\nthreading.Thread(target=work).start()\n",
    "pickles.py": "import pickle\nclass Card: pass\n"
    "print(type(pickle.loads(pickle.dumps(Card()))) is Card)\n",
    "shadow/main.py": "import random\nprint(random.__file__)\n",
    "shadow/random.py": "",
}

KNOWN = "/opt/roundhouse/boot.py"
"""What the command line of such an interpreter shows, and every bot may know."""


@asynccontextmanager
async def prepared(sandbox: Driver, state: Path, count: int) -> AsyncIterator[Holder]:
    """Hold programs in sandboxes of which so many are ready."""
    assert isinstance(sandbox, AheadDriver)
    stage = Stage(state)
    driver = WarmDriver(sandbox, stage)
    async with Holder(driver, stage) as holder:
        try:
            driver.prepare(count)
            await until_ready(driver, count)
            yield holder
        finally:
            await driver.close()


async def until_ready(driver: WarmDriver, count: int) -> None:
    async with asyncio.timeout(END_SECONDS):
        while driver.idle < count:  # noqa: ASYNC110 - a driver tells nobody
            await asyncio.sleep(0.01)


def idle_of(holder: Holder) -> int:
    assert isinstance(holder.driver, WarmDriver)
    return holder.driver.idle


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def told(ended: Ended) -> tuple[int | None, int | None, str]:
    return ended.exit.code, ended.exit.signal, ended.output


@pytest.mark.parametrize("arguments", PROGRAMS.values(), ids=PROGRAMS)
def test_a_bot_runs_as_it_would_from_cold(
    sandbox: Driver, state: Path, arguments: tuple[str, ...]
) -> None:
    environment = {"ROUNDHOUSE_TOKEN": "t0ken"}

    async def play() -> None:
        async with prepared(sandbox, state, 1) as holder:
            ends = []
            for _ in range(2):  # the first is taken warm if it can be, the second cold
                ended = await holder.run(
                    "python3", *arguments, files=FILES, environment=environment
                )
                ends.append(ended)
            warm, cold = ends
            assert told(warm) == told(cold)
            assert not warm.exit.is_ours

    asyncio.run(play())


@pytest.mark.parametrize(
    ("command", "limits", "is_warm"),
    [
        (("python3", "exits.py", "0"), Limits(), True),
        (("python3", "-m", "package"), Limits(), True),
        (("python3", "-u", "exits.py", "0"), Limits(), False),
        (("python3", "-mpackage"), Limits(), False),
        (("python", "exits.py", "0"), Limits(), False),
        (("sh", "-c", "exit"), Limits(), False),
        (("python3", "exits.py", "0"), Limits(processes=32), False),
        (("python3", "app"), Limits(), False),
        (("python3", "shadow/main.py"), Limits(), False),
    ],
)
def test_only_a_bot_that_fits_takes_a_prepared_sandbox(
    sandbox: Driver, state: Path, command: tuple[str, ...], limits: Limits, *, is_warm: bool
) -> None:
    async def play() -> None:
        async with prepared(sandbox, state, 1) as holder:
            ended = await holder.run(*command, files=FILES, limits=limits)
            assert ended.exit.code == 0
            assert idle_of(holder) == (0 if is_warm else 1)

    asyncio.run(play())


def test_bots_share_no_hash_seed_and_no_random_state_and_see_nothing_of_each_other(
    sandbox: Driver, state: Path
) -> None:
    program = (
        "import os, random\nprint(hash('seat'), random.random(), random.getrandbits(64))\n"
        "print(*os.listdir('/bot'))\n"
    )

    async def play() -> None:
        async with prepared(sandbox, state, 2) as holder:
            said = []
            for name in ("one.py", "two.py"):
                ended = await holder.run("python3", name, files={name: program})
                numbers, seen = ended.output.splitlines()
                assert seen == name
                said.append(numbers.split())
            assert idle_of(holder) == 0
            assert all(one != other for one, other in zip(*said, strict=True))

    asyncio.run(play())


def test_a_bot_reaches_its_socket_and_nothing_else_can_be_put_beside_it(
    sandbox: Driver, state: Path
) -> None:
    program = """
import os, socket
with socket.socket(socket.AF_UNIX) as client:
    client.connect(os.environ["ROUNDHOUSE_SOCKET"])
    print("connected")
try:
    open("/run/roundhouse/other", "w")
except OSError as error:
    print(error.strerror)
"""

    async def play() -> None:
        async with prepared(sandbox, state, 1) as holder:
            ended = await holder.run("python3", "bot.py", files={"bot.py": program})
            assert ended.output == "connected\nRead-only file system\n"

    asyncio.run(play())


def test_a_prepared_sandbox_that_ends_unused_is_replaced_but_not_for_ever(
    sandbox: Driver, state: Path
) -> None:
    async def play() -> None:
        async with prepared(sandbox, state, 1) as holder:
            driver = holder.driver
            assert isinstance(driver, WarmDriver)
            for _ in range(MOST_LOST):
                (ahead,) = driver.ready()
                await ahead.process.kill()
                await until_ready(driver, 1)
            (ahead,) = driver.ready()
            await ahead.process.kill()
            await asyncio.sleep(0)
            assert driver.idle == 0
            ended = await holder.run("python3", "exits.py", "0", files=FILES)
            assert ended.exit.code == 0

    asyncio.run(play())


def test_an_interpreter_that_ends_before_it_becomes_the_bot_is_our_fault(
    sandbox: Driver, state: Path
) -> None:
    async def play() -> None:
        async with prepared(sandbox, state, 1) as holder:
            driver = holder.driver
            assert isinstance(driver, WarmDriver)
            (ahead,) = driver.ready()
            os.kill(ahead.process.pid, signal.SIGSTOP)  # its end is not noticed before the order
            assert ahead.process.freeze()
            bot = await holder.start("python3", "exits.py", "0", files=FILES)
            assert bot is ahead.process
            os.kill(bot.pid, signal.SIGKILL)
            end = await bot.wait()
            assert (end.is_ours, end.is_killed) == (True, False)

    asyncio.run(play())


def test_nothing_is_left_of_sandboxes_that_nobody_needed(sandbox: Driver, state: Path) -> None:
    before = descriptors()

    async def play() -> None:
        async with prepared(sandbox, state, 2) as holder:
            driver = holder.driver
            assert isinstance(driver, WarmDriver)
            processes = [ahead.process for ahead in driver.ready()]
        for process in processes:
            assert (await process.wait()).is_killed
        with pytest.raises(ProcessLookupError):
            os.kill(processes[0].pid, 0)

    asyncio.run(play())
    assert descriptors() == before
    assert list((state / "run").iterdir()) == []


def test_a_machine_that_cannot_prepare_plays_all_the_same(
    sandbox: Driver, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise SandboxError("no uid is free")

    async def play() -> None:
        stage = Stage(state)
        assert isinstance(sandbox, AheadDriver)
        with monkeypatch.context() as patch:
            patch.setattr(type(sandbox), "hold", refuse)
            driver = WarmDriver(sandbox, stage)
            driver.prepare(2)
        async with Holder(driver, stage) as holder:
            ended = await holder.run("python3", "exits.py", "0", files=FILES)
            assert ended.exit.code == 0

    asyncio.run(play())


def test_a_bot_that_hangs_is_killed_and_what_it_said_is_kept(sandbox: Driver, state: Path) -> None:
    program = "import time\nprint('ready')\ntime.sleep(1000)\n"

    async def play() -> None:
        async with prepared(sandbox, state, 1) as holder:
            bot = await holder.start("python3", "bot.py", files={"bot.py": program})
            await wait_for_output(bot, b"ready")
            assert (await bot.kill()).is_killed
            assert bot.stderr_tail() == b"ready\n"

    asyncio.run(play())


@pytest.mark.parametrize(
    "attack", ["host_files", "network", "processes", "system_calls", "whispers", "writing"]
)
def test_an_attack_comes_to_the_same_in_a_prepared_sandbox(
    sandbox: Driver, state: Path, attack: str
) -> None:
    async def play() -> None:
        async with prepared(sandbox, state, 1) as holder:
            said = []
            for _ in range(2):
                ended = await holder.run("python3", "bot.py", files=program(attack))
                said.append({line for line in ended.output.splitlines() if KNOWN not in line})
            assert idle_of(holder) == 0
            warm, cold = said
            assert warm - cold <= {"sockets ['roundhouse', 'roundhouse.sock']"}
            assert not any("LEAK" in line for line in warm)

    asyncio.run(play())
