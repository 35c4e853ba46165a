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
    from collections.abc import Iterator

    from referee.sandbox.bubblewrap import BubblewrapDriver

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


@dataclass(frozen=True, slots=True)
class Answers:
    """What the held script said."""

    lines: tuple[str, ...]

    def values(self, key: str) -> list[str]:
        """Return all values under a key."""
        return [line.removeprefix(f"{key}: ") for line in self.lines if line.startswith(f"{key}: ")]


async def examine(driver: BubblewrapDriver) -> PolicyReport:
    """Run the script in a sandbox as a bot would run, and report.

    Raises `SandboxUnavailable` if the sandbox cannot be made, or does not hold what every one
    must: then no bot may run here.
    """
    with Stage(driver.state) as stage, socket.socket(socket.AF_UNIX) as listener:
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
    answers = Answers(tuple(said.splitlines()))
    if exit_.is_ours or "done:" not in answers.lines:
        raise SandboxUnavailable(
            f"bubblewrap cannot make a sandbox here ({exit_.describe()}: {_last(said)}); allow"
            " user namespaces on this machine, or run with --trusted to play bots of your own"
            " unrated"
        )
    broken = [what for what, holds in _promises(driver, answers) if not holds]
    if broken:
        raise SandboxUnavailable(f"the sandbox does not hold here: {'; '.join(broken)}")
    if not answers.values("python"):
        raise SandboxUnavailable(f"Python does not run in the sandbox: {_last(said)}")
    enforced, missing = _features(driver, has_freezer=has_freezer)
    return PolicyReport(
        driver=driver.name,
        is_isolated=True,
        enforced=(*(what for what, _ in _promises(driver, answers)), *enforced),
        missing=tuple(missing),
        facts=(
            ("bubblewrap", f"{driver.binary.version} ({driver.binary.origin})"),
            ("kernel", f"{platform.system()} {platform.release()} {platform.machine()}"),
            ("control groups", "none" if driver.hierarchy is None else driver.hierarchy.describe()),
            ("python", platform.python_version()),
        ),
        has_meter=driver.has_meter,
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
    groups = "" if driver.hierarchy is None else f"cgroup {driver.hierarchy.describe()}"
    rows = (
        ("allow-list of system calls (seccomp)", driver.seccomp is not None, False),
        ("no new user namespaces", "--disable-userns" in driver.binary.options, True),
        ("a uid of its own for every bot", os.geteuid() == 0, True),
        (f"memory limit by {groups or 'cgroup'}", driver.has_group("memory"), True),
        (f"process limit by {groups or 'cgroup'}", driver.has_group("pids"), True),
        (f"processor share by {groups or 'cgroup'}", driver.has_group("cpu"), True),
        (f"processor time counted by {groups or 'cgroup'}", driver.has_meter, True),
        (f"bots held still while others move by {groups or 'cgroup'}", has_freezer, True),
    )
    enforced = [what for what, has, is_said in rows if has and is_said]
    enforced += ["limits of each process (rlimits)", f"limits: {Limits().describe()}"]
    return enforced, [what for what, has, _ in rows if not has]


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it said nothing"
