"""`roundhouse new`: what it writes plays, passes its own test, and can be packed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from roundhouse.cli import new as new_module
from roundhouse.package import Manifest, pack, read_package

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome


@pytest.mark.parametrize("name", ["my-bot", "none", "bot", "action", "x9"])
def test_a_new_bot_plays_at_once(here: Path, roundhouse: Callable[..., Outcome], name: str) -> None:
    made = roundhouse("new", name)
    assert (made.code, made.err) == (0, "")
    assert f"roundhouse play {name} random" in made.out
    played = roundhouse("play", name, "random", "--games", 2, "--edition", "tiny")
    assert played.code == 0, played.err
    assert Manifest.load(here / name).name == name


def test_the_test_of_a_new_bot_passes(here: Path, roundhouse: Callable[..., Outcome]) -> None:
    roundhouse("new", "my-bot")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "my-bot"],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    assert "1 passed" in result.stdout


def test_the_bot_is_ten_lines_and_fits_a_submission(
    here: Path, roundhouse: Callable[..., Outcome]
) -> None:
    roundhouse("new", "my-bot")
    code = (here / "my-bot" / "bot.py").read_text(encoding="utf-8").splitlines()
    assert sum(1 for line in code if line.strip()) <= 10
    names = {file.name for file in read_package(pack(here / "my-bot")).files}
    assert names == {"bot.py", "test_bot.py", "README.md", "roundhouse.toml"}


def test_a_failure_leaves_no_half_a_bot(
    here: Path, roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {"bot.py": "\udc80"}  # cannot be encoded
    monkeypatch.setattr(new_module, "kit_files", lambda *_: broken)
    outcome = roundhouse("new", "my-bot")
    assert outcome.code == 1
    assert not (here / "my-bot").exists()
