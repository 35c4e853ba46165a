"""Programs of the system that a sandbox is made with."""

from __future__ import annotations

import shutil

from referee.sandbox.driver import SandboxUnavailable


def find_program(name: str) -> str:
    """Return the path of a program of util-linux or the shell.

    Raises `SandboxUnavailable` where it is not installed.
    """
    path = shutil.which(name)
    if path is None:
        raise SandboxUnavailable(
            f"`{name}` is not installed, which the sandbox needs: install your system's package"
            " `util-linux`, or run with --trusted to play bots of your own unrated"
        )
    return path
