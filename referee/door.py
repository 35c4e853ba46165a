"""The door of one seat: a Unix socket on which one bot, with the right token, is let in once.

Every seat has a server of its own, so that a connection's seat is known by the socket on which it
came, and so that whatever a bot does to its server is gone with it.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import deque
from typing import TYPE_CHECKING, NoReturn, Protocol

import grpc
from google.protobuf.message import DecodeError

from referee.gate import Gate
from roundhouse import API_VERSION
from roundhouse.api.referee.v1.play_pb2 import PlayRequest, PlayResponse, Welcome

if TYPE_CHECKING:
    from pathlib import Path

    Context = grpc.aio.ServicerContext[bytes, bytes]
    Handler = grpc.RpcMethodHandler[bytes, bytes]

METHOD = "/roundhouse.api.referee.v1.PlayService/Play"
MOST_STREAMS = 4
"""Open at once on one socket. One is enough; a few more let a bot be told why it is refused."""
MOST_REFUSALS = 16
"""After as many a bot is not mistaken but hammering the door."""
MOST_BYTES_RECEIVED = 4 * 1024 * 1024
"""Where gRPC ends a stream by itself; we refuse far smaller messages, but with a sentence."""
STOP_SECONDS = 0.5
"""gRPC's `stop` may never return after a client's rapid resets, so it is not waited for longer."""
OPTIONS = (
    ("grpc.max_receive_message_length", MOST_BYTES_RECEIVED),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.so_reuseport", 0),
    # No pings of ours to learn the bandwidth: a frozen bot answers none.
    ("grpc.http2.bdp_probe", 0),
)


class Guest(Protocol):
    """Who is told what happens at the door. Nothing here may block."""

    def greeted(self) -> None:
        """The bot is in: its token and its version are right."""

    def refused(self, sentence: str, *, is_final: bool) -> None:
        """Somebody was turned away; `is_final` if it was the bot itself, which cannot play."""

    def received(self, message: bytes) -> None:
        """The bot sent a message after its greeting."""

    def closed(self) -> None:
        """The bot's stream ended, or its sending half of it; may be told more than once."""


class Door:
    """One seat's `PlayService`."""

    def __init__(self, socket: Path, token: str, welcome: Welcome, guest: Guest) -> None:
        """Prepare the door; `open` lets bots knock."""
        self._token = token
        self._welcome = PlayResponse(welcome=welcome).SerializeToString()
        self._guest = guest
        self._is_used = False
        self._refusals = 0
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._is_ending = False
        # Messages stay bytes at this seam: an unreadable one is a verdict and not an RPC error,
        # and decisions are put together from parts that are serialised once.
        handler: Handler = grpc.stream_stream_rpc_method_handler(self._play)
        self._server = grpc.aio.server(options=OPTIONS, maximum_concurrent_rpcs=MOST_STREAMS)
        self._server.add_generic_rpc_handlers((_OneMethod(handler),))
        inside = socket.with_suffix(".grpc")
        self._server.add_insecure_port(f"unix:{inside}")
        self._gate = Gate(socket, inside, self)

    async def open(self) -> None:
        """Listen on the socket."""
        await self._server.start()
        self._gate.open()

    def send(self, message: bytes) -> None:
        """Hand a message to the bot's stream, which takes it as fast as the bot reads."""
        self._outbox.append(message)
        self._wake.set()

    def end(self) -> None:
        """End the stream once what was sent is out; nothing that comes in counts any more."""
        self._is_ending = True
        self._wake.set()

    async def close(self) -> None:
        """Take the door away, whatever goes on at it."""
        self.end()
        self._gate.close()
        # Not `wait_for`: a `stop` that is cancelled would be tried again when the loop has gone.
        await asyncio.wait({asyncio.ensure_future(self._server.stop(None))}, timeout=STOP_SECONDS)

    def hammered(self, sentence: str) -> None:
        """Pass on that the bot has made too many connections."""
        self._guest.refused(sentence, is_final=True)

    async def _play(self, _: object, context: Context) -> None:
        """Serve one call of `Play`."""
        await self._greet(context)
        writer = asyncio.ensure_future(self._write(context))
        reader = asyncio.ensure_future(self._read(context))
        try:
            # The end of the bot's half does not end ours: it may still read its verdict.
            await writer
        finally:  # a cancellation too: gRPC cancels us when the connection is lost
            reader.cancel()
            writer.cancel()
            if not self._is_ending:
                self._guest.closed()

    async def _greet(self, context: Context) -> None:
        """Let the bot in, or turn it away; only the first with the token ever passes."""
        first = await _next(context)
        if first is None:
            await self._refuse(context, grpc.StatusCode.INVALID_ARGUMENT, "The bot said nothing.")
        try:
            hello = PlayRequest.FromString(first).hello
        except DecodeError:
            await self._refuse(
                context, grpc.StatusCode.INVALID_ARGUMENT, "The bot's first message cannot be read."
            )
        if not hmac.compare_digest(hello.token.encode(), self._token.encode()):
            await self._refuse(
                context,
                grpc.StatusCode.UNAUTHENTICATED,
                "The bot's first message holds no token, or not that of this seat;"
                " send Hello with the value of ROUNDHOUSE_TOKEN.",
            )
        if self._is_used:
            await self._refuse(
                context,
                grpc.StatusCode.UNAUTHENTICATED,
                "This seat's token was used already; a bot connects once.",
            )
        self._is_used = True
        major = API_VERSION.partition(".")[0]
        if hello.api_version.partition(".")[0] != major:
            await self._refuse(
                context,
                grpc.StatusCode.FAILED_PRECONDITION,
                f"The bot speaks version {hello.api_version[:32]!r} of the protocol, this referee"
                f" speaks {API_VERSION}. Install 'roundhouse-sdk>={major},<{int(major) + 1}'.",
                is_final=True,
            )
        self._outbox.appendleft(self._welcome)
        self._guest.greeted()

    async def _refuse(
        self, context: Context, code: grpc.StatusCode, sentence: str, *, is_final: bool = False
    ) -> NoReturn:
        self._refusals += 1
        self._guest.refused(sentence, is_final=is_final or self._refusals >= MOST_REFUSALS)
        await context.abort(code, sentence)

    async def _read(self, context: Context) -> None:
        while not self._is_ending:
            message = await _next(context)
            if message is None:
                self._guest.closed()
                return
            if not self._is_ending:
                self._guest.received(message)
                # What follows from it goes out before gRPC is asked for more: the other bot waits.
                await asyncio.sleep(0)

    async def _write(self, context: Context) -> None:
        while True:
            while self._outbox:
                await context.write(self._outbox.popleft())
            if self._is_ending:
                return
            self._wake.clear()
            await self._wake.wait()


async def _next(context: Context) -> bytes | None:
    """Return the next message, or None when none can follow: the types of gRPC leave that out."""
    message: object = await context.read()
    return message if isinstance(message, bytes) else None


class _OneMethod(grpc.GenericRpcHandler):
    """Route the one method of `PlayService` without the generated code's (de)serialisers."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        return self._handler if handler_call_details.method == METHOD else None
