"""One sandbox that stands before its bot is known, with an interpreter that has the SDK at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeGuard, runtime_checkable

from referee.sandbox import guest
from referee.sandbox.driver import BotProcess, Driver
from referee.sandbox.line import Line
from referee.sandbox.order import Order
from referee.sandbox.slot import Slot
from referee.sandbox.spec import SandboxSpec

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox.stage import Stage


class AheadProcess(BotProcess, Protocol):
    """What is held before its bot is known."""

    def own(self, socket: Path) -> None:
        """Let this bot alone knock at a socket; raises `OSError`."""

    def pin(self, core: int) -> None:
        """Keep all of it on one core; raises `OSError`."""


@runtime_checkable
class AheadDriver(Driver, Protocol):
    """A driver that can hold something ahead."""

    def hold(self, spec: SandboxSpec, line: Line) -> AheadProcess:
        """Start an interpreter at the other end of the line; raises `SandboxError`."""


def can_prepare(driver: Driver) -> TypeGuard[AheadDriver]:
    """Say whether a driver can hold something before its bot is known."""
    return isinstance(driver, AheadDriver)


class Ahead:
    """A prepared sandbox, until it is given its bot or ended."""

    def __init__(self, driver: AheadDriver, stage: Stage) -> None:
        """Start it; raises `SandboxError` or `OSError`."""
        self._slot = Slot.on(stage)
        self._line = Line()
        spec = SandboxSpec(
            name="a prepared sandbox",
            command=("python3", guest.BOOT),
            folder=self._slot.folder,
            socket=self._slot.exit,
            is_ahead=True,
        )
        try:
            self.process = driver.hold(spec, self._line)
        except BaseException:
            self._line.end()
            raise
        finally:
            self._line.keep_ours()

    @property
    def is_ready(self) -> bool:
        """Say whether the interpreter has imported what it is to know."""
        return self._line.known is not None

    async def order(self, spec: SandboxSpec) -> Order | None:
        """Return what the interpreter is to be told to become a bot, as soon as it is ready.

        None if it has ended, or if the bot does not fit.
        """
        await self._line.heard()
        return None if self._line.known is None else Order.of(spec, self._line.known)

    def employ(self, spec: SandboxSpec, order: Order) -> BotProcess:
        """Put the bot in; raises `OSError`, after which the sandbox must be ended.

        Until the interpreter has become the bot, an end of it is ours.
        """
        self._slot.fill(spec.folder, spec.socket)
        self.process.own(spec.socket)
        if spec.core is not None:
            self.process.pin(spec.core)
        self._line.send(order)
        return self.process
