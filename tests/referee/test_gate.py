"""The gate in front of a door: few connections, slow reading, and nothing lost in between."""

from __future__ import annotations

import asyncio
import os
import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from referee.gate import (
    BACKLOG,
    BURST_BYTES,
    BYTES_A_SECOND,
    MOST_EVER,
    MOST_LIVE,
    Allowance,
    Gate,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]

SECONDS = 20


def test_a_burst_is_free_and_what_is_more_is_paid_with_time() -> None:
    allowance = Allowance(now=100.0)
    assert allowance.take(BURST_BYTES, 100.0) == 0
    assert allowance.take(BYTES_A_SECOND, 100.0) == 1
    assert allowance.take(0, 101.0) == 0
    assert allowance.take(BYTES_A_SECOND // 2, 101.0) == 0.5


def test_an_allowance_never_holds_more_than_a_burst() -> None:
    allowance = Allowance(now=0.0)
    assert allowance.take(0, 1e6) == 0
    assert allowance.take(BURST_BYTES + BYTES_A_SECOND, 1e6) == 1


@dataclass(slots=True)
class Yard:
    """A gate, an echo behind it, and what the warden was told."""

    folder: Path
    told: list[str] = field(default_factory=list)
    received: int = 0
    ends: int = 0

    def hammered(self, sentence: str) -> None:
        self.told.append(sentence)

    async def dial(self) -> Line:
        return await asyncio.open_unix_connection(str(self.folder / "s"))

    async def echo(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(65536):
            self.received += len(chunk)
            writer.write(chunk)
            await writer.drain()
        self.ends += 1
        writer.close()


def at_gate(folder: Path, visit: Callable[[Yard], Awaitable[None]]) -> Yard:
    async def run() -> Yard:
        yard = Yard(folder)
        behind = await asyncio.start_unix_server(yard.echo, str(folder / "inside"))
        gate = Gate(folder / "s", folder / "inside", yard)
        gate.open()
        async with asyncio.timeout(SECONDS):
            await visit(yard)
        gate.close()
        behind.close()
        await asyncio.sleep(0.05)  # let what was broken off be noticed
        return yard

    return asyncio.run(run())


def test_bytes_pass_both_ways_and_an_end_passes_too(short_folder: Path) -> None:
    async def visit(yard: Yard) -> None:
        reader, writer = await yard.dial()
        sent = os.urandom(300_000)
        writer.write(sent)
        assert await reader.readexactly(len(sent)) == sent
        writer.close()
        while yard.ends == 0:  # noqa: ASYNC110 - the echo tells nobody
            await asyncio.sleep(0.005)

    assert at_gate(short_folder, visit).told == []


def test_a_bot_that_reads_nothing_is_read_no_further(short_folder: Path) -> None:
    async def visit(yard: Yard) -> None:
        _, writer = await yard.dial()
        writer.write(bytes(8 * BURST_BYTES))
        await asyncio.sleep(1)
        # The burst and what comes by and by; the rest waits with the bot.
        assert yard.received < BURST_BYTES + 4 * BYTES_A_SECOND
        writer.close()

    at_gate(short_folder, visit)


def test_few_connections_live_at_once_and_one_that_ends_makes_room(short_folder: Path) -> None:
    async def visit(yard: Yard) -> None:
        lines = [await yard.dial() for _ in range(MOST_LIVE)]
        assert [await speaks(line) for line in lines] == [True] * MOST_LIVE
        assert not await speaks(await yard.dial())
        lines[0][1].close()
        await asyncio.sleep(0.2)
        lines.append(await yard.dial())
        assert await speaks(lines[-1])
        assert await speaks(lines[1])
        for _, writer in lines:
            writer.close()

    assert at_gate(short_folder, visit).told == []


def test_whoever_hammers_is_told_on_once_and_shut_out(short_folder: Path) -> None:
    async def visit(yard: Yard) -> None:
        first = await yard.dial()
        assert await speaks(first)
        refused = await asyncio.to_thread(hammer, yard.folder / "s", 200)
        # Those that were counted, and what the kernel had queued by then.
        assert refused > 200 - MOST_EVER - 6 * BACKLOG
        assert await speaks(first)  # what was let in stays
        first[1].close()

    yard = at_gate(short_folder, visit)
    assert yard.told == [f"It made more than {MOST_EVER} connections."]


def hammer(path: Path, times: int) -> int:
    """Connect again and again, and return how often that was refused."""
    refused = 0
    for _ in range(times):
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(str(path))
            except OSError:
                refused += 1
    return refused


async def speaks(line: Line) -> bool:
    reader, writer = line
    try:
        writer.write(b"word")
        return await reader.readexactly(4) == b"word"
    except (OSError, asyncio.IncompleteReadError):
        writer.close()
        return False


@pytest.mark.parametrize("folder", ["missing"])
def test_without_a_door_behind_it_a_connection_is_broken_off(
    short_folder: Path, folder: str
) -> None:
    async def run() -> None:
        yard = Yard(short_folder)
        gate = Gate(short_folder / "s", short_folder / folder / "inside", yard)
        gate.open()
        assert not await speaks(await yard.dial())
        gate.close()

    asyncio.run(run())
