"""docs/rules.md: its tables are what the engine says, and its rulings are where it says.

`pytest --update-golden` writes the tables of editions and variants anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roundhouse.rules import EDITIONS, VARIANTS, describe_rules, edition
from tests.rules.laws import longest_game

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules.md"
CODE = ROOT / "sdk" / "src" / "roundhouse" / "rules"
RULINGS = [*(f"R-{n:02}" for n in range(1, 28)), *(f"V-{n}" for n in range(1, 9))]


def table_of(rows: list[tuple[str, ...]]) -> str:
    """Lay out rows, the first of which is the head, as Markdown."""
    head, *others = rows
    lines = [head, tuple("---" for _ in head), *others]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def editions_table() -> str:
    """Say what the editions mean, one column each."""
    columns = [describe_rules(edition(name)) for name in EDITIONS]
    rows: list[tuple[str, ...]] = [("rule", *(f"`{name}`" for name in EDITIONS))]
    for clauses in zip(*columns, strict=True):
        ruling = f" ({clauses[0].ruling})" if clauses[0].ruling else ""
        rows.append((clauses[0].rule + ruling, *(clause.value for clause in clauses)))
    return table_of(rows)


def variants_table() -> str:
    """Say what the variants mean, one row each."""
    rows: list[tuple[str, ...]] = [("variant", "ruling", "meaning", "only with", "not with")]
    for row in VARIANTS.values():
        against = {*row.excludes, *(o.name for o in VARIANTS.values() if row.name in o.excludes)}
        needs = f"`{row.needs}`" if row.needs else ""
        others = ", ".join(f"`{name}`" for name in sorted(against))
        rows.append((f"`{row.name}`", row.ruling, row.meaning, needs, others))
    return table_of(rows)


def section(name: str, text: str) -> re.Match[str]:
    """Find what stands between the marks of a table."""
    found = re.search(rf"(<!-- {name}: [^\n]* -->\n)(.*?)(<!-- end of {name} -->)", text, re.DOTALL)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "table"), [("editions", editions_table), ("variants", variants_table)]
)
def test_the_tables_of_the_page_are_what_the_engine_says(
    name: str, table: object, request: pytest.FixtureRequest
) -> None:
    assert callable(table)
    written = f"{table()}\n"
    text = PAGE.read_text(encoding="utf-8")
    place = section(name, text)
    if request.config.getoption("--update-golden"):
        start, end = place.span(2)
        PAGE.write_text(text[:start] + written + text[end:], encoding="utf-8")
        return
    assert place[2] == written


def test_every_ruling_is_decided_where_the_page_says() -> None:
    body = section("rulings", PAGE.read_text(encoding="utf-8"))[2]
    rows = re.findall(r"^\| ([RV]-\d+) \| .+ \| (.+) \|$", body, re.MULTILINE)
    assert [ruling for ruling, _ in rows] == RULINGS
    for ruling, modules in rows:
        for module in re.findall(r"`(\w+\.py)`", modules):
            assert ruling in (CODE / module).read_text(encoding="utf-8"), (ruling, module)


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_has_a_test_that_carries_its_number(ruling: str) -> None:
    word = ruling.replace("-", "").lower()
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    assert re.search(rf"def test_(\w+_)?{word}_", tests)


def test_the_longest_game_is_what_the_page_says() -> None:
    [number] = re.findall(r"For `classic` with two seats that is (\d+)\.", PAGE.read_text("utf-8"))
    assert longest_game(edition("classic"), 2) == int(number)
