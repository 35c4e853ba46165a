"""A bot is held still while it has nothing to decide."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import referee.freezer
from referee.freezer import BREATH_EVERY_SECONDS, BREATH_SECONDS, Freezer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import pytest

    from referee.sandbox import BotProcess


class Process:
    """Remembers what became of it."""

    def __init__(self) -> None:
        self.states: list[str] = []

    def freeze(self) -> bool:
        self.states.append("frozen")
        return True

    def thaw(self) -> None:
        self.states.append("runs")


def states_of(happen: Callable[[Freezer], Awaitable[None]]) -> list[str]:
    async def run() -> list[str]:
        process = Process()
        freezer = Freezer(cast("BotProcess", process))
        await happen(freezer)
        states = list(process.states)
        freezer.thaw()
        return states

    return asyncio.run(run())


def test_a_bot_is_frozen_and_thawed_once_however_often_it_is_asked_for() -> None:
    async def happen(freezer: Freezer) -> None:
        freezer.thaw()
        assert not freezer.is_frozen
        freezer.freeze()
        freezer.freeze()
        assert freezer.is_frozen
        freezer.thaw()
        freezer.thaw()
        assert not freezer.is_frozen

    assert states_of(happen) == ["frozen", "runs"]


def test_a_frozen_bot_breathes_until_it_is_thawed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.freezer, "BREATH_EVERY_SECONDS", 0.002)
    monkeypatch.setattr(referee.freezer, "BREATH_SECONDS", 0.001)

    async def happen(freezer: Freezer) -> None:
        freezer.freeze()
        await asyncio.sleep(0.05)
        assert freezer.is_frozen

    states = states_of(happen)
    assert len(states) > 2
    assert set(states[::2]) == {"frozen"}
    assert set(states[1::2]) == {"runs"}


def test_a_thawed_bot_is_not_frozen_by_a_breath_that_was_due(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(referee.freezer, "BREATH_EVERY_SECONDS", 0)

    async def happen(freezer: Freezer) -> None:
        freezer.freeze()
        await asyncio.sleep(0)
        freezer.thaw()
        await asyncio.sleep(0.05)

    assert states_of(happen)[-1] == "runs"


def test_breaths_are_near_to_nothing_and_within_the_patience_of_http2() -> None:
    assert BREATH_SECONDS / BREATH_EVERY_SECONDS <= 0.002
    assert BREATH_EVERY_SECONDS < 20
