"""Roundhouse SDK: the rules of the game, and everything a bot needs to play on the ladder."""

__version__ = "1.0.0"

API_VERSION = "1.0.0"
"""The version of the protocol. Its major version is the SDK's: bots of another one are refused."""
