"""The sandbox's values and small parts: what they refuse, keep and say."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.sandbox import Exit, Limits, PolicyReport, SandboxSettings, SandboxSpec
from referee.sandbox.owner import Owner
from referee.sandbox.process import verdict
from referee.sandbox.reach import is_reachable
from referee.sandbox.status import Status
from referee.sandbox.tail import Tail
from referee.sandbox.uids import UidPool

SPEC: dict[str, Any] = {
    "name": "planner",
    "command": ("python3", "bot.py"),
    "folder": Path("/bots/planner"),
    "socket": Path("/run/seat.sock"),
}


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("memory_bytes", 0),
        ("processes", -1),
        ("cpu_cores", 0.0),
        ("cpu_seconds", 0),
        ("tmp_bytes", 0),
        ("open_files", 3),
    ],
)
def test_a_limit_that_would_mean_no_limit_is_refused(limit: str, value: float) -> None:
    given: dict[str, Any] = {limit: value}
    with pytest.raises(ValueError, match=limit):
        Limits(**given)


def test_limits_describe_themselves_in_one_line() -> None:
    assert Limits().describe() == (
        "memory_bytes=536870912 processes=64 cpu_cores=1 cpu_seconds=14400"
        " tmp_bytes=67108864 open_files=256"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"command": ()}, "planner: the entry command is empty"),
        ({"command": ("",)}, "planner: the entry command is empty"),
        ({"command": ("a\0b",)}, "planner: a NUL byte"),
        ({"environment": {"ROUNDHOUSE_TOKEN": "a\0b"}}, "planner: a NUL byte"),
        ({"environment": {"LD_PRELOAD": "x"}}, "planner: LD_PRELOAD is not a ROUNDHOUSE_ variable"),
    ],
)
def test_a_spec_that_could_not_be_run_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SandboxSpec(**(SPEC | change))


EXITS = [
    (Exit(3, None), "exit code 3"),
    (Exit(None, 11), "killed by signal 11"),
    (Exit(None, 9, oom=True), "killed by the kernel at its memory limit"),
    (Exit(1, None, is_ours=True), "the sandbox could not be set up"),
]


@pytest.mark.parametrize(("end", "words"), EXITS)
def test_an_exit_says_how_it_came(end: Exit, words: str) -> None:
    assert end.describe() == words


VERDICTS = [
    # The sandbox's exit, what bubblewrap said, out-of-memory kills, our kill: the verdict.
    (0, 0, 0, False, Exit(0, None)),
    (3, 3, 0, False, Exit(3, None)),
    (139, 139, 0, False, Exit(None, signal.SIGSEGV)),
    (137, 137, 1, False, Exit(None, signal.SIGKILL, oom=True)),
    (1, 1, 1, False, Exit(1, None, oom=True)),  # a helper was killed, and the bot gave up
    (0, 0, 1, False, Exit(0, None)),  # ... or did not mind
    (0, 0, 0, True, Exit(0, None)),  # it had ended before our kill
    (-9, None, 0, True, Exit(None, signal.SIGKILL, is_killed=True)),
    (-9, None, 1, False, Exit(None, signal.SIGKILL, oom=True)),
    (-9, None, 0, False, Exit(None, signal.SIGKILL, is_ours=True)),
    (1, None, 0, False, Exit(1, None, is_ours=True)),
]


@pytest.mark.parametrize(("code", "said", "oom_kills", "is_killed", "expected"), VERDICTS)
def test_the_verdict_goes_to_whose_fault_it_was(
    code: int,
    said: int | None,
    oom_kills: int,
    is_killed: bool,  # noqa: FBT001 - a column of the table
    expected: Exit,
) -> None:
    found = verdict(code, Status(7, said), oom_kills=oom_kills, is_killed=is_killed)
    assert found == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([b'{ "child-pid": 7, "mnt-namespace": 1 }'], Status(7, None)),
        ([b'{ "child-pid": 7 }', b'{ "exit-code": 3 }'], Status(7, 3)),
        ([b"", b"nonsense", b"[]", b'"text"', b'{"exit-code": "x"}'], Status()),
    ],
)
def test_the_sandboxs_words_are_read_and_others_passed_over(
    lines: list[bytes], expected: Status
) -> None:
    status = Status()
    for line in lines:
        status = status.read(line)
    assert status == expected


@pytest.mark.parametrize("chunk", [1, 7, 10, 11, 1000])
def test_a_tail_keeps_the_end_in_bounded_memory(chunk: int) -> None:
    text = bytes(range(256)) * 40
    tail = Tail(10)
    for start in range(0, len(text), chunk):
        tail.feed(text[start : start + chunk])
    assert tail.read() == text[-10:]
    assert len(tail._kept) <= 20


def test_an_owner_is_known_by_when_it_started() -> None:
    this = Owner.this()
    name = this.stamp("3")
    assert Owner.parse(name) == this
    assert not this.is_dead()
    assert replace(this, started=this.started + 1).is_dead()
    assert replace(this, pid=2**22 + 1).is_dead()


def test_of_an_owner_in_another_container_nobody_can_tell_whether_it_is_dead() -> None:
    far = replace(Owner.this(), pid=2**22 + 1, namespace=7)
    assert Owner.parse(far.stamp("3")) == far
    assert not far.is_near()
    assert not far.is_dead()


@pytest.mark.parametrize(
    "name", ["rh", "rh-1", "rh-1-2", "rh-1-2-3", "rh-a-2-3-x", "other-1-2-3-x", ""]
)
def test_a_name_without_a_stamp_has_no_owner(name: str) -> None:
    assert Owner.parse(name) is None


def test_a_report_is_written_as_lines() -> None:
    report = PolicyReport(
        "d", is_isolated=True, enforced=("a",), missing=("b",), facts=(("k", "v"),)
    )
    assert list(report.lines()) == [
        "driver: d",
        "isolated: yes",
        "k: v",
        "enforced: a",
        "missing: b",
    ]


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"ROUNDHOUSE_SANDBOX": "docker"}, "ROUNDHOUSE_SANDBOX is 'docker'; it must be one of"),
        ({"ROUNDHOUSE_SANDBOX_RUNTIME": "crun"}, "ROUNDHOUSE_SANDBOX_RUNTIME is 'crun'"),
        ({"ROUNDHOUSE_SANDBOX_UID_FIRST": "0"}, "ROUNDHOUSE_SANDBOX_UID_FIRST is '0'"),
        ({"ROUNDHOUSE_SANDBOX_UID_COUNT": "many"}, "ROUNDHOUSE_SANDBOX_UID_COUNT is 'many'"),
        ({"ROUNDHOUSE_SANDBOX_WARM": "-1"}, "ROUNDHOUSE_SANDBOX_WARM is '-1'"),
        ({"ROUNDHOUSE_SANDBOX_PIN": "yes"}, "ROUNDHOUSE_SANDBOX_PIN is 'yes'; it must be on or"),
        ({"ROUNDHOUSE_SANDBOX_UID_COUNT": "²"}, "it must be a whole number, 1 or more"),
    ],
)
def test_a_malformed_setting_is_named(variables: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SandboxSettings.from_environment(variables)


def test_settings_are_read_and_have_defaults() -> None:
    default = SandboxSettings.from_environment({})
    assert (default.driver, default.uid_first, default.uid_count) == ("bubblewrap", 64000, 256)
    assert (default.warm, default.is_pinned) == (2, True)
    given = {
        "ROUNDHOUSE_SANDBOX": "trusted",
        "ROUNDHOUSE_SANDBOX_STATE": "/srv/state",
        "ROUNDHOUSE_SANDBOX_UID_FIRST": "70000",
        "ROUNDHOUSE_SANDBOX_UID_COUNT": "4",
        "ROUNDHOUSE_SANDBOX_WARM": "0",
        "ROUNDHOUSE_SANDBOX_PIN": "off",
    }
    assert SandboxSettings.from_environment(given) == SandboxSettings(
        "trusted", Path("/srv/state"), 70000, 4, warm=0, is_pinned=False
    )


def test_reach_asks_every_folder_on_the_way(state: Path) -> None:
    inner = state / "open" / "inner"
    inner.mkdir(parents=True)
    file = inner / "file"
    file.write_text("")
    for path, mode in ((state / "open", 0o711), (inner, 0o755), (file, 0o644)):
        path.chmod(mode)
    assert is_reachable(file)
    assert is_reachable(inner)
    (state / "open").chmod(0o700)
    assert not is_reachable(file)
    assert not is_reachable(inner / "missing")
    (state / "open").chmod(0o711)
    file.chmod(0o600)
    assert not is_reachable(file)


def test_a_uid_is_handed_out_once_until_it_is_back(tmp_path: Path) -> None:
    one, other = UidPool(tmp_path, 64000, 8), UidPool(tmp_path, 64000, 8)
    taken = [pool.take() for pool in (one, other) * 4]
    assert sorted(uid.number for uid in taken) == list(range(64000, 64008))
    number = taken[3].number
    taken[3].release()
    taken[3].release()
    again = other.take()
    assert again.number == number
    for uid in (*taken, again):
        uid.release()
    assert len(os.listdir(tmp_path)) == 8  # noqa: PTH208 - a count is enough
