"""The gate in front of a door: how many connections a bot may make, and how fast it may talk.

gRPC takes whatever connects and reads whatever comes. One bot that only connects took five thousand
descriptors of its lane in a trial, and one that floods took the time that the other seats' messages
needed. So a bot talks to this gate, which lets few connections through and reads no faster than an
honest bot could ever need; what is more waits in the bot's own socket, on its own clock.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

MOST_LIVE = 2
"""Connections at once: one, and one more so that a bot that dials twice is told that it may not."""
MOST_EVER = 8
"""Connections in a bot's life. One is enough; whoever needs more is not mistaken but hammering."""
BACKLOG = 4
"""Connections that wait in the kernel, and so the most that are taken at once to be turned away."""
BYTES_A_SECOND = 128 * 1024
"""What is read of a bot: answers to a thousand decisions a second, twice what a lane can ask."""
BURST_BYTES = 256 * 1024
"""What is read at once after a silence: four times the largest message that is not refused."""


class Warden(Protocol):
    """Who is told of a bot that goes too far."""

    def hammered(self, sentence: str) -> None:
        """Take note that the bot has made more connections than it ever may; the gate is shut."""


class Allowance:
    """A bucket that fills by and by, and from which bytes are taken; the time is passed in."""

    def __init__(self, now: float) -> None:
        """Begin full."""
        self._left = float(BURST_BYTES)
        self._at = now

    def take(self, amount: int, now: float) -> float:
        """Take bytes that have been read, and return for how many seconds none may be read."""
        filled = self._left + (now - self._at) * BYTES_A_SECOND
        self._left = min(filled, float(BURST_BYTES)) - amount
        self._at = now
        return max(0.0, -self._left / BYTES_A_SECOND)


class Gate:
    """Listens on a bot's socket and passes bytes on to the door's, and back."""

    def __init__(self, outside: Path, inside: Path, warden: Warden) -> None:
        """Prepare the gate; `open` lets bots knock."""
        self._outside = outside
        self._inside = inside
        self._warden = warden
        self._loop = asyncio.get_running_loop()
        self._allowance = Allowance(self._loop.time())
        self._listener: socket.socket | None = None
        self._live: set[_Side] = set()
        self._ever = 0
        self._dialling: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Listen on the socket."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.settimeout(0)
        self._listener.bind(str(self._outside))
        self._listener.listen(BACKLOG)
        # Not asyncio's server: that takes all that wait at once, and leaks what it has taken when
        # it is closed in the middle of that.
        self._loop.add_reader(self._listener, self._accept)

    def close(self) -> None:
        """Listen no more and break what is connected."""
        self._shut()
        for side in tuple(self._live):
            side.abort()

    def forget(self, side: _Side) -> None:
        """Note that a connection is gone."""
        self._live.discard(side)

    def pause_after(self, amount: int) -> float:
        """Count bytes of the bot's, on whichever connection, and return how long it must wait."""
        return self._allowance.take(amount, self._loop.time())

    def _shut(self) -> None:
        if self._listener is not None:
            self._loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _accept(self) -> None:
        """Take one connection, and let it through, break it off, or shut the gate."""
        if self._listener is None:
            return
        try:
            line, _ = self._listener.accept()
        except OSError:  # it is gone already, or we are out of descriptors and it waits
            return
        self._ever += 1
        if self._ever > MOST_EVER:
            line.close()
            self._shut()
            self._warden.hammered(f"It made more than {MOST_EVER} connections.")
        elif len(self._live) >= MOST_LIVE:
            line.close()
        else:
            side = _Side(self)
            self._live.add(side)
            task = asyncio.ensure_future(self._connect(line, side))
            self._dialling.add(task)
            task.add_done_callback(self._dialling.discard)

    async def _connect(self, line: socket.socket, side: _Side) -> None:
        """Connect what was let through to the door."""
        try:
            await self._loop.connect_accepted_socket(lambda: side, line)
            await self._loop.create_unix_connection(lambda: _Side(self, side), str(self._inside))
        except OSError:
            side.abort()


class _Side(asyncio.Protocol):
    """One side of a connection: the bot's, which is limited, or the door's.

    The end of one half ends both, as HTTP/2 has it.
    """

    def __init__(self, gate: Gate, outer: _Side | None = None) -> None:
        self._gate = gate
        self._other = outer
        self._is_bots = outer is None
        self._transport: asyncio.Transport | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._early = b""  # asyncio may read once in spite of a pause in `connection_made`
        self._is_held = False  # the other side takes no more

    def write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """Close once what was written is out."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._other is not None:
            self._other.meet(self)
        else:
            transport.pause_reading()  # until the door's side is there

    def meet(self, inner: _Side) -> None:
        """Take the door's side of this connection: bytes may flow."""
        self._other = inner
        if self._transport is None or self._transport.is_closing():
            inner.abort()
        else:
            inner.write(self._early)
            self._early = b""
            self._read_or_wait()

    def data_received(self, data: bytes) -> None:
        if self._other is not None:
            self._other.write(data)
        else:
            self._early += data
        if self._is_bots and (pause := self._gate.pause_after(len(data))):
            self._rest = asyncio.get_running_loop().call_later(pause, self._rested)
            self._read_or_wait()

    def pause_writing(self) -> None:
        if self._other is not None:
            self._other.hold(is_held=True)

    def resume_writing(self) -> None:
        if self._other is not None:
            self._other.hold(is_held=False)

    def hold(self, *, is_held: bool) -> None:
        """Read no more while the other side takes no more."""
        self._is_held = is_held
        self._read_or_wait()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        self._gate.forget(self)
        if self._rest is not None:
            self._rest.cancel()
        self._transport = None
        if self._other is not None:
            self._other.close()

    def _rested(self) -> None:
        self._rest = None
        self._read_or_wait()

    def _read_or_wait(self) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        if self._is_held or self._rest is not None:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()
