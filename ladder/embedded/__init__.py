"""`python -m ladder up`: all parts on this machine, as processes that end with this one."""

from ladder.embedded.command import main

__all__ = ["main"]
