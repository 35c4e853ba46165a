"""The gates of `make check` can fail: each breaks on a change that it is there to catch."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sysconfig.get_path("scripts"))


def _run(*command: str | Path, folder: Path) -> tuple[int, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def proto(tmp_path: Path) -> Path:
    """Copy the API to where it can be changed."""
    return shutil.copytree(ROOT / "proto", tmp_path / "proto")


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Copy everything that the import contracts speak about."""
    for name in ("sdk/src/roundhouse", "referee", "worker", "ladder"):
        shutil.copytree(ROOT / name, tmp_path / Path(name).name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def _breaks_the_api(proto: Path) -> tuple[int, str]:
    return _run(SCRIPTS / "buf", "breaking", "--against", "released.binpb", folder=proto)


def test_the_present_api_keeps_to_the_released_one(proto: Path) -> None:
    assert _breaks_the_api(proto) == (0, "")


def test_a_field_that_disappears_breaks_the_api(proto: Path) -> None:
    message = proto / "roundhouse/api/game/v1/board.proto"
    lines = message.read_text().splitlines(keepends=True)
    field = next(number for number, line in enumerate(lines) if line.rstrip().endswith(" = 1;"))
    message.write_text("".join(lines[:field] + lines[field + 1 :]))

    code, printed = _breaks_the_api(proto)

    assert code != 0
    assert 'Previously present field "1"' in printed


@pytest.mark.parametrize(
    ("module", "forbidden", "contract"),
    [
        ("roundhouse/rules/cards.py", "import grpc", "The rules are pure"),
        ("roundhouse/rules/cards.py", "import time", "The rules are pure"),
        ("roundhouse/rules/cards.py", "import roundhouse.codec", "The SDK is layered"),
        ("roundhouse/bot.py", "import roundhouse.cli", "The SDK is layered"),
        ("roundhouse/codec/__init__.py", "import referee", "The services talk gRPC"),
        ("referee/clock.py", "import time", "The referee's clock and session are pure"),
        ("referee/session.py", "import asyncio", "The referee's clock and session are pure"),
        ("worker/planning.py", "import random", "Plans and ratings are pure"),
        ("ladder/ratings.py", "import sqlalchemy", "Plans and ratings are pure"),
        ("worker/planning.py", "import ladder", "The services talk gRPC"),
        ("ladder/settings.py", "import referee", "The services talk gRPC"),
    ],
)
def test_an_import_across_a_border_breaks_its_contract(
    packages: Path, module: str, forbidden: str, contract: str
) -> None:
    with (packages / module).open("a") as file:
        file.write(f"\n{forbidden}\n")

    code, printed = _run(
        sys.executable, "-c", _LINT_IMPORTS, "--no-cache", "--no-logo", folder=packages
    )

    broken = [line for line in printed.splitlines() if " BROKEN" in line]
    assert code == 1, printed
    assert any(line.startswith(contract) for line in broken), printed


# The copies must be found before the editable install of this clone.
_LINT_IMPORTS = """
import sys
sys.path.insert(0, ".")
from importlinter.cli import lint_imports_command
lint_imports_command()
"""
