"""The allow-list of system calls in the words of the OCI, which libseccomp compiles.

It is the list of ``syscalls.txt`` with the rules of `seccomp.RULES`, and stricter where the OCI's
words do not reach: what no comparison matches answers ENOSYS, whatever the rule's own error is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.sandbox.seccomp import ENOSYS, RULES, ArgumentRule, Machine, allowed_calls

if TYPE_CHECKING:
    from collections.abc import Iterator

ARCHITECTURES = {Machine.x86_64: "SCMP_ARCH_X86_64", Machine.aarch64: "SCMP_ARCH_AARCH64"}
LOW_WORD = 0xFFFF_FFFF
"""The kernel reads only these bits of the arguments that we look at."""
FCNTL_COMMANDS = (*range(18), *range(36, 39), *range(1024, 1039))
"""All that there are, since "all but these" cannot be said: F_DUPFD to F_GETOWNER_UIDS, the OFD
locks, and Linux's own from F_SETLEASE to F_GET_FILE_RW_HINT."""


def seccomp_profile(machine: str) -> dict[str, object] | None:
    """Return ``linux.seccomp`` for a machine by its `os.uname` name; None if we have none."""
    if machine not in Machine.__members__:
        return None
    known = Machine[machine]
    calls = allowed_calls(known)
    narrowed = [rule for rule in RULES if rule.call in calls]
    plain = sorted(calls.keys() - {rule.call for rule in narrowed})
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": ENOSYS,
        "architectures": [ARCHITECTURES[known]],
        "syscalls": [
            {"names": plain, "action": "SCMP_ACT_ALLOW"},
            *(entry for rule in narrowed for entry in _entries(rule)),
        ],
    }


def _entries(rule: ArgumentRule) -> Iterator[dict[str, object]]:
    if rule.mask:
        yield _allow(rule, rule.mask, 0)
        # One bit at a time: "any of these bits" is no comparison of libseccomp's.
        for bit in range(32):
            if rule.mask >> bit & 1:
                yield _refuse(rule, _comparison(rule, 1 << bit, 1 << bit))
        return
    values = rule.values
    if rule.is_denied:
        values = tuple(value for value in FCNTL_COMMANDS if value not in rule.values)
    for value in values:
        yield _allow(rule, LOW_WORD, value)
    if len(values) == 1:
        different = {"index": rule.argument, "value": values[0], "op": "SCMP_CMP_NE"}
        yield _refuse(rule, different)


def _allow(rule: ArgumentRule, mask: int, value: int) -> dict[str, object]:
    compared = [_comparison(rule, mask, value)]
    return {"names": [rule.call], "action": "SCMP_ACT_ALLOW", "args": compared}


def _refuse(rule: ArgumentRule, comparison: dict[str, object]) -> dict[str, object]:
    return {
        "names": [rule.call],
        "action": "SCMP_ACT_ERRNO",
        "errnoRet": rule.errno,
        "args": [comparison],
    }


def _comparison(rule: ArgumentRule, mask: int, value: int) -> dict[str, object]:
    """Compare the bits of ``mask`` with ``value``; the OCI calls them value and valueTwo."""
    return {
        "index": rule.argument,
        "value": mask,
        "valueTwo": value,
        "op": "SCMP_CMP_MASKED_EQ",
    }
