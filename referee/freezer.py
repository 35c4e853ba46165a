"""Keeping a bot still while it has nothing to decide."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.sandbox import BotProcess

BREATH_EVERY_SECONDS = 10.0
BREATH_SECONDS = 0.02
"""How long a frozen bot runs in between, so that its side of the connection can answer what the
wire asks of it: HTTP/2 pings, whose patience ends after 20 s at the least in common libraries. It
is 0.2 % of a core, which is all that a bot can ponder with."""


class Freezer:
    """Stops and continues one bot with all that it has started.

    Where a machine cannot do that, nothing happens; the log says so.
    """

    def __init__(self, process: BotProcess) -> None:
        """Take a bot that runs."""
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_frozen(self) -> bool:
        """Say whether the bot is held still, breaths included."""
        return self._timer is not None

    def freeze(self) -> None:
        """Hold the bot still until `thaw`; does nothing if it is."""
        if self._timer is None:
            self._hold()

    def thaw(self) -> None:
        """Let the bot go on; does nothing if it does."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._process.thaw()

    def _hold(self) -> None:
        self._process.freeze()
        self._timer = self._loop.call_later(BREATH_EVERY_SECONDS, self._breathe)

    def _breathe(self) -> None:
        self._process.thaw()
        self._timer = self._loop.call_later(BREATH_SECONDS, self._hold)
