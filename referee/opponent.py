"""Who hears a bot while it plays, as the bot's side knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from referee.verdict import AbortError, Fault


class Opponent(Protocol):
    """The game that a bot is playing."""

    def heard(self, seat: int, message: bytes) -> None:
        """The bot in the seat sent a message."""

    def failed(self, seat: int, fault: Fault) -> None:
        """The bot in the seat cannot play on."""

    def broke(self, error: AbortError) -> None:
        """Something of ours failed."""
