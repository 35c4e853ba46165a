"""How a container's end is read, and its output."""

from __future__ import annotations

import pytest

from referee.sandbox.container import own_end
from referee.sandbox.herald import HeraldedTail
from referee.sandbox.process import verdict
from referee.sandbox.spec import Exit

KILLED = Exit(None, 9, is_killed=True)


@pytest.mark.parametrize(
    ("code", "is_heralded", "is_killed", "oom_kills", "expected"),
    [
        (0, True, False, 0, Exit(0, None)),
        (3, True, False, 0, Exit(3, None)),
        (139, True, False, 0, Exit(None, 11)),
        (137, True, False, 0, Exit(None, 9)),
        (137, True, False, 1, Exit(None, 9, oom=True)),
        (128, True, False, 1, Exit(None, 9, oom=True)),  # gVisor lost its guest to the limit
        (128, True, False, 0, Exit(128, None)),
        (0, True, True, 0, Exit(0, None)),  # it had ended when the kill came
        (137, True, True, 0, KILLED),
        (128, True, True, 0, KILLED),
        (-9, True, True, 0, KILLED),
        (-9, False, True, 0, KILLED),
        (1, False, False, 0, Exit(1, None, is_ours=True)),
        (-9, True, False, 0, Exit(None, 9, is_ours=True)),  # somebody killed the runtime
    ],
)
def test_an_end_is_the_bots_own_only_if_it_ever_ran(
    code: int, oom_kills: int, expected: Exit, *, is_heralded: bool, is_killed: bool
) -> None:
    status = own_end(code, is_heralded=is_heralded, is_killed=is_killed, is_oom=oom_kills > 0)
    assert verdict(code, status, oom_kills=oom_kills, is_killed=is_killed) == expected


@pytest.mark.parametrize(
    ("chunks", "kept", "is_heralded"),
    [
        ((b"go\nhello",), b"hello", True),
        ((b"warning\ng", b"o", b"\nhello"), b"hello", True),
        ((b"go\n", b"a\n", b"go\n", b"b"), b"a\ngo\nb", True),  # the bot may say so, too
        ((b"cannot make", b" it"), b"cannot make it", False),
        ((b"go",), b"go", False),
    ],
)
def test_the_output_is_the_bots_from_the_herald_on(
    chunks: tuple[bytes, ...], kept: bytes, *, is_heralded: bool
) -> None:
    tail = HeraldedTail(64, b"go")
    for chunk in chunks:
        tail.feed(chunk)
    assert (tail.read(), tail.is_heralded) == (kept, is_heralded)
