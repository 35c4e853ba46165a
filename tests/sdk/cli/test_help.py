"""The help: every command says what it does, and the overview names them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import roundhouse as sdk
from roundhouse.cli.app import cli

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sdk.cli.conftest import Outcome

NESTED = [["tournament", name] for name in ("create", "list", "show")] + [
    ["ratings", name] for name in ("explain", "alarms")
]


@pytest.mark.parametrize("words", [["--help"], ["-h"], []])
def test_the_overview_names_every_command(
    roundhouse: Callable[..., Outcome], words: list[str]
) -> None:
    outcome = roundhouse(*words)
    assert (outcome.code, outcome.err) == (0, "")
    for name, command in cli.commands.items():
        line = next(line for line in outcome.out.splitlines() if line.startswith(f"  {name} "))
        assert not line.endswith("..."), "a summary is cut short"
        assert command.help, f"{name} has no help"


@pytest.mark.parametrize("words", [[name] for name in cli.commands] + NESTED, ids=" ".join)
def test_every_command_has_help_with_its_options(
    roundhouse: Callable[..., Outcome], words: list[str]
) -> None:
    outcome = roundhouse(*words, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: roundhouse {' '.join(words)}")
    assert "--help" in outcome.out


def test_the_version_is_that_of_the_package(roundhouse: Callable[..., Outcome]) -> None:
    assert roundhouse("--version").out == f"roundhouse {sdk.__version__}\n"
