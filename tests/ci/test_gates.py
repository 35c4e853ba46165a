"""The gates of `make check` can fail: each breaks on a change that it is there to catch."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from roundhouse import API_VERSION

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sysconfig.get_path("scripts"))


def _run(*command: str | Path, folder: Path) -> tuple[int, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def proto(tmp_path: Path) -> Path:
    """Copy the API to where it can be changed."""
    return shutil.copytree(ROOT / "proto", tmp_path / "proto")


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


def test_the_api_has_the_released_version_or_a_new_minor_one_if_it_was_added_to(
    proto: Path,
) -> None:
    code, printed = _run(
        SCRIPTS / "buf", "build", "--exclude-source-info", "--output", "now.binpb", folder=proto
    )
    assert code == 0, printed
    is_released = (proto / "now.binpb").read_bytes() == (proto / "released.binpb").read_bytes()
    released = [int(part) for part in (proto / "released.version").read_text().split(".")]
    major, minor, patch = [int(part) for part in API_VERSION.split(".")]

    if is_released:
        assert [major, minor, patch] == released
    else:
        assert (major, minor > released[1], patch) == (released[0], True, 0)


_PURE_RULES = "The rules and the statistics are pure"
_LAYERS = "The SDK is layered"
_SERVICES = "The services talk gRPC"
_PURE_REFEREE = "The referee's clock and session are pure"
_PURE_PLANS = "Plans and ratings are pure"

_BORDERS = [
    ("roundhouse.rules.cards", "grpc", _PURE_RULES),
    ("roundhouse.rules.cards", "time", _PURE_RULES),
    ("roundhouse.statistics.gate", "socket", _PURE_RULES),
    ("roundhouse.rules.cards", "roundhouse.codec", _LAYERS),
    ("roundhouse.bot", "roundhouse.client", _LAYERS),
    ("roundhouse.replay", "roundhouse.arena", _LAYERS),
    ("roundhouse.codec", "referee", _SERVICES),
    ("referee.clock", "time", _PURE_REFEREE),
    ("referee.session", "asyncio", _PURE_REFEREE),
    ("worker.planning", "random", _PURE_PLANS),
    ("worker.planning", "ladder", _SERVICES),
    ("ladder.ratings", "sqlalchemy", _PURE_PLANS),
    ("ladder.settings", "referee", _SERVICES),
]

# The copies must be found before the editable install of this clone.
_LINT_IMPORTS = """
import sys
sys.path.insert(0, ".")
from importlinter.cli import lint_imports_command
lint_imports_command()
"""


@pytest.fixture(scope="module")
def broken_contracts(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Cross every border in a copy of the packages and return what the contracts say to it."""
    folder = tmp_path_factory.mktemp("packages")
    for name in ("sdk/src/roundhouse", "referee", "worker", "ladder"):
        shutil.copytree(ROOT / name, folder / Path(name).name)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for module, forbidden, _ in _BORDERS:
        path = folder / module.replace(".", "/")
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        source.write_text(f"{source.read_text()}\nimport {forbidden}\n")
    code, printed = _run(
        sys.executable, "-c", _LINT_IMPORTS, "--no-cache", "--no-logo", folder=folder
    )
    assert code == 1
    return printed.partition("Broken contracts")[2]


@pytest.mark.parametrize(("module", "forbidden", "contract"), _BORDERS)
def test_an_import_across_a_border_breaks_its_contract(
    broken_contracts: str, module: str, forbidden: str, contract: str
) -> None:
    section = broken_contracts.partition(f"\n{contract}")[2]
    # One contract's section ends where the next one's underlined name begins.
    section = re.split(r"\n-{10,}\n", section, maxsplit=2)[1]

    assert re.search(rf"{re.escape(module)} -> {re.escape(forbidden)}\b", section)


@pytest.mark.parametrize(
    "file", ["api/game/v1/card_pb2.py", "kits/proto/roundhouse/api/game/v1/card.proto"]
)
def test_generated_code_and_copies_of_the_protocol_that_differ_are_named(
    proto: Path, file: str
) -> None:
    for part in ("api", "kits"):
        package = Path("sdk", "src", "roundhouse", part)
        shutil.copytree(ROOT / package, proto.parent / package)
    stale = proto.parent / "sdk/src/roundhouse" / file
    stale.write_text(stale.read_text() + "\n")

    code, printed = _run(sys.executable, proto / "generate.py", "--check", folder=proto)

    assert (code, printed) == (
        1,
        f"The generated code is not fresh: roundhouse/{file}. Run `proto/generate.py`.\n",
    )
