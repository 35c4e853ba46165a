"""The Python program that bots are run with: one of our own minor version that they can reach."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from referee.sandbox.reach import is_reachable
from referee.sandbox.staged import make_once

NAME = f"python3.{sys.version_info.minor}"
COPIED_TO = "/opt/python"
LEFT_OUT = ("site-packages", "test", "tests", "idlelib", "tkinter", "turtledemo")
LEFT_OUT_TOO = ("ensurepip", "lib2to3", "config-*", "*.a", "pkgconfig")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python installation, outside (None if the system's folders hold it) and inside."""

    outside: Path | None
    inside: str

    @property
    def program(self) -> str:
        """Return the path of the program inside."""
        return f"{self.inside}/bin/{NAME}"

    @property
    def environment(self) -> dict[str, str]:
        """Return what the program needs in its environment.

        A copied interpreter that is built on a shared library looks for it where it used to be.
        """
        if self.outside is None or str(self.outside) == self.inside:
            return {}
        return {"LD_LIBRARY_PATH": f"{self.inside}/lib"}

    @classmethod
    def find(cls, state: Path) -> Self:
        """Choose the interpreter.

        Ours, if the bots' uid can reach it; else the system's, if it has our minor version,
        which all compiled modules depend on; else a copy of ours below ``state``.
        """
        base = Path(sys.base_prefix).resolve()
        if base.is_relative_to("/usr"):
            return cls(None, str(base))
        if os.geteuid() != 0 or (is_reachable(base / "bin" / NAME) and is_reachable(base / "lib")):
            return cls(base, str(base))
        if is_reachable(Path("/usr/bin") / NAME):
            return cls(None, "/usr")
        return cls(copy_interpreter(base, state), COPIED_TO)


def copy_interpreter(base: Path, state: Path) -> Path:
    """Copy an interpreter with its standard library, once for each build of it."""
    program = base / "bin" / NAME
    mark = f"{base}\0{sys.version}\0{program.stat().st_mtime_ns}"
    folder = state / "interpreters" / hashlib.sha256(mark.encode()).hexdigest()[:24]

    def fill(building: Path) -> None:
        (building / "bin").mkdir()
        shutil.copy2(program.resolve(), building / "bin" / NAME)
        # Times are copied, too, so that the byte code beside the modules stays valid.
        ignore = shutil.ignore_patterns(*LEFT_OUT, *LEFT_OUT_TOO)
        shutil.copytree(base / "lib" / NAME, building / "lib" / NAME, ignore=ignore)
        for library in (base / "lib").glob("libpython3*.so*"):
            shutil.copy2(library, building / "lib" / library.name)

    make_once(folder, fill)
    return folder
