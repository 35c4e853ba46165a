"""The one place that turns a setting into a driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.sandbox.bubblewrap import BubblewrapDriver
from referee.sandbox.oci import OciDriver
from referee.sandbox.trusted import TrustedDriver

if TYPE_CHECKING:
    from referee.sandbox.driver import Driver
    from referee.sandbox.settings import SandboxSettings


def choose_driver(settings: SandboxSettings) -> Driver:
    """Make the driver that the settings name, and never another.

    Raises `SandboxUnavailable`, with a sentence that says what to install, where the machine
    cannot hold a bot; a bot that was to be isolated must not run as a plain process instead.
    """
    if settings.driver == "trusted":
        return TrustedDriver()
    if settings.driver == "oci":
        return OciDriver.find(settings)
    return BubblewrapDriver.find(settings)
