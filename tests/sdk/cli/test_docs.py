"""docs/cli.md: its examples are what the command prints, and it leaves out no command or option."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from roundhouse.cli.app import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.sdk.cli.conftest import Outcome

PAGE = (Path(__file__).parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")


def examples() -> Iterator[tuple[str, str]]:
    """Yield each command of the `console` blocks with what the page says it prints."""
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = example.partition("\n")
            yield command, printed


@pytest.mark.usefixtures("here")
def test_the_examples_are_what_the_command_prints(roundhouse: Callable[..., Outcome]) -> None:
    found = list(examples())
    assert len(found) >= 8
    for command, printed in found:
        program, *words = shlex.split(command)
        assert program == "roundhouse"
        outcome = roundhouse(*words)
        lines = [line.rstrip() for line in (outcome.out + outcome.err).splitlines()]
        assert lines == printed.splitlines(), command


@pytest.mark.parametrize("name", cli.commands)
def test_every_command_has_a_section_with_its_options(name: str) -> None:
    section = re.search(rf"^## [^\n]*\b{name}\b.*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, f"no section for {name}"
    command = cli.commands[name]
    commands = command.commands.values() if isinstance(command, click.Group) else [command]
    for parameter in (parameter for one in commands for parameter in one.params):
        if isinstance(parameter, click.Option) and parameter.name != "target":
            assert parameter.opts[-1] in section[0] or parameter.opts[0] in section[0]
