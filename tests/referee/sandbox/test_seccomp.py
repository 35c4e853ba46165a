"""The filter as the kernel would run it: a small interpreter, and every call put to it."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from referee.sandbox.seccomp import (
    ALLOW,
    KILL,
    Machine,
    allowed_calls,
    assemble,
    seccomp_filter,
)

ERRNO = 0x0005_0000
CALLS = {machine: allowed_calls(machine) for machine in Machine}


def run(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Interpret classic BPF over a `struct seccomp_data`, as the kernel documents it."""
    padded = (*arguments, *([0] * (6 - len(arguments))))
    data = struct.pack("<iIQ6Q", struct.unpack("<i", struct.pack("<I", number))[0],
                       architecture, 0, *padded)  # fmt: skip
    at, accumulator = 0, 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("<HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, operand)
            case 0x15:
                at += if_true if accumulator == operand else if_false
            case 0x35:
                at += if_true if accumulator >= operand else if_false
            case 0x45:
                at += if_true if accumulator & operand else if_false
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"instruction {code:#x}")


@pytest.fixture(params=list(Machine), ids=lambda machine: machine.name)
def machine(request: pytest.FixtureRequest) -> Machine:
    return Machine[request.param.name]


def test_every_call_is_allowed_exactly_if_it_is_listed(machine: Machine) -> None:
    program = assemble(machine, CALLS[machine], rules=())
    listed = set(CALLS[machine].values())
    for number in range(700):
        expected = ALLOW if number in listed else ERRNO | errno.ENOSYS
        assert run(program, machine, number) == expected


def test_a_call_by_another_machines_numbers_kills(machine: Machine) -> None:
    program = assemble(machine, CALLS[machine])
    for architecture in (0x4000_0003, 0, *(set(Machine) - {machine})):  # i386 first
        assert run(program, architecture, CALLS[machine]["read"]) == KILL


def test_x32_numbers_kill() -> None:
    program = assemble(Machine.x86_64, CALLS[Machine.x86_64])
    assert run(program, Machine.x86_64, 0x4000_0000 | 39) == KILL
    assert run(program, Machine.x86_64, 0xFFFF_FFFF) == KILL


NARROWED = [
    ("clone", (0x0000_0011,), None),  # fork
    ("clone", (0x003D_0F00,), None),  # a thread
    ("clone", (0x1000_0011,), errno.EPERM),  # CLONE_NEWUSER
    ("clone", (0x0002_0011,), errno.EPERM),  # CLONE_NEWNS
    ("clone", (0x7E02_0000,), errno.EPERM),
    ("socket", (1, 1), None),
    ("socket", (0xF_0000_0001, 1), None),  # the kernel drops the upper half, too
    ("socket", (2, 1), errno.EAFNOSUPPORT),
    ("socket", (10, 1), errno.EAFNOSUPPORT),
    ("socket", (16, 3), errno.EAFNOSUPPORT),
    ("socket", (40, 1), errno.EAFNOSUPPORT),  # AF_VSOCK
    ("socketpair", (1, 1), None),
    ("socketpair", (2, 1), errno.EAFNOSUPPORT),
    ("ioctl", (0, 0x5401), None),  # TCGETS, by which isatty asks
    ("ioctl", (0, 0x541B), None),  # FIONREAD
    ("ioctl", (0, 0x5412), errno.ENOTTY),  # TIOCSTI
    ("ioctl", (0, 0x1_0000_5412), errno.ENOTTY),  # CVE-2017-5226's cousin: a dirty upper half
    ("ioctl", (0, 0x541C), errno.ENOTTY),  # TIOCLINUX
    ("fcntl", (0, 3), None),  # F_GETFL
    ("fcntl", (0, 1030), None),  # F_DUPFD_CLOEXEC
    ("fcntl", (0, 6), errno.ENOSYS),  # F_SETLK
    ("fcntl", (0, 37), errno.ENOSYS),  # F_OFD_SETLK
    ("fcntl", (0, 1024), errno.ENOSYS),  # F_SETLEASE
    ("personality", (0xFFFF_FFFF,), None),
    ("personality", (0x0008,), errno.EPERM),
]


@pytest.mark.parametrize(("call", "arguments", "refusal"), NARROWED)
def test_a_call_is_narrowed_by_its_argument(
    machine: Machine, call: str, arguments: tuple[int, ...], refusal: int | None
) -> None:
    program = assemble(machine, CALLS[machine])
    expected = ALLOW if refusal is None else ERRNO | refusal
    assert run(program, machine, CALLS[machine][call], *arguments) == expected


def test_the_filter_is_shorter_than_the_kernel_allows(machine: Machine) -> None:
    assert len(assemble(machine, CALLS[machine])) // 8 < 4096


def test_a_machine_that_we_do_not_know_has_no_filter() -> None:
    assert seccomp_filter("riscv64") is None
    assert seccomp_filter("x86_64") == assemble(Machine.x86_64, CALLS[Machine.x86_64])


HEADERS = {
    Machine.x86_64: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    Machine.aarch64: Path("/usr/include/asm-generic/unistd.h"),
}


def test_the_numbers_are_the_kernels(machine: Machine) -> None:
    header = HEADERS[machine]
    if not header.is_file():
        pytest.skip(f"{header} is not there: install linux-libc-dev")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", header.read_text())
    numbers = {name: int(number) for name, number in defined}
    # aarch64 calls these by the names of the calls that they became.
    renamed = {"newfstatat": "fstatat"} if machine is Machine.aarch64 else {}
    for name, number in CALLS[machine].items():
        assert numbers[renamed.get(name, name)] == number, name
