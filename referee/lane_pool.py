"""Lanes that are started before anybody asks for one, so that their bots are there at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from referee.footprint import memory_of
from referee.lane_child import LaneChild

if TYPE_CHECKING:
    from referee.settings import RefereeSettings

MOST_LOST = 4
"""Prepared lanes that ended unused and are replaced, until one has been used again. A machine on
which they go on ending has a fault, which a lane of its own will name."""


class LanePool:
    """Processes of lanes that wait for their request, each with sandboxes that wait for a bot.

    The pool holds whole lanes and not sandboxes, for a sandbox cannot be handed on: the kernel ends
    it with the thread that started it, and its uid and its control group are that process's, too.
    And so it saves the lane's own start and its probe as well.
    """

    def __init__(self, settings: RefereeSettings) -> None:
        """Start nothing yet."""
        self._settings = settings
        self._idle: list[LaneChild] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._starting = 0
        self._lost = 0
        self._is_closed = False

    @property
    def idle(self) -> tuple[LaneChild, ...]:
        """Return the lanes that wait."""
        return tuple(self._idle)

    def memory(self) -> int:
        """Return the bytes that the waiting lanes hold with their sandboxes. It takes a while."""
        return sum(memory_of(child.pid) for child in self.idle)

    def fill(self) -> None:
        """Have as many lanes waiting as the settings say, by and by."""
        while not self._is_closed and len(self._idle) + self._starting < self._settings.warm_lanes:
            self._starting += 1
            task = asyncio.create_task(self._keep_one())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def take(self) -> LaneChild:
        """Return a lane that waits, or a new one; its place in the pool is filled again.

        Raises:
            OSError: this machine starts no more processes.
        """
        try:
            while self._idle:
                child = self._idle.pop(0)
                if child.is_running:
                    self._lost = 0
                    return child
            return await LaneChild.start(self._settings.sandbox, ahead=0)
        finally:
            self.fill()

    async def close(self) -> None:
        """End all lanes that wait."""
        self._is_closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        idle, self._idle = self._idle, []
        await asyncio.gather(*(child.end() for child in idle))

    async def _keep_one(self) -> None:
        """Start a lane and let it wait; replace it if it ends before it is used."""
        try:
            child = await LaneChild.start(self._settings.sandbox, ahead=self._settings.sandbox.warm)
        except OSError:  # who asks for a lane will be told
            return
        finally:
            self._starting -= 1
        self._idle.append(child)
        await child.exited()
        if child in self._idle:
            self._idle.remove(child)
            self._lost += 1
            if self._lost <= MOST_LOST:
                self.fill()
