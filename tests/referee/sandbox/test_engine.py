"""Which runtime is taken, and what is said where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from referee.sandbox import SandboxUnavailable, engine
from referee.sandbox.engine import Engine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is all of the search path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(engine, "PLACES", ())
    return tmp_path


def install(folder: Path, name: str, version: str) -> Path:
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{name} version {version}'\necho 'spec: 1.0.2-dev'\n")
    program.chmod(0o755)
    return program


def test_gvisor_is_preferred(programs: Path) -> None:
    install(programs, "runc", "1.1.5+ds1")
    assert Engine.find(None) == Engine(programs / "runc", "runc", "1.1.5+ds1")
    install(programs, "runsc", "0.0~20221219.0")
    found = Engine.find(None)
    assert (found.kind, found.version) == ("runsc", "0.0~20221219.0")
    assert Engine.find("runc").kind == "runc"


def test_a_runtime_can_be_named_by_its_path(tmp_path: Path) -> None:
    elsewhere = install(tmp_path, "runsc", "1")
    assert Engine.find(str(elsewhere)) == Engine(elsewhere, "runsc", "1")


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [(None, "no OCI runtime is installed"), ("runsc", "no runsc is installed")],
)
def test_a_machine_without_one_is_told_what_to_install(
    programs: Path, wanted: str | None, sentence: str
) -> None:
    if wanted is not None:
        install(programs, "runc", "1")  # the other one is no substitute
    with pytest.raises(SandboxUnavailable, match=f"{sentence}.*install the package `runsc`"):
        Engine.find(wanted)


def test_one_that_does_not_run_is_told_apart(programs: Path) -> None:
    (programs / "runc").write_text("#!/bin/sh\nexit 1\n")
    (programs / "runc").chmod(0o755)
    with pytest.raises(SandboxUnavailable, match="runc does not run"):
        Engine.find("runc")
