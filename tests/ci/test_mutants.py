"""The mutants of `make mutants`: each is one change, and lands where the engine is loaded."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from bench.mutant_loading import changed_functions, put_into_place
from bench.mutation import RULES, Mutant, mutants_of
from roundhouse.rules import draws, longest_path
from tests.rules.games import CLASSIC

DRAWS = list(mutants_of(RULES / "draws.py"))


def test_a_mutant_is_the_module_with_one_change() -> None:
    true = ast.unparse(ast.parse((RULES / "draws.py").read_text(encoding="utf-8")))
    assert len(DRAWS) > 50
    for mutant in DRAWS:
        assert mutant.source != true
        compile(mutant.source, "mutant", "exec")


def test_a_mutant_in_a_function_is_put_into_the_loaded_function() -> None:
    mutant = next(m for m in DRAWS if m.before == "bool(state.deck) or any(state.discard)")
    codes = changed_functions(mutant)
    table = SimpleNamespace(deck=[1], discard=[0])
    true = draws.has_deck.__code__
    assert list(codes) == ["has_deck"]
    assert draws.has_deck(table)  # type: ignore[arg-type]
    try:
        put_into_place(mutant, codes)
        assert not draws.has_deck(table)  # type: ignore[arg-type]
    finally:
        draws.has_deck.__code__ = true


def test_a_mutant_outside_of_functions_has_to_be_loaded() -> None:
    (mutant,) = [m for m in DRAWS if (m.before, m.after) == ("64", "65")]
    assert changed_functions(mutant) == {}


@pytest.mark.parametrize("source", ["def broken(:", ""])
def test_what_is_no_such_module_changes_nothing(source: str) -> None:
    broken = Mutant("trail", 1, "", "", source)
    assert changed_functions(broken) == {}
    assert longest_path(CLASSIC.board, (1,)) > 0
