"""Bots as `roundhouse new` writes them, built once for all tests, and a referee that holds them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from roundhouse.cli.kit import KITS
from tests.referee.serving import Referee, sandbox_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

# A make that runs the tests must not hand its own flags down.
ENVIRONMENT = {name: os.environ[name] for name in os.environ if "MAKE" not in name}
SANDBOX_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where bots find programs: a Node in somebody's home folder is of no use to them."""

BUILDS = {
    "python": (),
    "node": ("npm", "ci", "--no-audit", "--no-fund"),
    "cpp": ("make", "-j2", "CXXFLAGS=-O0", "bot", ".build/test_bot"),
}
"""The commands of KITS, but faster: what is built is not what is tested here."""
TESTS = {
    "python": (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    "node": ("npm", "test"),
    "cpp": ("make", "CXXFLAGS=-O0", "test"),
}
NEEDED = {
    "python": (),
    "node": ("node", "npm"),
    "cpp": ("make", "g++", "pkg-config", "protoc", "grpc_cpp_plugin"),
}
HEADERS = {
    "python": (),
    "node": (),
    "cpp": ("/usr/include/grpcpp/grpcpp.h", "/usr/include/google/protobuf/message_lite.h"),
}


@dataclass(slots=True)
class Workshop:
    """A folder in which bots are written and built when they are first asked for."""

    folder: Path
    built: dict[str, Path] = field(default_factory=dict)

    def bot(self, language: str) -> Path:
        """Return the folder of the kit's bot, ready to be submitted."""
        if language not in self.built:
            for program in NEEDED[language]:
                if shutil.which(program, path=SANDBOX_PATH) is None:
                    _do_without(f"no {program}: install what .ci/test-programs.sh names")
            for header in HEADERS[language]:
                if not Path(header).exists():
                    _do_without(f"no {header}: install what .ci/test-programs.sh names")
            name = f"{language}-kit"
            run(
                *(sys.executable, "-m", "roundhouse.cli", "new", name, "--language", language),
                folder=self.folder,
            )
            if BUILDS[language]:
                run(*BUILDS[language], folder=self.folder / name)
            self.built[language] = self.folder / name
        return self.built[language]


def run(*command: str, folder: Path, **environment: str) -> str:
    """Run a command as an author would, and return what it printed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=ENVIRONMENT | environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("kits"))


@pytest.fixture(scope="session", params=list(KITS))
def language(request: pytest.FixtureRequest) -> str:
    """Each language in turn."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def bot(workshop: Workshop, language: str) -> Path:
    """The bot of each kit in turn."""
    return workshop.bot(language)


@pytest.fixture(scope="session")
def referee() -> Iterator[Referee]:
    """A referee whose bots are really held."""
    with sandbox_folder() as folder:
        referee = Referee.start(folder)
        try:
            yield referee
        finally:
            assert referee.stop() == 0, referee.output


def _do_without(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
