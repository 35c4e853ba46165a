"""`python -m ladder demo`: all of Roundhouse in a minute, by the paths that everybody uses."""

from ladder.demo.command import main

__all__ = ["main"]
