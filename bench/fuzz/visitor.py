"""A bot that fuzzes: it greets oddly, answers oddly, and notes what must come of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc

from bench.fuzz.ledger import answers_one_to_come, judge, shown
from bench.fuzz.mutation import any_bytes, honest, mutate, unknown
from bench.fuzz.reading import UnreadableError, read_greeting
from referee.door import METHOD
from referee.verdict import ForfeitReason
from roundhouse import API_VERSION
from roundhouse.api.referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from bench.fuzz.ledger import Ledger
    from roundhouse.api.referee.v1.play_pb2 import Decision

    Call = grpc.aio.StreamStreamCall[bytes, bytes]

GREETING_MUTATED = 0.15
MOST_GREETINGS = 4
"""Refused; the door says no for good after 16."""
BURST = 0.03
SILENT, HALF_CLOSED, BROKEN, EXITED, AFTER_THE_END = 0.0006, 0.001, 0.001, 0.002, 0.01
"""How likely each is at a decision, the last at the end of a game. The first takes a second."""
EXIT_CODE = 3


class Visitor:
    """One life of a fuzzing bot, from its greeting to its end."""

    def __init__(
        self, socket: Path, token: str, place: tuple[str, int], rng: random.Random, ledger: Ledger
    ) -> None:
        """Prepare for a place, a lane and a seat of it; `visit` connects."""
        self._socket = socket
        self._lane, self._seat = place
        self._token = token
        self._rng = rng
        self._ledger = ledger
        self._game = ""
        self._leftover = ""
        """What may still be on its way when the next game begins."""
        self._has_erred = False
        self._calls: list[Call] = []

    async def visit(self) -> int:
        """Play until the referee ends the stream; return the exit code of the process that we are.

        A bot that breaks its stream goes on living, so that this is all that can be seen of it.
        """
        async with grpc.aio.insecure_channel(f"unix:{self._socket}") as line:
            try:
                call = await self._greet(line)
                return EXIT_CODE if call is None else await self._play(call)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                return 0  # the door was taken away
            finally:
                for call in self._calls:
                    call.cancel()

    async def _greet(self, line: grpc.aio.Channel) -> Call | None:
        for _ in range(MOST_GREETINGS):
            if self._rng.random() >= GREETING_MUTATED:
                break
            first = self._odd_greeting()
            call = self._dial(line)
            wanted = self._judge_greeting(first)
            self._ledger.sent("greeting")
            await call.write(first)
            if wanted is None:
                return call
            code = await call.code()
            self._ledger.refusals[code.name] += 1
            if code is not wanted:
                self._ledger.fail(f"refused by {code.name}, not {wanted}: {first.hex()}")
            if code is grpc.StatusCode.FAILED_PRECONDITION:
                self._ledger.shut_out(self._lane, self._seat)
                return None
        call = self._dial(line)
        self._ledger.sent("greeting")
        await call.write(self._hello())
        return call

    def _judge_greeting(self, first: bytes) -> grpc.StatusCode | None:
        try:
            greeting = read_greeting(first)
        except UnreadableError:
            return grpc.StatusCode.INVALID_ARGUMENT
        if greeting.token != self._token:
            return grpc.StatusCode.UNAUTHENTICATED
        major = API_VERSION.partition(".")[0]
        return (
            None
            if greeting.version.partition(".")[0] == major
            else grpc.StatusCode.FAILED_PRECONDITION
        )

    def _odd_greeting(self) -> bytes:
        rng, hello = self._rng, self._hello()
        kind = rng.randrange(6)
        if kind == 0:
            return hello[: rng.randrange(1, len(hello))]
        if kind == 1:
            return rng.randbytes(rng.randint(1, 100))
        if kind == 2:
            changed = bytearray(hello)
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            return bytes(changed)
        if kind == 3:
            return unknown(rng) + hello + unknown(rng)
        if kind == 4:
            token = rng.choice(["", self._token[:-1], self._token + "x", self._token.swapcase()])
            return self._hello(token)
        return self._hello(version=rng.choice(["", "0.9", "1", "1.999", "10.0", "2.0.0", "1\0"]))

    def _hello(self, token: str | None = None, version: str = API_VERSION) -> bytes:
        hello = Hello(token=self._token if token is None else token, api_version=version)
        return PlayRequest(hello=hello).SerializeToString()

    async def _play(self, call: Call) -> int:
        while True:
            message: object = await call.read()
            if not isinstance(message, bytes):
                return 0
            response = PlayResponse.FromString(message)
            match response.WhichOneof("kind"):
                case "game_started":
                    self._enter(response.game_started.game_id)
                case "decision":
                    if not self._has_erred and await self._decide(call, response.decision):
                        return EXIT_CODE
                case "game_over":
                    await self._leave(call)
                case "forfeited" | "goodbye":
                    return 0

    def _enter(self, game: str) -> None:
        self._game, self._has_erred = game, False
        if self._leftover:
            reason = ForfeitReason.PROTOCOL
            self._ledger.owe(game, self._seat, reason, f"left: {self._leftover}", is_certain=False)
        self._leftover = ""

    async def _leave(self, call: Call) -> None:
        """At the end of a game, now and then go on talking."""
        if self._has_erred:
            self._leftover = "an error as the game ended"
        if self._rng.random() < AFTER_THE_END:
            self._leftover = "a word after the end"
            await self._send(call, "after the end", self._rng.randbytes(20))

    async def _decide(self, call: Call, decision: Decision) -> bool:
        """Answer a decision; return whether the process ends in place of that."""
        rng = self._rng
        chance = rng.random()
        for likely, deed, reason in (
            (SILENT, "silence", ForfeitReason.TIME),
            (HALF_CLOSED, "half-close", ForfeitReason.DISCONNECT),
            (BROKEN, "broken stream", ForfeitReason.DISCONNECT),
            (EXITED, "exit", ForfeitReason.CRASH),
        ):
            chance -= likely
            if chance < 0:
                self._ledger.kinds[deed] += 1
                self._owe(reason, deed)
                if deed == "half-close":
                    await call.done_writing()
                elif deed == "broken stream":
                    call.cancel()
                    await asyncio.get_running_loop().create_future()  # lives on until it is killed
                return deed == "exit"
        kind, message = mutate(rng, decision)
        reason_due = judge(message, decision)
        if reason_due is None:
            self._ledger.accepted()
        else:
            self._owe(reason_due, shown(kind, message))
        await self._send(call, kind, message)
        if rng.random() < BURST:
            await self._burst(call, decision)
        return False

    async def _burst(self, call: Call, decision: Decision) -> None:
        """Say more than was asked, at once."""
        for _ in range(self._rng.randint(1, 3)):
            word = self._rng.choice([honest, any_bytes])(self._rng, decision)
            if answers_one_to_come(word, decision):
                return
            # Not for certain: the answer before it may have ended the game.
            self._owe(ForfeitReason.PROTOCOL, shown("burst", word), is_certain=False)
            await self._send(call, "burst", word)

    def _owe(self, reason: ForfeitReason, told_by: str, *, is_certain: bool = True) -> None:
        if not self._has_erred:
            self._ledger.owe(self._game, self._seat, reason, told_by, is_certain=is_certain)
        self._has_erred = True

    def _dial(self, line: grpc.aio.Channel) -> Call:
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = line.stream_stream(METHOD)
        call: Call = method()
        self._calls.append(call)
        return call

    async def _send(self, call: Call, kind: str, message: bytes) -> None:
        self._ledger.sent(kind)
        await call.write(message)
