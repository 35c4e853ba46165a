"""The allow-list in the words of the OCI, put to what libseccomp makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.sandbox.profile import seccomp_profile
from referee.sandbox.seccomp import Machine, allowed_calls


@pytest.mark.parametrize("machine", list(Machine), ids=lambda machine: machine.name)
def test_the_profile_allows_the_reviewed_list_and_nothing_more(machine: Machine) -> None:
    profile: Any = seccomp_profile(machine.name)
    assert (profile["defaultAction"], profile["defaultErrnoRet"]) == ("SCMP_ACT_ERRNO", 38)
    assert len(profile["architectures"]) == 1
    allowed = [entry for entry in profile["syscalls"] if entry["action"] == "SCMP_ACT_ALLOW"]
    assert {name for entry in allowed for name in entry["names"]} == set(allowed_calls(machine))
    narrowed = {"clone", "socket", "socketpair", "ioctl", "fcntl", "personality"}
    whole = {name for entry in allowed if "args" not in entry for name in entry["names"]}
    assert whole == set(allowed_calls(machine)) - narrowed


@pytest.mark.parametrize(
    ("call", "value", "answer"),
    [
        ("clone", 0x0000_0011, None),  # fork
        ("clone", 0x003D_0F00, None),  # a thread
        ("clone", 0x1000_0011, 1),  # CLONE_NEWUSER
        ("socket", 1, None),
        ("socket", 40, 97),  # AF_VSOCK
        ("ioctl", 0x5401, None),  # TCGETS
        ("ioctl", 0x5412, 38),  # TIOCSTI; 25 from our own filter
        ("fcntl", 3, None),  # F_GETFL
        ("fcntl", 1030, None),  # F_DUPFD_CLOEXEC
        ("fcntl", 6, 38),  # F_SETLK
        ("fcntl", 1024, 38),  # F_SETLEASE
        ("fcntl", 9999, 38),
        ("personality", 0xFFFF_FFFF, None),
        ("personality", 0xFFFF_FFFF_FFFF_FFFF, None),  # the kernel reads the low half
        ("personality", 8, 38),
    ],
)
def test_the_profile_narrows_a_call_by_its_argument(
    call: str, value: int, answer: int | None
) -> None:
    assert decide(seccomp_profile("x86_64"), call, value) == answer


def decide(profile: Any, call: str, value: int) -> int | None:  # noqa: ANN401 - a document
    """Return what libseccomp would answer if this argument is the one that is looked at."""
    found = set()
    for entry in profile["syscalls"]:
        if call in entry["names"]:
            (compared,) = entry["args"]
            matches = value != compared["value"]
            if compared["op"] == "SCMP_CMP_MASKED_EQ":
                matches = value & compared["value"] == compared["valueTwo"]
            if matches:
                found.add(entry.get("errnoRet"))
    assert len(found) <= 1, "two rules that say different things"
    return found.pop() if found else int(profile["defaultErrnoRet"])


def test_an_unknown_machine_has_no_profile() -> None:
    assert seccomp_profile("riscv64") is None
