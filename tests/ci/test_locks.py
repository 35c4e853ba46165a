"""The lock files pin all that the projects ask for, and nothing ties them to one package index."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
RUN = ROOT / "requirements.lock"
DEVELOP = ROOT / "requirements-dev.lock"
OURS = "roundhouse-sdk"


def _project(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text())


def _pins(lock: Path) -> set[tuple[str, str]]:
    """Read name and version of every pin; a package may have one for older Pythons besides."""
    lines = re.findall(r"^([\w.-]+)==([^\s;]+)", lock.read_text(), re.MULTILINE)
    return {(canonicalize_name(name), version) for name, version in lines}


def _run_requirements() -> list[str]:
    sdk = _project("sdk/pyproject.toml")["project"]
    root = _project("pyproject.toml")
    return [
        *sdk["dependencies"],
        *sdk["optional-dependencies"]["cli"],
        *root["project"]["dependencies"],
        *root["dependency-groups"]["build"],
    ]


def _develop_requirements() -> list[str]:
    group = _project("pyproject.toml")["dependency-groups"]["dev"]
    return [entry for entry in group if isinstance(entry, str)] + _run_requirements()


@pytest.mark.parametrize(
    ("lock", "requirements"),
    [(RUN, _run_requirements()), (DEVELOP, _develop_requirements())],
    ids=["run", "develop"],
)
def test_every_requirement_is_pinned_within_its_bounds(lock: Path, requirements: list[str]) -> None:
    for requirement in map(Requirement, requirements):
        name = canonicalize_name(requirement.name)
        if name == OURS:
            continue
        versions = [version for pinned, version in _pins(lock) if pinned == name]
        assert versions, f"{requirement} is not in {lock.name}; run `make lock`"
        for version in versions:
            assert version in requirement.specifier, f"{lock.name} is stale; run `make lock`"


def test_who_develops_runs_the_versions_that_users_run() -> None:
    assert _pins(RUN) <= _pins(DEVELOP)


@pytest.mark.parametrize("lock", [RUN, DEVELOP], ids=["run", "develop"])
def test_a_lock_names_no_place_that_packages_come_from(lock: Path) -> None:
    text = lock.read_text()

    assert "://" not in text
    assert not re.search(
        r"^\s*(-i|-f|--index-url|--extra-index-url|--find-links|-e|/|\.)", text, re.MULTILINE
    )


@pytest.mark.parametrize("lock", [RUN, DEVELOP], ids=["run", "develop"])
def test_every_pin_carries_hashes(lock: Path) -> None:
    pins = re.split(r"^(?=\w)", lock.read_text(), flags=re.MULTILINE)[1:]

    assert len(pins) == len(_pins(lock))
    assert all("--hash=sha256:" in pin for pin in pins)
