"""Holding something harmless, and asking it what it sees: the policy as it is, not as meant."""

from __future__ import annotations

import os
import platform
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.sandbox.driver import SandboxUnavailable
from referee.sandbox.policy import PolicyReport
from referee.sandbox.spec import Limits, SandboxSpec
from referee.sandbox.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from referee.sandbox.bubblewrap import BubblewrapDriver
    from referee.sandbox.driver import Driver
    from referee.sandbox.hierarchy import Hierarchy
    from referee.sandbox.spec import Exit

QUESTIONS = r"""
while read -r key value; do case $key in
    Uid:|CapPrm:|CapEff:|CapBnd:|NoNewPrivs:|Seccomp:) echo "$key $value";;
esac; done </proc/self/status
while read -r name rest; do case $name in
    *:) echo "interface: ${name%:}";;
esac; done </proc/net/dev
for process in /proc/[0-9]*; do echo "process: ${process#/proc/}"; done
for place in / /dev /usr /etc /bot /run; do test -w $place && echo "writable: $place"; done
python3 -c 'import grpc, google.protobuf, roundhouse; print("python: yes")'
echo done:
"""
"""A shell script, since the machine's shell is what every sandbox has; answers are
``key: value`` lines."""

LOOKED_AT = "every bot looked at before each game"
"""By its process's `breaches`, since what a probe saw is another sandbox's."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What the held script said."""

    lines: tuple[str, ...]

    def values(self, key: str) -> list[str]:
        """Return all values under a key."""
        return [line.removeprefix(f"{key}: ") for line in self.lines if line.startswith(f"{key}: ")]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a held script said, how it ended, and whether it could be held still."""

    said: str
    answers: Answers
    exit: Exit
    has_freezer: bool

    @property
    def is_answered(self) -> bool:
        """Tell whether the script came to its end in a sandbox."""
        return not self.exit.is_ours and "done:" in self.answers.lines

    @property
    def last(self) -> str:
        """Return the last line, which says why if something is wrong."""
        lines = self.said.strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def require(self, promises: Iterable[tuple[str, bool]]) -> None:
        """Raise `SandboxUnavailable` unless every promise holds and Python runs."""
        broken = [what for what, holds in promises if not holds]
        if broken:
            raise SandboxUnavailable(f"the sandbox does not hold here: {'; '.join(broken)}")
        if not self.answers.values("python"):
            raise SandboxUnavailable(f"Python does not run in the sandbox: {self.last}")


async def ask(driver: Driver, state: Path) -> Seen:
    """Run the script as a bot would run."""
    with Stage(state) as stage, socket.socket(socket.AF_UNIX) as listener:
        path = stage.socket()
        listener.bind(str(path))
        folder = stage.new_folder()
        folder.chmod(0o755)
        spec = SandboxSpec("probe", ("/bin/sh", "-c", QUESTIONS), folder, path)
        process = await driver.start(spec)
        has_freezer = process.freeze()
        process.thaw()
        exit_ = await process.wait()
    said = process.stderr_tail().decode(errors="replace")
    return Seen(said, Answers(tuple(said.splitlines())), exit_, has_freezer)


async def examine(driver: BubblewrapDriver) -> PolicyReport:
    """Run the script in a sandbox as a bot would run, and report.

    Raises `SandboxUnavailable` if the sandbox cannot be made, or does not hold what every one
    must: then no bot may run here.
    """
    seen = await ask(driver, driver.state)
    if not seen.is_answered:
        raise SandboxUnavailable(
            f"bubblewrap cannot make a sandbox here ({seen.exit.describe()}: {seen.last}); allow"
            " user namespaces on this machine, or run with --trusted to play bots of your own"
            " unrated"
        )
    seen.require(_promises(driver, seen.answers))
    enforced, missing = _features(driver, has_freezer=seen.has_freezer)
    return PolicyReport(
        driver=driver.name,
        is_isolated=True,
        enforced=(*(what for what, _ in _promises(driver, seen.answers)), *enforced),
        missing=tuple(missing),
        facts=(
            ("bubblewrap", f"{driver.binary.version} ({driver.binary.origin})"),
            *machine_facts(driver.hierarchy),
        ),
        has_meter=driver.has_meter,
    )


def machine_facts(hierarchy: Hierarchy | None) -> tuple[tuple[str, str], ...]:
    """Return what is worth knowing of this machine, whatever holds its bots."""
    groups = "none" if hierarchy is None else hierarchy.describe()
    return (
        ("kernel", f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("control groups", groups),
        ("python", platform.python_version()),
    )


def _promises(driver: BubblewrapDriver, answers: Answers) -> Iterator[tuple[str, bool]]:
    """Yield what every sandbox must hold, each with what was seen."""
    zero = ["0000000000000000"]
    capabilities = [answers.values(name) for name in ("CapPrm", "CapEff", "CapBnd")]
    yield "no capabilities", capabilities == [zero, zero, zero]
    yield "no new privileges", answers.values("NoNewPrivs") == ["1"]
    yield "no network but its own loopback", set(answers.values("interface")) <= {"lo"}
    yield "no processes but its own", len(answers.values("process")) <= 3
    yield "read-only system and bot", not answers.values("writable")
    if driver.seccomp is not None:
        yield "allow-list of system calls (seccomp)", answers.values("Seccomp") == ["2"]


def _features(driver: BubblewrapDriver, *, has_freezer: bool) -> tuple[list[str], list[str]]:
    """Return what is enforced beyond that on this machine, and what is missing."""
    found = group_features(driver.hierarchy, has_freezer=has_freezer)
    rows = (
        ("allow-list of system calls (seccomp)", driver.seccomp is not None, False),
        ("no new user namespaces", "--disable-userns" in driver.binary.options, True),
        ("a uid of its own for every bot", os.geteuid() == 0, True),
        (LOOKED_AT, True, True),
        *((what, has, True) for what, has in found),
    )
    enforced = [what for what, has, is_said in rows if has and is_said]
    enforced += ["limits of each process (rlimits)", f"limits: {Limits().describe()}"]
    return enforced, [what for what, has, _ in rows if not has]


def group_features(hierarchy: Hierarchy | None, *, has_freezer: bool) -> Iterator[tuple[str, bool]]:
    """Yield what control groups can do for a bot, each with whether this machine's do."""
    groups = "cgroup" if hierarchy is None else f"cgroup {hierarchy.describe()}"
    folders = {} if hierarchy is None else hierarchy.folders
    yield f"memory limit by {groups}", "memory" in folders
    yield f"process limit by {groups}", "pids" in folders
    yield f"processor share by {groups}", "cpu" in folders
    yield (
        f"processor time counted by {groups}",
        hierarchy is not None and hierarchy.has_meter,
    )
    yield f"bots held still while others move by {groups}", has_freezer
