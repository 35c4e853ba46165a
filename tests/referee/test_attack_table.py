"""The table of attacks is whole: every program and test in it exists, and the page shows it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.bots.table import ABUSE, ATTACKS, HELP, Row, rendered
from tests.referee.sandbox.test_attacks import TABLE
from tests.referee.test_misbehaving import CASES

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "sandbox.md"
BEGIN, END = "<!-- tests/bots/table.py -->\n", "<!-- end -->\n"
PROGRAMS = {path.stem for path in (TESTS / "bots").glob("*/*.py")} - {"__init__"}
ROWS = (*ATTACKS, *ABUSE)


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.attack)
def test_what_is_said_to_show_an_attack_exists(row: Row) -> None:
    assert set(row.programs) <= PROGRAMS
    assert row.tests
    for test in row.tests:
        file, _, function = test.partition("::")
        assert function in functions(file), test


def test_every_program_stands_in_the_table() -> None:
    named = {program for row in ROWS for program in row.programs}
    assert named | HELP == PROGRAMS
    assert not named & HELP


def test_the_tables_of_programs_are_in_the_table_of_attacks() -> None:
    named = {program for row in ROWS for program in row.programs}
    assert {attack.name for attack in TABLE} <= named
    assert {case.bot for case in CASES} - {"no_such_command"} <= named


def test_the_page_shows_the_table(request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    shown, _, after = rest.partition(END)
    wanted = "".join(f"{line}\n" for line in rendered())
    if request.config.getoption("--update-golden"):
        PAGE.write_text(f"{before}{BEGIN}{wanted}{END}{after}", encoding="utf-8")
        shown = wanted
    assert shown == wanted, "run pytest with --update-golden"
