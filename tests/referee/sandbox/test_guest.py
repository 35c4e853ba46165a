"""What a bot reaches from behind gVisor's kernel, which answers most attacks by itself."""

from __future__ import annotations

import asyncio
import platform
import socket
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Driver, Stage
from tests.referee.sandbox.conftest import Holder, driver_named, wait_for_output

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOOKS = r"""
import fcntl, os, socket, sys, time
port, abstract, *files = sys.argv[1:]
for family, address in (
    (socket.AF_INET, ("127.0.0.1", int(port))),
    (socket.AF_INET, ("192.0.2.1", 80)),
    (socket.AF_UNIX, b"\0" + abstract.encode()),
):
    with socket.socket(family) as client:
        try:
            client.connect(address)
            print("LEAK", address)
        except OSError as error:
            print(error.strerror)
for path in files:
    if os.path.exists(path):
        print("LEAK", path)
with socket.socket(socket.AF_UNIX) as client:
    client.connect(os.environ["ROUNDHOUSE_SOCKET"])
shared = os.open("/usr/bin/env", os.O_RDONLY)
fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
print(open("/proc/version").read().strip())
print("locked", flush=True)
time.sleep(1000)
"""


@pytest.fixture
def gvisor(state: Path) -> Driver:
    return driver_named("runsc", state)


@pytest.fixture
def service() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def test_a_guest_reaches_its_socket_and_neither_the_host_nor_another_guest(
    gvisor: Driver, state: Path, service: socket.socket
) -> None:
    async def play() -> None:
        with socket.socket(socket.AF_UNIX) as abstract:
            abstract.bind(b"\0roundhouse-guest")
            abstract.listen()
            async with Holder(gvisor, Stage(state)) as holder:
                for _ in range(2):  # both hold the lock of one file of the host at once
                    bot = await holder.start(
                        *("python3", "bot.py", str(service.getsockname()[1]), "roundhouse-guest"),
                        *(__file__, str(state), "/etc/shadow", "/var/lib", "/sys/fs/cgroup/memory"),
                        files={"bot.py": LOOKS},
                    )
                    await wait_for_output(bot, b"locked")
                    said = bot.stderr_tail().decode()
                    assert "LEAK" not in said
                    assert "Connection refused" in said
                    assert f" {platform.release()} " not in said

    asyncio.run(play())
