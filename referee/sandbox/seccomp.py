"""The system-call filter: a reviewed allow-list, assembled into classic BPF.

Written out here and not through libseccomp, because its Python bindings are either not on the
package index or need the C library, and the program is a page of arithmetic that a test can run.
Sources: ``linux/seccomp.h``, ``linux/bpf_common.h``, ``linux/audit.h``.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Instructions: load a word of the argument, jump, return.
_LD, _JEQ, _JGE, _JSET, _RET = 0x20, 0x15, 0x35, 0x45, 0x06
# Offsets in `struct seccomp_data`; both machines are little-endian, so low words come first.
_NUMBER, _ARCHITECTURE, _ARGUMENT = 0, 4, 16

KILL = 0x8000_0000
"""SECCOMP_RET_KILL_PROCESS: a call by another machine's numbers is never an honest mistake."""
ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
EPERM, ENOTTY, ENOSYS, EAFNOSUPPORT = 1, 25, 38, 97


class Machine(IntEnum):
    """The machines we know, by their number in the kernel's audit interface."""

    x86_64 = 0xC000_003E
    aarch64 = 0xC000_00B7


@dataclass(frozen=True, slots=True)
class ArgumentRule:
    """Narrow one call by the low 32 bits of one argument.

    The kernel itself reads only those bits of each argument named here. Where ``mask`` is set,
    the call passes if none of its bits are; else if the value is one of ``values``, or, with
    ``is_denied``, none of them.
    """

    call: str
    argument: int
    errno: int
    values: tuple[int, ...] = ()
    mask: int = 0
    is_denied: bool = False


RULES = (
    # No namespaces of one's own: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
    ArgumentRule("clone", 0, EPERM, mask=0x7E02_0000),
    # AF_UNIX alone. No namespace holds AF_VSOCK, and the rest is attack surface.
    ArgumentRule("socket", 0, EAFNOSUPPORT, values=(1,)),
    ArgumentRule("socketpair", 0, EAFNOSUPPORT, values=(1,)),
    # TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2: asking and
    # descriptor flags. So neither TIOCSTI nor TIOCLINUX, which type into a terminal.
    ArgumentRule(
        "ioctl",
        1,
        ENOTTY,
        values=(0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C_542A),
    ),
    # Locks (GETLK, SETLK, SETLKW, their OFD forms), leases and F_NOTIFY on a shared read-only
    # file would be signals between two sandboxes.
    ArgumentRule(
        "fcntl", 1, ENOSYS, values=(5, 6, 7, 36, 37, 38, 1024, 1025, 1026), is_denied=True
    ),
    # PER_LINUX, with or without address randomisation, and the query.
    ArgumentRule("personality", 0, EPERM, values=(0, 0x0004_0000, 0xFFFF_FFFF)),
)


def allowed_calls(machine: Machine) -> dict[str, int]:
    """Return name and number of every allowed call, as ``syscalls.txt`` has them."""
    column = 1 if machine is Machine.x86_64 else 2
    text = resources.files("referee.sandbox").joinpath("syscalls.txt").read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def assemble(
    machine: Machine, calls: Mapping[str, int], rules: Iterable[ArgumentRule] = RULES
) -> bytes:
    """Return the filter as an array of ``struct sock_filter``, which `bwrap --seccomp` reads."""
    narrowed = [rule for rule in rules if rule.call in calls]
    plain = set(calls.values()) - {calls[rule.call] for rule in narrowed}
    program = [
        _op(_LD, _ARCHITECTURE),
        _op(_JEQ, machine, 1, 0),
        _op(_RET, KILL),
        _op(_LD, _NUMBER),
    ]
    if machine is Machine.x86_64:
        program += [_op(_JSET, 0x4000_0000, 0, 1), _op(_RET, KILL)]  # x32
    for rule in narrowed:
        body = _narrow(rule)
        program += [_op(_JEQ, calls[rule.call], 0, len(body)), *body]
    for first, last in _ranges(plain):
        program += [
            _op(_JGE, first, 0, 2),
            _op(_JGE, last + 1, 1, 0),
            _op(_RET, ALLOW),
        ]
    program.append(_op(_RET, _ERRNO | ENOSYS))
    return b"".join(program)


def seccomp_filter(machine: str) -> bytes | None:
    """Return the filter for a machine by its `os.uname` name; None if we have none for it."""
    if machine not in Machine.__members__:
        return None
    known = Machine[machine]
    return assemble(known, allowed_calls(known))


def _narrow(rule: ArgumentRule) -> list[bytes]:
    """Return the instructions that decide a call by its argument; they always return."""
    load = _op(_LD, _ARGUMENT + 8 * rule.argument)
    refuse, allow = _op(_RET, _ERRNO | rule.errno), _op(_RET, ALLOW)
    if rule.mask:
        return [load, _op(_JSET, rule.mask, 0, 1), refuse, allow]
    matched, other = (refuse, allow) if rule.is_denied else (allow, refuse)
    count = len(rule.values)
    tests = [_op(_JEQ, value, count - at, 0) for at, value in enumerate(rule.values)]
    return [load, *tests, other, matched]


def _ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Join neighbouring numbers, so that the list costs a third of the instructions.

    >>> _ranges({1, 2, 3, 7})
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _op(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, operand)
