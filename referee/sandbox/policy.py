"""The report on what this machine really enforces, as it stands in every game log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """Name what a driver enforces on this machine, what is missing, and what it found.

    Only the report of a driver that isolates may stand in the log of a rated game.
    """

    driver: str
    is_isolated: bool
    enforced: tuple[str, ...]
    missing: tuple[str, ...]
    facts: tuple[tuple[str, str], ...] = ()
    has_meter: bool = False
    """Whether the processor time of a bot is counted, so that a clock can go by it."""

    def lines(self) -> Iterator[str]:
        """Yield the report as the lines that go into the log and onto a terminal."""
        yield f"driver: {self.driver}"
        yield f"isolated: {'yes' if self.is_isolated else 'no'}"
        yield from (f"{name}: {value}" for name, value in self.facts)
        yield from (f"enforced: {what}" for what in self.enforced)
        yield from (f"missing: {what}" for what in self.missing)
