"""Holding bots: the seam (`Driver`), the drivers behind it, and what they promise."""

from referee.sandbox.ahead import can_prepare
from referee.sandbox.choice import choose_driver
from referee.sandbox.driver import BotProcess, Driver, SandboxError, SandboxUnavailable
from referee.sandbox.pinned import PinnedDriver, can_pin
from referee.sandbox.policy import PolicyReport
from referee.sandbox.settings import SandboxSettings
from referee.sandbox.spec import Exit, Limits, SandboxSpec, Usage
from referee.sandbox.stage import Stage
from referee.sandbox.staged import publish
from referee.sandbox.warm import WarmDriver

__all__ = [
    "BotProcess",
    "Driver",
    "Exit",
    "Limits",
    "PinnedDriver",
    "PolicyReport",
    "SandboxError",
    "SandboxSettings",
    "SandboxSpec",
    "SandboxUnavailable",
    "Stage",
    "Usage",
    "WarmDriver",
    "can_pin",
    "can_prepare",
    "choose_driver",
    "publish",
]
