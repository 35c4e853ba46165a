"""`make` says what it can do, and what is wrong, in one sentence."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bare_folder(tmp_path: Path) -> Path:
    """Copy what `make` itself consists of, as a clone without a virtual environment has it."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "sdk").mkdir()
    shutil.copy(ROOT / "sdk" / "pyproject.toml", tmp_path / "sdk")
    return tmp_path


def _make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # A make that runs the tests must not hand its own flags down.
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_lists_every_target() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)

    printed = _make(ROOT, "help").stdout

    assert {"demo", "test", "check"} <= set(targets)
    assert re.findall(r"^make ([a-z-]+) ", printed, re.MULTILINE) == targets


@pytest.mark.parametrize("target", ["demo", "test", "check"])
def test_an_old_python_is_refused_with_a_sentence(bare_folder: Path, target: str) -> None:
    old = bare_folder / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2 && exit\nexit 1\n')
    old.chmod(0o755)

    done = _make(bare_folder, target, f"PYTHON={old}")

    assert done.returncode != 0
    assert done.stderr.splitlines()[0] == (
        f"roundhouse: Python 3.11 or newer is needed, and {old} is Python 3.9.2; "
        "install one or name it with make PYTHON=..."
    )
    assert not (bare_folder / ".venv").exists()


def test_a_second_call_has_nothing_to_set_up(bare_folder: Path) -> None:
    (bare_folder / ".venv").mkdir()
    for stamp in ("run.stamp", "dev.stamp"):
        (bare_folder / ".venv" / stamp).touch()

    done = _make(bare_folder, "--question", ".venv/run.stamp", ".venv/dev.stamp")

    assert done.returncode == 0


@pytest.mark.parametrize(
    "changed", ["requirements-dev.lock", "pyproject.toml", "sdk/pyproject.toml"]
)
def test_a_changed_requirement_sets_up_anew(bare_folder: Path, changed: str) -> None:
    (bare_folder / ".venv").mkdir()
    stamp = bare_folder / ".venv" / "dev.stamp"
    stamp.touch()
    before = stamp.stat().st_mtime
    os.utime(bare_folder / changed, (before + 1, before + 1))

    done = _make(bare_folder, "--question", ".venv/dev.stamp")

    assert done.returncode == 1
