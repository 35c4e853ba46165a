"""The table of attacks: what each program in tests/bots/attacks must come to."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import signal
import socket
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Limits, Stage
from tests.referee.sandbox.conftest import (
    ISOLATIONS,
    Holder,
    has_own_kernel,
    processes_with,
    wait_for_output,
)

if TYPE_CHECKING:
    from referee.sandbox import Driver

ATTACKS = Path(__file__).parents[2] / "bots" / "attacks"
MIB = 1024 * 1024
LIMITS = Limits(
    memory_bytes=128 * MIB, processes=40, tmp_bytes=8 * MIB, open_files=64, cpu_seconds=60
)


@dataclass(frozen=True)
class Attack:
    """One program, what it must say, and how it must end."""

    name: str
    says: tuple[str, ...] = ()
    code: int | None = 0
    signal: int | None = None
    machine: str | None = None
    is_of_host: bool = False
    """It tries what gVisor answers by itself: `test_guest.py` has what that must come to."""


NO_TERMINAL = "Inappropriate ioctl for device|Function not implemented"
"""In the words of our own filter, and of the OCI's."""
TABLE = (
    Attack(
        "network",
        says=("no name service", "loopback EAFNOSUPPORT", "refused roundhouse-test"),
        is_of_host=True,
    ),
    Attack("system_calls", says=(r"tried \d\d",), is_of_host=True),
    Attack("foreign_call", code=None, signal=signal.SIGSYS, machine="x86_64", is_of_host=True),
    Attack("x32_call", code=None, signal=signal.SIGSYS, machine="x86_64", is_of_host=True),
    Attack(
        "host_files",
        says=(
            r"loadavg 0.00 0.00 0.00 1/1 1",
            r"stat cpu  0 0 0 0 0 0 0 0 0 0",
            r"meminfo MemTotal: 131072 kB",
            r"sockets \['roundhouse.sock'\]",
        ),
        is_of_host=True,
    ),
    Attack(
        "processes",
        says=("identity Operation not permitted|identity Function not implemented",),
        is_of_host=True,
    ),
    Attack(
        "writing",
        says=(
            "/tmp ENOSPC True",
            "/dev/shm ENOSPC True",
            "/bot (Read-only file system|Permission denied)",
        ),
    ),
    Attack("descriptors", says=("opened 64",)),
    Attack("whispers", says=("done", f"TIOCSTI ({NO_TERMINAL})"), is_of_host=True),
)


def program(name: str) -> dict[str, str]:
    return {"bot.py": (ATTACKS / f"{name}.py").read_text()}


@pytest.mark.parametrize(
    ("isolation", "attack"),
    [
        pytest.param(name, attack, id=f"{name}-{attack.name}")
        for name in ISOLATIONS
        for attack in TABLE
        if name != "runsc" or not attack.is_of_host
    ],
    indirect=["isolation"],
)
def test_an_attack_is_contained(
    isolation: Driver, state: Path, attack: Attack, tmp_path: Path
) -> None:
    if attack.machine not in {None, os.uname().machine}:
        pytest.skip(f"{attack.name} is an attack on {attack.machine} only")
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o644)
    service = socket.create_server(("127.0.0.1", 0))
    arguments = {
        "host_files": (str(secret), str(state), str(Path(__file__))),
        "network": (str(service.getsockname()[1]), "roundhouse-test"),
        "processes": ("/",) if isolation.name == "oci" else (),
    }

    async def play() -> None:
        with socket.socket(socket.AF_UNIX) as abstract, service:
            abstract.bind(b"\0roundhouse-test")
            abstract.listen()
            async with Holder(isolation, Stage(state)) as holder:
                ended = await holder.run(
                    "python3",
                    "bot.py",
                    *arguments.get(attack.name, ()),
                    files=program(attack.name),
                    limits=LIMITS,
                )
        leaks = [line for line in ended.output.splitlines() if line.startswith("LEAK")]
        assert leaks == []
        assert (ended.exit.code, ended.exit.signal) == (attack.code, attack.signal), ended.output
        for pattern in attack.says:
            assert re.search(f"^({pattern})$", ended.output, re.MULTILINE), ended.output

    asyncio.run(play())


@pytest.mark.usefixtures("as_root")
def test_memory_ends_at_its_limit(isolation: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            ended = await holder.run(
                "python3", "bot.py", files=program("memory_bomb"), limits=LIMITS
            )
            assert ended.exit.oom
            assert ended.exit.signal == signal.SIGKILL
            assert not ended.exit.is_ours
            assert ended.exit.describe() == "killed by the kernel at its memory limit"
            assert ended.usage.memory_peak_bytes is not None
            # The kernel lets what it cannot put off pass: a page was seen.
            assert ended.usage.memory_peak_bytes <= LIMITS.memory_bytes + MIB

    asyncio.run(play())


@pytest.mark.usefixtures("as_root")
def test_files_in_memory_count_as_memory(isolation: Driver, state: Path) -> None:
    limits = Limits(memory_bytes=32 * MIB, tmp_bytes=256 * MIB)

    async def play() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            ended = await holder.run("sh", "-c", "head -c 99M /dev/zero >/tmp/x", limits=limits)
            assert ended.exit.oom

    asyncio.run(play())


def test_a_fork_bomb_ends_at_its_limit_and_with_one_kill(isolation: Driver, state: Path) -> None:
    # gVisor's own share of 40 processes of Python is larger than the other attacks' limit.
    limits = replace(LIMITS, memory_bytes=512 * MIB)

    async def play() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            bot = await holder.start("python3", "bot.py", files=program("fork_bomb"), limits=limits)
            await wait_for_output(bot, b"\n")
            forked = int(bot.stderr_tail().split()[1])
            # What holds the bot counts as well: of runc its threads, of which there are several.
            assert LIMITS.processes // 2 <= forked < LIMITS.processes
            assert (await bot.kill()).is_killed

    asyncio.run(play())


@pytest.mark.parametrize("ends_by", ["leave", "stay"])
def test_a_daemon_does_not_outlive_the_bot(isolation: Driver, state: Path, ends_by: str) -> None:
    token = f"{ends_by}-{secrets.token_hex(8)}"

    async def play() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            bot = await holder.start("python3", "bot.py", ends_by, token, files=program("daemon"))
            await wait_for_output(bot, b"daemon")
            if ends_by == "leave":
                assert (await bot.wait()).code == 0
            else:
                assert processes_with(token) or has_own_kernel(isolation)  # which hides them
                await bot.kill()
            assert not processes_with(token)

    asyncio.run(play())


def test_a_bot_reaches_nothing_of_the_bot_beside_it(sandbox: Driver, state: Path) -> None:
    word = secrets.token_hex(8)

    async def play() -> None:
        stage = Stage(state)
        async with Holder(sandbox, stage) as holder:
            victim = await holder.start(
                "sh",
                "-c",
                f"echo {word} >/tmp/{word}; echo {word} >/dev/shm/{word}; echo ready; sleep 60",
                files={"bot.py": word},
                environment={"ROUNDHOUSE_TOKEN": word},
            )
            await wait_for_output(victim, b"ready")
            theirs = next(path for path in stage.folder.iterdir() if path.is_dir())
            socket_path = holder.sockets[0].getsockname()
            ended = await holder.run(
                "python3",
                "bot.py",
                *(str(theirs), socket_path, str(victim.pid), word),
                files=program("neighbour"),
            )
            assert "LEAK" not in ended.output
            assert ended.exit.code == 0, ended.output
            assert ended.output.count("not there") == 5
            assert "processes" in ended.output
            assert (await victim.kill()).is_killed  # it lived on

    asyncio.run(play())
