"""`roundhouse rules` says in a table what an edition and its variants mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from roundhouse.rules import EDITIONS, VARIANTS, describe_edition, describe_rules
from tests.rules.tables import ON_CLASSIC, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sdk.cli.conftest import Outcome


def words_of(table: str) -> str:
    """Return the words of a table in one line, whatever its columns and breaks are."""
    return " ".join(table.split())


@pytest.mark.parametrize("label", [*EDITIONS, *sorted({label for label, _ in ON_CLASSIC})])
def test_every_rule_of_an_edition_and_its_variants_stands_in_the_table(
    roundhouse: Callable[..., Outcome], label: str
) -> None:
    rules = named(label)
    variants = [word for name in rules.variants for word in ("--variant", name)]

    shown = words_of(roundhouse("rules", rules.edition, *variants).out)

    for clause in describe_rules(rules):
        first, *_ = clause.value.split(";")
        assert f"{clause.rule} {first}" in shown
        assert clause.ruling in shown


def test_all_editions_and_variants_are_named_with_their_rulings(
    roundhouse: Callable[..., Outcome],
) -> None:
    shown = words_of(roundhouse("rules").out)

    for name in EDITIONS:
        assert f"{name} {describe_edition(name)}" in shown
    for variant in VARIANTS.values():
        assert variant.name in shown
        assert variant.ruling in shown
