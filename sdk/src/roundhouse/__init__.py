"""Roundhouse SDK: the rules of the game, and everything a bot needs to play on the ladder.

Importing it is cheap: `Bot`, `GameInfo` and `serve` are loaded when they are first asked for, so
that `roundhouse.rules` alone needs nothing but the standard library.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roundhouse.bot import Bot, GameInfo
    from roundhouse.client import serve

__version__ = "1.0.0"

API_VERSION = "1.1.0"
"""The version of the protocol; what is added after a release makes a new minor one.
Its major version is the SDK's: bots of another one are refused."""

__all__ = ["API_VERSION", "Bot", "GameInfo", "__version__", "serve"]

_LAZY = {"Bot": "roundhouse.bot", "GameInfo": "roundhouse.bot", "serve": "roundhouse.client"}


if not TYPE_CHECKING:  # for a type checker the imports above say it all

    def __getattr__(name: str) -> object:
        """Load what is exported here but lives in a module that is slow to import."""
        if name in _LAZY:
            return getattr(import_module(_LAZY[name]), name)
        raise AttributeError(f"module 'roundhouse' has no attribute {name!r}")
