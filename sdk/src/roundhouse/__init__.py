"""Roundhouse SDK: the rules of the game, and everything a bot needs to play on the ladder."""

__version__ = "0.1.0"
