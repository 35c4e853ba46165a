"""What a warmed interpreter is told, and which bots it can run as well as a fresh one would."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Self

from referee.sandbox.spec import Limits

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from pathlib import Path

    from referee.sandbox.spec import SandboxSpec

MODULES = ("py", "pyc", "so")
"""How the files end that Python imports."""


@dataclass(frozen=True, slots=True)
class Order:
    """The arguments of ``python3`` and the environment that the bot gets."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]

    @classmethod
    def of(cls, spec: SandboxSpec, known: Container[str]) -> Self | None:
        """Return the order to run a bot; None if it needs a sandbox of its own from the start.

        ``known`` are the modules that the interpreter has imported. A bot that brings one of the
        same name would find the wrong one, and so is not run warm; nor is one whose command is
        more than ``python3 SCRIPT.py ...`` or ``python3 -m MODULE ...``, or that has other limits.
        """
        program, *arguments = spec.command
        if program != "python3" or not arguments or spec.limits != Limits():
            return None
        place = _place(spec.folder, arguments)
        if place is None or any(_module(entry) in known for entry in place.iterdir()):
            return None
        return cls(tuple(arguments), spec.environment)

    def encode(self) -> bytes:
        """Return the order as it is written to the interpreter, which reads to the end."""
        return json.dumps(
            {"arguments": self.arguments, "environment": dict(self.environment)}
        ).encode()


def _place(folder: Path, arguments: list[str]) -> Path | None:
    """Return the folder that would be first in the interpreter's path; None if it is not plain."""
    first = arguments[0]
    if first == "-m":
        return folder if len(arguments) > 1 and not arguments[1].startswith("-") else None
    script = PurePosixPath(first)
    is_inside = not script.is_absolute() and ".." not in script.parts
    if first.startswith("-") or not is_inside or script.suffix != ".py":
        return None
    file = folder / script
    return file.parent if file.is_file() and not file.is_symlink() else None


def _module(path: Path) -> str:
    """Return the module or the package that a file or a folder would be; empty if it is none."""
    name, *endings = path.name.split(".")
    return name if not endings or endings[-1] in MODULES else ""
