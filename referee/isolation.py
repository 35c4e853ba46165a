"""What this machine can do to hold a bot, and what it must refuse to play without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from referee.host import describe_host
from referee.sandbox import PolicyReport, SandboxUnavailable, choose_driver

if TYPE_CHECKING:
    from referee.sandbox import SandboxSettings
    from roundhouse.api.game.v1.log_pb2 import Host


@dataclass(frozen=True, slots=True)
class Isolation:
    """The sandbox of a machine as it was found when the referee started."""

    host: Host
    lack: str | None = None
    """Why no bot can be held at all, as a sentence; None where one can."""

    @classmethod
    async def find(cls, settings: SandboxSettings) -> Self:
        """Try the driver once. A machine without a sandbox is not an error: it just refuses."""
        try:
            return cls(describe_host(await choose_driver(settings).probe()))
        except SandboxUnavailable as error:
            nothing = PolicyReport(settings.driver, False, (), (str(error),))  # noqa: FBT003 - a record
            return cls(describe_host(nothing), str(error))

    def refusal(self, *, is_rated: bool) -> str | None:
        """Return the sentence that refuses a lane, or None where it may be played."""
        if self.lack is not None:
            return (
                f"This referee has no sandbox for bots: {self.lack.rstrip('.')}."
                " For unrated games between bots of your own, start it with --trusted."
            )
        if is_rated and not self.host.isolated:
            return (
                "This referee runs bots as plain processes (--trusted), and rated games need a"
                " sandbox: install bubblewrap and start it without --trusted, or ask for unrated"
                " games."
            )
        return None
