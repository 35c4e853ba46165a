"""What a referee is told by its environment. `docs/referee.md` lists the variables."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from referee.sandbox import SandboxSettings
from roundhouse.address import REFEREE, Address
from roundhouse.statefolder import state_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

SOCKET = "referee.sock"
MOST_LANES = 1024
WARM_LANES = 1
"""Enough for lanes that are asked for one after another; it is replaced as soon as it is taken."""


class SettingsError(ValueError):
    """A setting cannot be understood; the sentence names it and its value."""


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """Where a referee listens, how many lanes it plays, and what holds the bots."""

    listen: tuple[Address, ...]
    lanes: int
    """How many lanes are played at once. One keeps about one core busy: while a bot thinks, the
    other bots and the referee wait."""
    service_token: str | None = field(repr=False)
    """What calls must show in their metadata; None lets everybody in who can reach an address."""
    sandbox: SandboxSettings
    warm_lanes: int = WARM_LANES
    """How many lanes are started before anybody asks, so that their bots are there at once."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read the settings.

        Raises:
            SettingsError: with a sentence that names the variable and its value.
        """
        try:
            sandbox = SandboxSettings.from_environment(environment)
        except ValueError as error:
            raise SettingsError(f"{error}.") from error
        settings = cls(
            listen=_listen(environment),
            lanes=_lanes(environment, "ROUNDHOUSE_REFEREE_LANES", os.cpu_count() or 1, 1),
            service_token=environment.get("ROUNDHOUSE_SERVICE_TOKEN", "").strip() or None,
            sandbox=sandbox,
            warm_lanes=_lanes(environment, "ROUNDHOUSE_REFEREE_WARM_LANES", WARM_LANES, 0),
        )
        settings.require_token_in_public()
        return settings

    def require_token_in_public(self) -> None:
        """Refuse to let the whole network start bots here."""
        for address in self.listen:
            if not address.is_local and self.service_token is None:
                raise SettingsError(
                    f"ROUNDHOUSE_REFEREE_LISTEN names {address}, which other machines can dial;"
                    " set ROUNDHOUSE_SERVICE_TOKEN to a secret that workers share, or listen on"
                    f" {REFEREE}."
                )

    def trusted(self) -> Self:
        """Return these settings with bots as plain processes."""
        return replace(self, sandbox=replace(self.sandbox, driver="trusted"))


def _listen(environment: Mapping[str, str]) -> tuple[Address, ...]:
    name = "ROUNDHOUSE_REFEREE_LISTEN"
    text = environment.get(name)
    if text is None:
        text = f"unix:{state_folder(environment) / SOCKET},{REFEREE}"
    try:
        return tuple(dict.fromkeys(Address.parse(part.strip()) for part in text.split(",")))
    except ValueError as error:
        raise SettingsError(f"{name} is {text!r}: {error}.") from error


def _lanes(environment: Mapping[str, str], name: str, default: int, least: int) -> int:
    text = environment.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and least <= int(text) <= MOST_LANES):
        raise SettingsError(
            f"{name} is {text!r}; it must be a whole number, {least} to {MOST_LANES}."
        )
    return int(text)
