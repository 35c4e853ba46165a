"""What the kernel says of running bots, and of processes that are not held as bots must be."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Stage
from referee.sandbox.custody import NAMESPACES, Custody
from tests.referee.sandbox.conftest import Holder, wait_for_output

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox import Driver

UID = 64_007
HELD = {
    "State": "S (sleeping)",
    "Uid": "\t".join([str(UID)] * 4),
    "CapPrm": "0" * 16,
    "CapEff": "0" * 16,
    "CapBnd": "0" * 16,
    "NoNewPrivs": "1",
    "Seccomp": "2",
}
FAMILY = """
import os, sys, threading, time
if os.fork() == 0:
    time.sleep(1000)
def start():
    os.posix_spawn(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)"], {})
threading.Thread(target=start).start()
print("ready")
time.sleep(1000)
"""
"""A bot of three processes, one of them another thread's child."""


def machine(folder: Path, *processes: dict[str, str], shared: tuple[str, ...] = ()) -> Path:
    """Make a /proc of processes from 1 on, which share some of our namespaces."""
    for pid, status in [("self", HELD), *enumerate(processes, 1)]:
        place = folder / str(pid)
        (place / "ns").mkdir(parents=True)
        lines = [f"{name}:\t{value}\n" for name, value in status.items()]
        (place / "status").write_text("".join(lines), encoding="utf-8")
        for name in NAMESPACES:
            number = 1 if pid == "self" or name in shared else 2
            (place / "ns" / name).symlink_to(f"{name}:[{number}]")
    return folder


@pytest.mark.parametrize(
    ("change", "clauses"),
    [
        ({}, ()),
        ({"NoNewPrivs": "0"}, ("it may gain privileges",)),
        ({"CapEff": "0000000000000400"}, ("it has capabilities",)),
        ({"CapPrm": "0000000000000400"}, ("it has capabilities",)),
        ({"CapBnd": "000001ffffffffff"}, ("it has capabilities",)),
        ({"Seccomp": "0"}, ("its system calls are not filtered",)),
        ({"Seccomp": "1"}, ("its system calls are not filtered",)),
        ({"Uid": "0\t0\t0\t0"}, (f"it runs as another uid than {UID}",)),
        ({"Uid": f"{UID}\t0\t{UID}\t{UID}"}, (f"it runs as another uid than {UID}",)),
        ({"State": "Z (zombie)", "NoNewPrivs": "0", "Seccomp": "0"}, ()),
        (
            {"NoNewPrivs": "0", "Seccomp": "0"},
            ("it may gain privileges", "its system calls are not filtered"),
        ),
    ],
)
def test_every_promise_is_looked_at(
    tmp_path: Path, change: dict[str, str], clauses: tuple[str, ...]
) -> None:
    custody = Custody(UID, is_filtered=True, proc=machine(tmp_path, HELD | change))
    assert custody.breaches([1]) == clauses


@pytest.mark.parametrize("name", NAMESPACES)
def test_a_namespace_that_is_ours_is_told_by_its_name(tmp_path: Path, name: str) -> None:
    custody = Custody(UID, is_filtered=True, proc=machine(tmp_path, HELD, shared=(name,)))
    assert custody.breaches([1]) == (f"it shares our {name} namespace",)


def test_one_process_of_many_is_enough_and_is_told_once(tmp_path: Path) -> None:
    loose = HELD | {"Seccomp": "0"}
    custody = Custody(UID, is_filtered=True, proc=machine(tmp_path, HELD, loose, loose))
    assert custody.breaches([1, 2, 3]) == ("its system calls are not filtered",)


def test_what_a_machine_does_not_have_is_not_asked_for(tmp_path: Path) -> None:
    bare = HELD | {"Seccomp": "0", "Uid": "1000\t1000\t1000\t1000"}
    proc = machine(tmp_path, bare)
    assert not Custody(None, is_filtered=False, proc=proc).breaches([1])


def test_a_process_that_has_ended_breaches_nothing_and_is_not_alive(tmp_path: Path) -> None:
    zombie = HELD | {"State": "Z (zombie)"}
    custody = Custody(UID, is_filtered=True, proc=machine(tmp_path, HELD, zombie))
    assert not custody.breaches([99])
    assert [custody.is_alive(pid) for pid in (1, 2, 99)] == [True, False, False]


def test_we_ourselves_are_not_held() -> None:
    clauses = Custody(os.getuid() + 1, is_filtered=False).breaches([os.getpid()])
    assert f"it runs as another uid than {os.getuid() + 1}" in clauses
    assert {f"it shares our {name} namespace" for name in NAMESPACES} <= set(clauses)


def test_nothing_is_amiss_with_a_bot_of_several_processes(isolation: Driver, state: Path) -> None:
    async def run() -> None:
        async with Holder(isolation, Stage(state)) as holder:
            process = await holder.start("python3", "-c", FAMILY)
            await wait_for_output(process, b"ready")
            assert process.breaches() == ()
            await process.kill()
            assert process.breaches() == ()

    asyncio.run(run())
