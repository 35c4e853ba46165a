"""The line to an interpreter that waits for its bot: it says what it knows, and takes one order."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.sandbox.order import Order

CHUNK = 65536
BEGUN = b"begun"
"""What the interpreter says last, when it has the order and is about to become the bot."""


class Line:
    """Our end of a pair of sockets, whose other end is the interpreter's standard input."""

    def __init__(self) -> None:
        """Open it and listen; `end` closes it."""
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)  # noqa: FBT003 - its only argument
        self._said = b""
        self._has_begun = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._ours, self._hear)
        self._is_heard = asyncio.Event()
        self.known: frozenset[str] | None = None
        """The modules that the interpreter has imported, once it is ready."""

    @property
    def theirs(self) -> int:
        """Return the descriptor of the other end, to be handed over and then `keep_ours`."""
        return self._theirs.fileno()

    def keep_ours(self) -> None:
        """Close the other end here, once somebody else has it or nobody will."""
        self._theirs.close()

    async def heard(self) -> None:
        """Wait until the interpreter is ready, or never will be."""
        await self._is_heard.wait()

    def send(self, order: Order) -> None:
        """Send the order; raises `OSError` if nobody is there to take it."""
        self._ours.sendall(order.encode())
        self._ours.shutdown(socket.SHUT_WR)

    def end(self) -> bool:
        """Close the line; say whether the interpreter became the bot."""
        if self._ours.fileno() >= 0:
            self._hear()
            self._close()
        return self._has_begun

    def _hear(self) -> None:
        chunk = b""
        with contextlib.suppress(BlockingIOError, ConnectionError):
            chunk = self._ours.recv(CHUNK)
        *lines, self._said = (self._said + chunk).split(b"\n")
        for line in lines:
            if line == BEGUN:
                self._has_begun = True
            else:
                self.known = frozenset(json.loads(line))
                self._is_heard.set()
        if self._has_begun or not chunk:
            self._close()

    def _close(self) -> None:
        self._is_heard.set()
        if self._ours.fileno() >= 0:
            self._loop.remove_reader(self._ours)
            self._ours.close()
