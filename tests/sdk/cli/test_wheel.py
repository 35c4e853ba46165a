"""The wheel: alone with grpcio and protobuf it plays, and with the extra it has the command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

SDK = Path(__file__).parents[3] / "sdk"

PLAY = """
import importlib.util
assert importlib.util.find_spec("click") is None, "the environment is not bare"
from roundhouse import Bot
from roundhouse.arena import Entrant, play_match, summarise
from roundhouse.rules import edition

class First(Bot):
    def choose(self, observation):
        return observation.legal_actions()[0]

entrants = [Entrant("a", First), Entrant("b", First)]
[a, b] = summarise(play_match(entrants, games=2, seed=1, rules=edition("classic")))
print(a.games, a.forfeits, b.forfeits)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources, so that the clone stays clean."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(SDK, folder / "sdk", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--no-index"]
    options = ["--no-build-isolation", "-w", str(folder), str(folder / "sdk")]
    # The plain wheel: compiling takes a minute. `make compiled` tests the compiled one.
    subprocess.run([*pip, *options], check=True, env={**os.environ, "ROUNDHOUSE_COMPILE": "never"})
    [made] = folder.glob("roundhouse_sdk-*.whl")
    return made


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("bare"), extra="")


@pytest.fixture(scope="module")
def with_extra(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("extra"), extra="cli")


def install(wheel: Path, folder: Path, extra: str) -> Path:
    """Install the wheel into a new environment, with what it requires and nothing else.

    The requirements come out of the environment that runs this test, since tests use no network.
    """
    venv.create(folder, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(folder / "bin" / "python")]
    subprocess.run([*pip, "install", "--no-index", "--no-deps", str(wheel)], check=True)
    [site] = folder.glob("lib/python*/site-packages")
    [info] = site.glob("roundhouse_sdk-*.dist-info")
    for needed in requirements_of(Distribution.at(info), extra):
        link(needed, site)
    subprocess.run([*pip, "check"], check=True)
    return folder / "bin"


def requirements_of(package: Distribution, extra: str) -> list[Distribution]:
    """Return all that a distribution requires, however indirectly."""
    found: dict[str, Distribution] = {}
    queue = [(package, extra)]
    while queue:
        one, wanted = queue.pop()
        for line in one.requires or []:
            requirement = Requirement(line)
            marker = requirement.marker
            if requirement.name in found or (marker and not marker.evaluate({"extra": wanted})):
                continue
            found[requirement.name] = distribution(requirement.name)
            assert requirement.specifier.contains(found[requirement.name].version)
            queue.append((found[requirement.name], ""))
    return list(found.values())


def link(package: Distribution, site: Path) -> None:
    """Put the files of an installed distribution into another environment."""
    for file in package.files or []:
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target = site / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(Path(str(file.locate())).resolve())


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
    return subprocess.run(
        words, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_the_package_with_its_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {
        "roundhouse/boards/usa/routes.csv",
        "roundhouse/replay/log.schema.json",
        "roundhouse/kits/python/bot.py.txt",
        "roundhouse/kits/node/.gitignore",
        "roundhouse/kits/node/package-lock.json",
        "roundhouse/kits/cpp/Makefile",
        "roundhouse/kits/proto/roundhouse/api/referee/v1/play.proto",
        "roundhouse/examples/planner/bot.py",
        "roundhouse/examples/planner/roundhouse.toml",
    } <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"roundhouse", "roundhouse_sdk"}
    assert [name for name in names if "__pycache__" in name] == []


def test_alone_with_grpcio_and_protobuf_it_plays_a_game(bare: Path, tmp_path: Path) -> None:
    played = run(bare / "python", "-W", "error", "-c", PLAY, cwd=tmp_path)
    assert (played.stdout, played.stderr, played.returncode) == ("2 0 0\n", "", 0)


def test_without_the_extra_the_command_says_how_to_install_it(bare: Path, tmp_path: Path) -> None:
    answer = run(bare / "roundhouse", "play", "a", "b", cwd=tmp_path)
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr == (
        "The roundhouse command needs the extra 'cli': "
        "install it by pip install 'roundhouse-sdk[cli]'.\n"
    )


def test_with_the_extra_the_command_works_house_bots_included(
    with_extra: Path, tmp_path: Path
) -> None:
    command = with_extra / "roundhouse"
    assert run(command, "new", "my-bot", cwd=tmp_path).returncode == 0
    played = run(command, "play", "my-bot", "planner", "--games", "2", cwd=tmp_path)
    assert (played.returncode, played.stderr) == (0, "")
    assert "planner" in played.stdout
    checked = run(command, "check", "my-bot", cwd=tmp_path)
    assert checked.returncode == 0
    assert "The game was played in this process" in checked.stdout


def test_a_bot_in_another_language_is_written_and_wants_a_referee(
    with_extra: Path, tmp_path: Path
) -> None:
    command = with_extra / "roundhouse"
    assert run(command, "new", "my-bot", "--language", "node", cwd=tmp_path).returncode == 0
    assert (tmp_path / "my-bot/proto/roundhouse/api/referee/v1/play.proto").is_file()
    checked = run(command, "check", "my-bot", cwd=tmp_path)
    assert checked.returncode == 1
    assert checked.stderr.startswith("roundhouse: No referee can be had: ")
    assert checked.stderr.endswith(" A bot in javascript plays under a referee only.\n")
