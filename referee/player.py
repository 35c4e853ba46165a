"""The bot in a seat through all games of a lane, in one process unless it needs a fresh one."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from referee.life import Life
from referee.verdict import Evidence
from roundhouse.api.referee.v1.play_pb2 import Forfeited, Goodbye, PlayResponse

if TYPE_CHECKING:
    from pathlib import Path

    from referee.body import Body
    from referee.opponent import Opponent
    from referee.sandbox import Driver, Stage
    from referee.strain import Pulse
    from referee.verdict import Fault
    from roundhouse.api.referee.v1.play_pb2 import Welcome
    from roundhouse.timecontrol import TimeControl


class Player:
    """Who sits in a seat: a bot that is brought in, plays, and is dismissed when it forfeits."""

    def __init__(
        self,
        name: str,
        command: tuple[str, ...],
        folder: Path,
        welcome: Welcome,
        driver: Driver,
        stage: Stage,
        pulse: Pulse,
    ) -> None:
        """Prepare the seat; `make_ready` brings a bot into it."""
        self.name = name
        self._command = command
        self._folder = folder
        self._welcome = welcome
        self._driver = driver
        self._stage = stage
        self._pulse = pulse
        self._life: Life | None = None
        self._partings: list[asyncio.Task[None]] = []

    @property
    def is_ready(self) -> bool:
        """Say whether a bot sits here that can play."""
        return self._life is not None and self._life.is_fit

    @property
    def pid(self) -> int:
        """Return the bot's outermost process; 0 before it was started."""
        return self._body.pid if self._body is not None else 0

    def evidence(self, last_request: bytes) -> Evidence:
        """Return what the owner of the last game's bot gets to see."""
        if self._body is None:
            return Evidence(last_request=last_request)
        return Evidence(self._body.output_tail, last_request, self._body.usage)

    async def make_ready(self, control: TimeControl) -> None:
        """See to it that a bot sits here, idle, or a fresh one that has failed to start.

        Raises:
            AbortError: the sandbox could not be started, or the machine was too busy to tell.
        """
        if self._life is not None:
            await self._life.rest(control.decision_cap)
            if self._life.is_due:
                return
            await self._life.kill()
        self._life = Life(self.name, self._welcome, self._pulse)
        await self._life.start(
            self._driver,
            self._command,
            self._folder,
            self._stage.socket(),
            control.start_up,
            control.margin,
        )

    def require_custody(self) -> None:
        """See to it that a bot that is ready is held as promised.

        Raises:
            AbortError: it is not, which is a fault of ours.
        """
        if self._body is not None and self.is_ready:
            self._body.require_custody()

    def meter(self) -> timedelta | None:
        """Return the processor time that the bot has used; None where nobody counts it."""
        return self._body.meter() if self._body is not None else None

    def begin_time(self) -> None:
        """Note that the bot's time for a decision begins about now."""
        if self._body is not None:
            self._body.begin_time()

    def kept_waiting(self, margin: timedelta) -> timedelta:
        """Return what of the time since then may not be held against the bot.

        Raises:
            AbortError: the machine has kept it or us waiting for too long to tell.
        """
        return timedelta(0) if self._body is None else self._body.kept_waiting(margin)

    def freeze(self) -> None:
        """Hold the bot still while it has nothing to decide."""
        if self._life is not None:
            self._life.freeze()

    def thaw(self) -> None:
        """Let the bot go on."""
        if self._life is not None:
            self._life.thaw()

    def enter(self, game: Opponent) -> Fault | None:
        """Let the game hear the bot, if it is there; return what it has done wrong until now.

        Raises:
            AbortError: something of ours has failed since the bot was last heard of.
        """
        return self._life.enter(game) if self._life is not None else None

    def leave(self, owed: int) -> None:
        """Let the game hear no more of the bot, which may still owe the answer to a decision."""
        if self._life is not None:
            self._life.leave(owed)

    def send(self, message: bytes) -> None:
        """Hand a message to the bot."""
        if self._life is not None:
            self._life.send(message)

    def dismiss(self, fault: Fault) -> None:
        """Tell the bot its verdict and let it end; a fresh one plays the next game."""
        self._part(
            PlayResponse(forfeited=Forfeited(reason=fault.reason.value, sentence=fault.sentence))
        )

    def say_goodbye(self) -> None:
        """Tell the bot that all games are played, and let it end."""
        self._part(PlayResponse(goodbye=Goodbye()))

    async def gone(self) -> None:
        """Wait until no process that was let go is left."""
        await asyncio.gather(*self._partings)
        self._partings.clear()

    async def kill(self) -> None:
        """Empty the seat at once, whatever goes on."""
        for parting in self._partings:
            parting.cancel()
        # Or the next game, which waits for those that were let go, would be cancelled by them.
        await asyncio.gather(*self._partings, return_exceptions=True)
        self._partings.clear()
        if self._life is not None:
            await self._life.kill()

    @property
    def _body(self) -> Body | None:
        return self._life.body if self._life is not None else None

    def _part(self, last: PlayResponse) -> None:
        if self._life is not None:
            self._partings.append(self._life.part(last.SerializeToString()))
