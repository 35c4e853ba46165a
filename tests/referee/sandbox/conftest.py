"""A state folder that any uid may pass through, drivers, and a way to hold a program."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

from referee.sandbox import (
    Driver,
    Limits,
    SandboxSettings,
    SandboxSpec,
    SandboxUnavailable,
    Stage,
    choose_driver,
)
from referee.sandbox.engine import KINDS
from referee.sandbox.oci import OciDriver

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.sandbox import BotProcess, Exit, Usage

END_SECONDS = 30.0
"""No program of these tests runs longer by itself; each is killed after that."""

ISOLATIONS = ("bubblewrap", "runc", "runsc")
"""The drivers that isolate, of which oci goes by its runtime's name."""


@pytest.fixture(scope="session")
def state() -> Iterator[Path]:
    """Make a state folder; pytest's own stand below one of mode 0700, which bots cannot pass."""
    folder = Path(tempfile.mkdtemp(prefix="rh-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def sandbox(state: Path) -> Driver:
    """Make the bubblewrap driver, or skip with its own reason."""
    return driver_named("bubblewrap", state)


@pytest.fixture(scope="session", params=ISOLATIONS)
def isolation(request: pytest.FixtureRequest, state: Path) -> Driver:
    """Make each driver in turn that isolates, for what all of these promise."""
    return driver_named(request.param, state)


@pytest.fixture(params=[*ISOLATIONS, "trusted"])
def driver(request: pytest.FixtureRequest, state: Path) -> Driver:
    """Make each driver in turn, for what all of them promise."""
    return driver_named(request.param, state)


@pytest.fixture(scope="session")
def as_root() -> None:
    """Skip what needs root: uids of the bots' own and control groups."""
    if os.geteuid() != 0:
        pytest.skip("only root can give bots uids and control groups of their own")


def driver_named(name: str, state: Path) -> Driver:
    """Make a driver, of which oci goes by its runtime's name, or skip with its own reason."""
    settings = SandboxSettings(name, state)
    if name in KINDS:
        if os.geteuid() != 0:
            pytest.skip("only root can make containers that have a uid and a group of their own")
        settings = SandboxSettings("oci", state, runtime=name)
    try:
        return choose_driver(settings)
    except SandboxUnavailable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


def has_own_kernel(driver: Driver) -> bool:
    """Tell whether bots meet gVisor's kernel, which answers in its own words."""
    return isinstance(driver, OciDriver) and driver.ground.engine.has_own_kernel


@dataclass(frozen=True)
class Ended:
    """A program that was held, after its end."""

    exit: Exit
    output: str
    usage: Usage


@dataclass
class Holder:
    """Hold programs with one driver, below one stage, each with a listening socket."""

    driver: Driver
    stage: Stage
    sockets: list[socket.socket] = field(default_factory=list)
    started: list[BotProcess] = field(default_factory=list)

    async def start(
        self,
        *command: str,
        files: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        limits: Limits | None = None,
    ) -> BotProcess:
        """Start a program in a folder with the given files."""
        folder = self.stage.new_folder()
        folder.chmod(0o755)
        for name, text in (files or {}).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        path = self.stage.socket()
        listener = socket.socket(socket.AF_UNIX)
        self.sockets.append(listener)
        listener.bind(str(path))
        listener.listen()
        spec = SandboxSpec("test", command, folder, path, environment or {}, limits or Limits())
        process = await self.driver.start(spec)
        self.started.append(process)
        return process

    async def run(
        self,
        *command: str,
        files: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        limits: Limits | None = None,
    ) -> Ended:
        """Hold a program until it ends."""
        process = await self.start(*command, files=files, environment=environment, limits=limits)
        try:
            end = await asyncio.wait_for(process.wait(), END_SECONDS)
        except TimeoutError:
            end = await process.kill()
        return Ended(end, process.stderr_tail().decode(errors="replace"), process.usage())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self.started:
            await process.kill()
        for listener in self.sockets:
            listener.close()
        self.stage.close()


async def wait_for_output(process: BotProcess, text: bytes) -> None:
    """Wait until a bot has said something."""
    async with asyncio.timeout(END_SECONDS):
        while text not in process.stderr_tail():  # noqa: ASYNC110 - a tail tells nobody
            await asyncio.sleep(0.005)


def processes_with(word: str) -> list[int]:
    """Return the processes of this machine that have ``word`` in their command line."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            with contextlib.suppress(OSError):
                if word.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
    return found
