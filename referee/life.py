"""One life of a bot: a body, the door by which it came in, and how both of them end."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.body import Body, fault_of, no_sandbox
from referee.door import Door
from referee.sandbox import SandboxSpec
from referee.verdict import AbortError, Fault, ForfeitReason
from referee.wire import answered_decision

if TYPE_CHECKING:
    from datetime import timedelta
    from pathlib import Path

    from referee.opponent import Opponent
    from referee.sandbox import Driver
    from referee.strain import Pulse
    from roundhouse.api.referee.v1.play_pb2 import Welcome

TOKEN_BYTES = 32
"""256 bits: nobody guesses the token of another seat."""
SETTLE_SECONDS = 0.25
"""How long the stream of a process that has ended is still heard."""
DYING_SECONDS = 0.75
"""How long the process of a stream that has ended may take to end, and so to be the cause: it may
get to run late on a busy machine, but a dead bot is to be noticed within a second."""
FAREWELL_SECONDS = 0.5
"""How long a bot may take to read its last message and to end by itself, before it is killed."""


class Life:
    """A bot from the start of its process to its end. It plays game after game in between."""

    def __init__(self, name: str, welcome: Welcome, pulse: Pulse) -> None:
        """Prepare the life of a bot that will be welcomed like that; `start` begins it."""
        self._name = name
        self._welcome = welcome
        self._pulse = pulse
        self._door: Door | None = None
        self._body: Body | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._game: Opponent | None = None
        self._owed = 0
        self._refusal = ""
        self._fault: Fault | None = None
        self._trouble: AbortError | None = None
        self._has_played = False
        self._is_ended = False
        self._arrival: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closed, self._rested = asyncio.Event(), asyncio.Event()

    @property
    def is_fit(self) -> bool:
        """Say whether the bot is there and can play on."""
        is_well = self._fault is None and self._trouble is None
        return self._arrival.done() and is_well and not self._is_ended

    @property
    def is_due(self) -> bool:
        """Say whether the next game is this life's: a first game is, however the start went."""
        return self.is_fit or (self.has_failed and not self._has_played and not self._is_ended)

    @property
    def has_failed(self) -> bool:
        """Say whether the bot has done what it forfeits a game for, if it is in one."""
        return self._fault is not None

    @property
    def body(self) -> Body | None:
        """Return the bot's process, as soon as it has been started."""
        return self._body

    async def start(
        self,
        driver: Driver,
        command: tuple[str, ...],
        folder: Path,
        socket: Path,
        start_up: timedelta,
        margin: timedelta,
    ) -> None:
        """Start the process and wait until it has greeted, or failed to.

        Raises:
            AbortError: the sandbox could not be started, or the machine was too busy to tell.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._door = Door(socket, token, self._welcome, self)
        await self._door.open()
        spec = SandboxSpec(self._name, command, folder, socket, {"ROUNDHOUSE_TOKEN": token})
        body = self._body = await Body.start(driver, spec, self._pulse)
        self._watcher = asyncio.create_task(self._watch(body))
        if await body.is_in_time(self._arrival, start_up, margin):
            self._arrival.result()  # which may be our own failure
            return
        sentence = f"It did not connect within {start_up.total_seconds():g} s of its start."
        self._fail(Fault(ForfeitReason.DISCONNECT, sentence))

    def enter(self, game: Opponent) -> Fault | None:
        """Let the game hear the bot from now on; return what it has done wrong until now.

        Raises:
            AbortError: something of ours has failed since the bot was last heard of.
        """
        if self._trouble is not None:
            raise self._trouble
        self._game = game
        self._has_played = True
        return self._fault

    def leave(self, owed: int) -> None:
        """Let the game hear no more.

        `owed` is the decision that was open when the game ended, or 0: its answer may be on its
        way. With nothing else open there is nothing to forfeit between two games: a bot that ends
        there, or talks, is merely no longer fit.
        """
        self._game = None
        self._owed = owed
        self._rested.clear()
        self.thaw()

    async def rest(self, longest: timedelta) -> None:
        """Wait until the bot has answered what it owed, so that the next game finds it idle."""
        if not self.is_fit or not self._owed:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(longest.total_seconds()):
                await self._rested.wait()
        if self._owed:
            self._fail(Fault(ForfeitReason.TIME, "It never answered a decision taken back."))

    def freeze(self) -> None:
        """Hold the bot still: it has nothing to decide."""
        if self._body is not None and self.is_fit:
            self._body.freeze()

    def thaw(self) -> None:
        """Let the bot go on."""
        if self._body is not None:
            self._body.thaw()

    def send(self, message: bytes) -> None:
        """Hand a message to the bot's stream."""
        if self._door is not None:
            self._door.send(message)

    def part(self, last: bytes) -> asyncio.Task[None]:
        """Send a last message and let the bot end; the task is done when nothing is left of it."""
        self._is_ended = True
        self.thaw()
        if self._door is not None:
            self._door.send(last)
            self._door.end()
        return asyncio.create_task(self._part())

    async def kill(self) -> None:
        """End the process and take the door away. May be called at any time and repeatedly."""
        self._is_ended = True
        self._game = None
        if self._watcher is not None:
            self._watcher.cancel()
        if self._body is not None:
            await self._body.kill()
        if self._door is not None:
            await self._door.close()

    def greeted(self) -> None:
        """Note that the bot is in."""
        if not self._arrival.done():
            self._arrival.set_result(None)

    def refused(self, sentence: str, *, is_final: bool) -> None:
        """Note that somebody was turned away at the door."""
        self._refusal = sentence
        if is_final:
            self._fail(Fault(ForfeitReason.PROTOCOL, sentence))

    def received(self, message: bytes) -> None:
        """Pass a message on to the game, or judge it when there is none."""
        if self._fault is not None:
            return
        if self._game is not None:
            self._game.heard(self._welcome.seat, message)
        elif self._owed and answered_decision(message) == self._owed:
            self._owed = 0
            self._rested.set()
        else:
            self._fail(Fault(ForfeitReason.PROTOCOL, "It spoke between two games."))

    def closed(self) -> None:
        """Note that the stream has ended."""
        self.thaw()  # a process killed while it was frozen ends only now
        self._closed.set()

    async def _part(self) -> None:
        if self._body is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL_SECONDS):
                    await self._body.end()
        await self.kill()

    async def _watch(self, body: Body) -> None:
        """See the process or its stream end, and say whose fault it was."""
        exited = asyncio.ensure_future(body.end())
        closed = asyncio.ensure_future(self._closed.wait())
        try:
            await asyncio.wait((exited, closed), return_when=asyncio.FIRST_COMPLETED)
            # What the bot sent before its end is heard before its end is judged.
            longest = SETTLE_SECONDS if exited.done() else DYING_SECONDS
            await asyncio.wait((exited, closed), timeout=longest)
            if not exited.done():
                self._fail(Fault(ForfeitReason.DISCONNECT, "It closed its stream."))
            elif exited.result().is_ours:
                self._break(no_sandbox(self._name, exited.result().describe()))
            else:
                self._fail(fault_of(exited.result()))
        finally:
            exited.cancel()
            closed.cancel()

    def _break(self, error: AbortError) -> None:
        if not self._arrival.done():
            self._arrival.set_exception(error)
        elif self._game is not None:
            self._game.broke(error)
        else:
            self._trouble = error

    def _fail(self, fault: Fault) -> None:
        if self._fault is not None:
            return
        has_arrived = self._arrival.done()
        if not has_arrived and self._refusal:
            # Whether it ended or hung afterwards: this is why it never came in.
            fault = replace(fault, reason=ForfeitReason.PROTOCOL, sentence=self._refusal)
        self._fault = fault
        self._rested.set()
        if not has_arrived:
            self._arrival.set_result(None)
        elif self._game is not None:
            self._game.failed(self._welcome.seat, fault)
