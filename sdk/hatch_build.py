"""Compile the rules engine into the wheel with mypyc, from the same source, where that can be done.

With a C compiler and mypyc at hand the wheel holds both: extension modules, which Python prefers,
and the plain source. Otherwise it holds the source alone, and works just as well, but slower. An
editable install is always plain. `ROUNDHOUSE_COMPILE` decides:

* `never`: the plain wheel;
* `always`: the compiled wheel, and an error where it cannot be made;
* `auto`, or unset: the compiled wheel where it can be made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    # What a search calls for each decision. Not the values (actions, events, observations, rules):
    # they are slotted dataclasses, which Python makes anew after mypyc has made them. And not
    # what checks arguments of any type, since compiled code refuses a wrong type in its own words.
    *("cards", "chance", "claims", "draws", "encoding", "layout", "legal", "networks"),
    *("observing", "offers", "payments"),
    *("phase", "play", "sampling", "scoring", "state", "tables", "trail", "turns"),
)

BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup
setup(
    name="roundhouse-rules",
    packages=[],
    ext_modules=mypycify(
        ["--no-error-summary", "--python-version", sys.argv.pop(1), *sys.argv.pop(1).split()],
        opt_level="3",
        debug_level="0",
        group_name="roundhouse_rules",
    ),
)
"""


class CompileRules(BuildHookInterface[Any]):
    """Add extension modules to the wheel."""

    PLUGIN_NAME = "custom"
    _folder: Path | None = None

    def dependencies(self) -> list[str]:
        """Ask for mypyc when this build will compile; the plain one needs nothing."""
        return ["mypy>=1.18", "setuptools"] if self._choice() != "never" and _compiler() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tell the wheel what to include and which tag it needs."""
        choice = self._choice()
        if version == "editable" or choice == "never":
            return
        lack = _what_is_missing()
        if not lack:
            folder = self._folder = Path(tempfile.mkdtemp(prefix="roundhouse-rules-"))
            lack = _compile(Path(self.root) / "src", folder)
            for extension in folder.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"):
                inside = extension.relative_to(folder)
                if inside.parts[0] != "build":
                    build_data["force_include"][str(extension)] = str(inside)
        if lack and choice == "always":
            sys.exit(f"The rules cannot be compiled: {lack}.")
        if lack:
            self.app.display_warning(f"The rules stay plain Python: {lack}.")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - the interface of hatchling
        """Remove what was compiled, once it is in the wheel."""
        if self._folder:
            shutil.rmtree(self._folder)

    def _choice(self) -> str:
        choice = os.environ.get("ROUNDHOUSE_COMPILE", "auto")
        if choice not in {"auto", "always", "never"}:
            sys.exit(f"ROUNDHOUSE_COMPILE is {choice!r}; it may be auto, always or never.")
        return choice


def _compiler() -> str | None:
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(str(command).split()[0])


def _what_is_missing() -> str:
    """Say what compiling would need that is not there; nothing is an empty text."""
    if sys.implementation.name != "cpython":
        return "mypyc compiles for CPython only"
    if _compiler() is None:
        return "there is no C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "the headers of Python are not installed"
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        return "mypy and setuptools are not installed"
    return ""


def _compile(sources: Path, folder: Path) -> str:
    """Compile into a folder. Return why that failed, empty when it did not."""
    shutil.copytree(
        sources, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    (folder / "build_rules.py").write_text(BUILD, encoding="utf-8")
    modules = [f"roundhouse/rules/{name}.py" for name in COMPILED]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    done = subprocess.run(  # noqa: S603 - our own script, in our own folder
        [sys.executable, "build_rules.py", version, " ".join(modules), "build_ext", "--inplace"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return f"the compiler says: {said[-1] if said else 'nothing'}"
