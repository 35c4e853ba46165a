"""The door of one seat, knocked at by real clients."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc
import pytest

from referee.door import METHOD, MOST_REFUSALS, Door
from roundhouse import API_VERSION
from roundhouse.api.referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse, Welcome

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Call = grpc.aio.StreamStreamCall[bytes, bytes]

TOKEN = "the token of this seat"
SECONDS = 10


@dataclass(slots=True)
class Host:
    """Who stands behind the door."""

    greetings: int = 0
    refusals: list[tuple[str, bool]] = field(default_factory=list)
    messages: list[bytes] = field(default_factory=list)
    is_closed: asyncio.Event = field(default_factory=asyncio.Event)

    def greeted(self) -> None:
        self.greetings += 1

    def refused(self, sentence: str, *, is_final: bool) -> None:
        self.refusals.append((sentence, is_final))

    def received(self, message: bytes) -> None:
        self.messages.append(message)

    def closed(self) -> None:
        self.is_closed.set()


def hello(token: str = TOKEN, version: str = API_VERSION) -> bytes:
    return PlayRequest(hello=Hello(token=token, api_version=version)).SerializeToString()


def at_door(folder: Path, visit: Callable[[Door, Host, grpc.aio.Channel], Awaitable[None]]) -> None:
    """Open a door, let somebody visit it, and close it."""

    async def run() -> None:
        host = Host()
        door = Door(folder / "s", TOKEN, Welcome(api_version=API_VERSION, seat=3), host)
        await door.open()
        async with asyncio.timeout(SECONDS), grpc.aio.insecure_channel(f"unix:{folder}/s") as line:
            await visit(door, host, line)
        await door.close()

    asyncio.run(run())


def dial(line: grpc.aio.Channel) -> Call:
    method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = line.stream_stream(METHOD)
    return method()


async def answer(call: Call) -> PlayResponse:
    message = await call.read()
    assert isinstance(message, bytes)
    return PlayResponse.FromString(message)


async def refusal(line: grpc.aio.Channel, first: bytes) -> tuple[grpc.StatusCode, str]:
    call = dial(line)
    await call.write(first)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    return refused.value.code(), str(refused.value.details())


def test_who_presents_the_token_is_welcomed_and_heard(short_folder: Path) -> None:
    async def visit(door: Door, host: Host, line: grpc.aio.Channel) -> None:
        call = dial(line)
        await call.write(hello())
        assert (await answer(call)).welcome.seat == 3
        await call.write(b"anything")
        door.send(b"something")
        assert await call.read() == b"something"
        await call.done_writing()
        await host.is_closed.wait()
        assert (host.greetings, host.messages, host.refusals) == (1, [b"anything"], [])
        door.send(b"the last word")
        door.end()
        assert await call.read() == b"the last word"
        assert await call.code() is grpc.StatusCode.OK

    at_door(short_folder, visit)


@pytest.mark.parametrize("version", ["1.0.0", API_VERSION, "1.99.0"])
def test_any_minor_version_is_welcomed_and_told_ours(short_folder: Path, version: str) -> None:
    async def visit(_: Door, host: Host, line: grpc.aio.Channel) -> None:
        call = dial(line)
        await call.write(hello(version=version))
        assert (await answer(call)).welcome.api_version == API_VERSION
        assert (host.greetings, host.refusals) == (1, [])

    at_door(short_folder, visit)


@pytest.mark.parametrize(
    ("first", "code", "part"),
    [
        (hello("another token"), grpc.StatusCode.UNAUTHENTICATED, "not that of this seat"),
        (hello(""), grpc.StatusCode.UNAUTHENTICATED, "no token"),
        (b"", grpc.StatusCode.UNAUTHENTICATED, "no token"),
        (b"\xff\xff", grpc.StatusCode.INVALID_ARGUMENT, "cannot be read"),
        (hello(version="2.0.0"), grpc.StatusCode.FAILED_PRECONDITION, "'roundhouse-sdk>=1,<2'"),
        (hello(version=""), grpc.StatusCode.FAILED_PRECONDITION, "'roundhouse-sdk>=1,<2'"),
    ],
)
def test_anybody_else_is_turned_away_with_a_sentence(
    short_folder: Path, first: bytes, code: grpc.StatusCode, part: str
) -> None:
    async def visit(_: Door, host: Host, line: grpc.aio.Channel) -> None:
        got, sentence = await refusal(line, first)
        assert got is code
        assert part in sentence
        ((told, is_final),) = host.refusals
        assert told == sentence
        # Only the holder of the token can speak for the bot; a stranger cannot make it lose.
        assert is_final is (code is grpc.StatusCode.FAILED_PRECONDITION)
        assert host.greetings == 0

    at_door(short_folder, visit)


def test_a_stranger_at_the_door_does_not_keep_the_bot_out(short_folder: Path) -> None:
    async def visit(_: Door, host: Host, line: grpc.aio.Channel) -> None:
        await refusal(line, hello("a guess"))
        call = dial(line)
        await call.write(hello())
        assert (await answer(call)).HasField("welcome")
        assert host.greetings == 1

    at_door(short_folder, visit)


def test_the_token_lets_in_once(short_folder: Path) -> None:
    async def visit(_: Door, host: Host, line: grpc.aio.Channel) -> None:
        call = dial(line)
        await call.write(hello())
        await call.read()
        code, sentence = await refusal(line, hello())
        assert code is grpc.StatusCode.UNAUTHENTICATED
        assert "used already" in sentence
        assert host.greetings == 1
        assert not host.is_closed.is_set()  # the first connection is not touched

    at_door(short_folder, visit)


def test_the_token_of_another_seat_opens_nothing_and_costs_that_seat_nothing(
    short_folder: Path,
) -> None:
    async def visit(_door: Door, host: Host, line: grpc.aio.Channel) -> None:
        theirs = Host()
        token = "the token of another seat"
        other = Door(short_folder / "o", token, Welcome(api_version=API_VERSION, seat=1), theirs)
        await other.open()
        code, _ = await refusal(line, hello(token))
        assert code is grpc.StatusCode.UNAUTHENTICATED
        assert (host.greetings, theirs.greetings, theirs.refusals) == (0, 0, [])
        async with grpc.aio.insecure_channel(f"unix:{short_folder}/o") as their_line:
            call = dial(their_line)
            await call.write(hello(token))
            assert (await answer(call)).welcome.seat == 1
        await other.close()

    at_door(short_folder, visit)


def test_a_lost_connection_is_told(short_folder: Path) -> None:
    async def visit(_: Door, host: Host, line: grpc.aio.Channel) -> None:
        call = dial(line)
        await call.write(hello())
        await call.read()
        call.cancel()
        await host.is_closed.wait()

    at_door(short_folder, visit)


def test_hammering_is_final(short_folder: Path) -> None:
    async def visit(_: Door, host: Host, line: grpc.aio.Channel) -> None:
        for _attempt in range(MOST_REFUSALS):
            await refusal(line, hello("a guess"))
        finals = [is_final for _, is_final in host.refusals]
        assert finals == [False] * (MOST_REFUSALS - 1) + [True]

    at_door(short_folder, visit)


def test_a_door_closes_while_its_bot_reads_nothing(short_folder: Path) -> None:
    async def visit(door: Door, _: Host, line: grpc.aio.Channel) -> None:
        call = dial(line)
        await call.write(hello())
        await call.read()
        for _message in range(64):
            door.send(bytes(1024 * 1024))  # far more than the flow-control window
        await door.close()

    at_door(short_folder, visit)
