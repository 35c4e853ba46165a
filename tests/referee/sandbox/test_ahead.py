"""The parts of a prepared sandbox by themselves: the order, the slot and the line."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Limits, SandboxSpec, Stage
from referee.sandbox.line import BEGUN, Line
from referee.sandbox.order import Order
from referee.sandbox.slot import Slot

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("bot.py", "paths.py", "roundhouse.toml", "src/main.py", "src/json/__init__.py", "fast.so")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / "bot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "bot" / "link.py").symlink_to("bot.py")
    return tmp_path / "bot"


def spec(folder: Path, *command: str, limits: Limits | None = None) -> SandboxSpec:
    socket_ = folder / "socket"
    environment = {"ROUNDHOUSE_TOKEN": "t0ken"}
    return SandboxSpec("any", command, folder, socket_, environment, limits or Limits())


@pytest.mark.parametrize(
    ("command", "known", "fits"),
    [
        ("python3 bot.py", "json random", True),
        ("python3 bot.py --depth 3", "json random", True),
        ("python3 src/main.py", "random", True),
        ("python3 -m paths", "json", True),
        ("python3 -m src.main -x", "json", True),
        ("python3 bot.py", "paths", False),  # it would be given ours
        ("python3 bot.py", "fast", False),
        ("python3 bot.py", "src", False),
        ("python3 bot.py", "roundhouse", True),  # the manifest is no module
        ("python3 src/main.py", "json", False),
        ("python3 -m paths", "bot", False),
        ("python3", "", False),
        ("python3 -m", "", False),
        ("python3 -m -x", "", False),
        ("python3 -u bot.py", "", False),
        ("python3 -c pass", "", False),
        ("python3 ../bot/bot.py", "", False),
        ("python3 /bot/bot.py", "", False),
        ("python3 absent.py", "", False),
        ("python3 link.py", "", False),
        ("python3 src", "", False),
        ("python3.11 bot.py", "", False),
        ("python bot.py", "", False),
        ("./bot.py", "", False),
    ],
)
def test_an_order_is_given_only_for_what_runs_the_same_warm(
    folder: Path, command: str, known: str, *, fits: bool
) -> None:
    order = Order.of(spec(folder, *command.split()), known.split())
    assert (order is not None) == fits
    if order is not None:
        told = json.loads(order.encode())
        assert told["arguments"] == command.split()[1:]
        assert told["environment"] == {"ROUNDHOUSE_TOKEN": "t0ken"}


def test_a_bot_with_limits_of_its_own_gets_a_sandbox_of_its_own(folder: Path) -> None:
    assert Order.of(spec(folder, "python3", "bot.py", limits=Limits(processes=8)), ()) is None


def test_a_slot_is_filled_with_the_very_files_of_the_bot(folder: Path, state: Path) -> None:
    with Stage(state) as stage, socket.socket(socket.AF_UNIX) as listener:
        slot = Slot.on(stage)
        assert list(slot.folder.iterdir()) == list(slot.exit.iterdir()) == []
        path = stage.socket()
        listener.bind(str(path))
        slot.fill(folder, path)
        for name in FILES:
            assert (slot.folder / name).samefile(folder / name)
        assert (slot.folder / "link.py").readlink() == (folder / "link.py").readlink()
        assert (slot.folder / "src").stat().st_mode & 0o777 == 0o755
        assert (slot.exit / "socket").samefile(path)
        with pytest.raises(FileExistsError):  # it is one bot's, once
            slot.fill(folder, path)


def test_a_line_tells_what_is_known_and_whether_the_bot_has_begun(folder: Path) -> None:
    async def play() -> None:
        line = Line()
        theirs = socket.socket(fileno=os.dup(line.theirs))
        line.keep_ours()
        assert line.known is None
        theirs.sendall(b'["gr')
        theirs.sendall(b'pc"]\n')
        await line.heard()
        assert line.known == {"grpc"}
        order = Order.of(spec(folder, "python3", "bot.py"), ())
        assert order is not None
        line.send(order)
        assert theirs.recv(65536) == order.encode()
        assert theirs.recv(65536) == b""  # the order ends there
        theirs.sendall(BEGUN + b"\n")
        assert line.end()
        assert line.end()
        theirs.close()

    asyncio.run(play())


@pytest.mark.parametrize("said", [b"", b"[]\n", b"beg"])
def test_a_line_that_breaks_has_begun_nothing(folder: Path, said: bytes) -> None:
    async def play() -> None:
        line = Line()
        theirs = socket.socket(fileno=os.dup(line.theirs))
        line.keep_ours()
        theirs.sendall(said)
        theirs.close()
        await line.heard()
        assert not line.end()
        order = Order.of(spec(folder, "python3", "bot.py"), ())
        assert order is not None
        with pytest.raises(OSError, match=r"."):
            line.send(order)

    asyncio.run(play())
