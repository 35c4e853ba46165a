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
    has_meter: bool = False
    """Whether the processor time of a bot is counted."""
    lack: str | None = None
    """Why no bot can be held at all, as a sentence; None where one can."""

    @classmethod
    async def find(cls, settings: SandboxSettings) -> Self:
        """Try the driver once. A machine without a sandbox is not an error: it just refuses."""
        try:
            report = await choose_driver(settings).probe()
            return cls(describe_host(report), report.has_meter)
        except SandboxUnavailable as error:
            nothing = PolicyReport(settings.driver, False, (), (str(error),))  # noqa: FBT003 - a record
            return cls(describe_host(nothing), lack=str(error))

    def refusal(self, *, is_rated: bool, needs_meter: bool) -> str | None:
        """Return the sentence that refuses a lane, or None where it may be played."""
        if self.lack is not None:
            return (
                f"This referee has no sandbox for bots: {self.lack.rstrip('.')}."
                " For unrated games between bots of your own, start it with --trusted."
            )
        if needs_meter and not self.has_meter:
            return (
                "This referee cannot count the processor time of a bot, for which it needs a"
                " sandbox with control groups (run it as root); ask for a time control by the wall"
                " clock."
            )
        if is_rated and not self.host.isolated:
            return (
                "This referee runs bots as plain processes (--trusted), and rated games need a"
                " sandbox: install bubblewrap and start it without --trusted, or ask for unrated"
                " games."
            )
        return None
