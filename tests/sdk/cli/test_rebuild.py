"""`roundhouse ratings rebuild` is the ladder's own command, where there is a ladder."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from roundhouse.cli import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome


@pytest.fixture
def database(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty database of a ladder, which the environment names."""
    monkeypatch.setenv("ROUNDHOUSE_STATE_DIR", str(here / "state"))
    monkeypatch.delenv("ROUNDHOUSE_DATABASE_URL", raising=False)
    subprocess.run([sys.executable, "-m", "ladder", "migrate"], check=True, capture_output=True)
    return here


@pytest.mark.usefixtures("database")
def test_it_says_what_the_ladder_says(roundhouse: Callable[..., Outcome]) -> None:
    outcome = roundhouse("ratings", "rebuild", "--write", "--replay")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == "0 logs, 0 of rated games: every rating is the same to the last bit.\n"


def test_a_refusal_of_the_ladder_is_one_sentence(
    database: Path, roundhouse: Callable[..., Outcome]
) -> None:
    (database / "state" / "ladder.sqlite3").unlink()

    outcome = roundhouse("ratings", "rebuild")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("roundhouse: The database ")
    assert outcome.err.count("\n") == 1


def test_a_folder_of_that_name_is_not_the_ladder(
    database: Path, roundhouse: Callable[..., Outcome]
) -> None:
    (database / "ladder").mkdir()
    (database / "ladder" / "__main__.py").write_text("raise SystemExit('no')", encoding="utf-8")

    assert roundhouse("ratings", "rebuild").code == 0


def test_an_installation_without_a_ladder_says_where_it_runs(
    roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild, "find_spec", lambda _name: None)

    outcome = roundhouse("ratings", "rebuild")

    assert outcome.code == 1
    assert outcome.err == (
        "roundhouse: `roundhouse ratings rebuild` runs where the ladder's database is, and this "
        "installation has no ladder.\n"
    )
