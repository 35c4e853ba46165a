"""Measure the tests of the rules: break the engine in small ways and count what is noticed.

    nice python bench/mutants.py [--sample 320] [--seed 1] [--only MODULE]

A mutant is a copy of the rules with one change: a comparison, an operator, a constant, a condition
or a return value. `--sample` of them are drawn by chance from all that can be made, and the quick
tests of the rules (rulings, golden games, perft, scoring, twins, ...) run against each until one
fails. Who survives is printed with its change. A driver of our own: mutmut and cosmic-ray start a
whole run of pytest for each mutant, which here would take most of the time.

Each mutant is tried in a child that is forked from one process with all tests loaded and nothing of
the engine imported, so that a mutant costs the time of the tests and no more.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import hypothesis
import pytest

hypothesis.settings.register_profile("few", max_examples=5, deadline=None, database=None)
hypothesis.settings.load_profile("few")

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "sdk" / "src" / "roundhouse" / "rules"

QUICK_TESTS = (
    # What fails soonest comes first. `test_every_table` is left out: it takes most of the time.
    "test_perft.py",
    "test_golden.py",
    *(
        f"test_rulings_{name}.py"
        for name in ("claims", "display", "draws", "final", "forfeit", "opening", "tickets")
    ),
    *(f"test_rulings_{name}.py" for name in ("editions", "market", "sides", "variants")),
    "test_scoring.py",
    "test_best_network.py",
    *(f"test_{name}.py" for name in ("notation", "action_index", "position", "chance", "board")),
    *(
        f"test_{name}.py"
        for name in ("ruleset", "own_tickets", "peers", "properties", "rules_page")
    ),
    "test_trail.py",
    "test_twins.py",
)

LIMIT_SECONDS = 60
"""A mutant that computes for longer than that hangs, which counts as noticed."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module."""

    module: str
    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line}: {self.before}  ->  {self.after}"


def mutate(node: ast.AST) -> Iterator[ast.AST]:  # noqa: C901 - one case a kind
    """Yield what a node can be changed into."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield ast.Compare(node.left, [COMPARISONS[type(op)]()], node.comparators)
        case ast.BinOp() | ast.AugAssign() if type(node.op) in OPERATORS:
            changed = copy.copy(node)
            changed.op = OPERATORS[type(node.op)]()
            yield changed
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.UnaryOp(op=ast.USub()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.If() | ast.IfExp() | ast.While():
            turned = copy.copy(node)
            turned.test = ast.UnaryOp(ast.Not(), node.test)
            yield turned


def is_left_out(node: ast.AST) -> bool:
    """Tell whether a node is no part of what the engine does: annotations, sentences, slots."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Raise() | ast.JoinedStr():
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__" | "__all__")]) | ast.Import():
            return True
        case ast.Call(func=ast.Name(id="_refuse")) | ast.ImportFrom():
            return True
    return False


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))

    def walk(parent: ast.AST) -> Iterator[Mutant]:
        for field, value in ast.iter_fields(parent):
            if field in {"annotation", "returns", "decorator_list", "keywords", "type_params"}:
                continue
            places = value if isinstance(value, list) else [value]
            for index, node in enumerate(places):
                if not isinstance(node, ast.AST) or is_left_out(node):
                    continue
                for other in mutate(node):
                    ast.copy_location(other, node)
                    if isinstance(value, list):
                        value[index] = other
                    else:
                        setattr(parent, field, other)
                    source = ast.unparse(ast.fix_missing_locations(tree))
                    if isinstance(value, list):
                        value[index] = node
                    else:
                        setattr(parent, field, node)
                    before, after = (ast.unparse(n).splitlines()[0] for n in (node, other))
                    line = getattr(node, "lineno", 0)
                    yield Mutant(path.stem, line, before, after, source)
                yield from walk(node)

    return walk(tree)


def copy_of_the_rules(folder: Path) -> None:
    """Copy what the tests of the rules need, so that nobody else's files are touched."""
    ignore = shutil.ignore_patterns("__pycache__", "*.so", "ladder", "sandbox")
    shutil.copytree(ROOT / "sdk" / "src", folder / "src", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "rules", folder / "tests" / "rules", ignore=ignore)
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignore)
    (folder / "tests" / "__init__.py").touch()
    (folder / "conftest.py").write_text(
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--update-golden', action='store_true')\n",
        encoding="utf-8",
    )


def run_tests(folder: Path, tests: list[str]) -> NoReturn:
    """Run tests in this process, a child, until one fails; leave with the code of pytest."""
    report = os.open(folder / "report.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(report, 1)
    os.dup2(report, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))
    sys.path[:0] = [str(folder / "src"), str(folder)]
    sys.dont_write_bytecode = True  # or the next mutant might be taken for this one
    os._exit(pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", *tests]))


def is_noticed(folder: Path, tests: list[str], mutant: Mutant | None) -> str:
    """Return the first test that fails, empty when none does."""
    target = folder / "src" / "roundhouse" / "rules" / f"{mutant.module}.py" if mutant else None
    original = target.read_text(encoding="utf-8") if target else ""
    if mutant and target:
        target.write_text(mutant.source, encoding="utf-8")
    child = os.fork()
    if child == 0:
        run_tests(folder, tests)
    _, status = os.waitpid(child, 0)
    if target:
        target.write_text(original, encoding="utf-8")
    if os.WIFSIGNALED(status):
        return "it hangs"
    if status == 0:
        return ""
    lines = (folder / "report.txt").read_text(encoding="utf-8").splitlines()
    return ([x for x in lines if x.startswith(("FAILED", "ERROR"))] or ["no test can be run"])[0]


def main() -> None:
    """Draw mutants, try them, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sample", type=int, default=320, help="how many mutants are tried")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--only", metavar="MODULE", help="one module of the rules, such as turns")
    options = parser.parse_args()
    every = [
        m for path in sorted(RULES.glob(f"{options.only or '*'}.py")) for m in mutants_of(path)
    ]
    drawn = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    noticed, survivors = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_of_the_rules(folder)
        os.chdir(folder)
        tests = [f"tests/rules/{test}" for test in QUICK_TESTS]
        if failure := is_noticed(folder, tests, None):
            sys.exit(f"The tests fail before anything is broken: {failure}")
        for number, mutant in enumerate(drawn, start=1):
            by = is_noticed(folder, tests, mutant)
            noticed += bool(by)
            print(f"{number:4} {'noticed ' if by else 'SURVIVES'} {mutant}", flush=True)
            if not by:
                survivors.append(mutant)
    print(f"\n{noticed} of {len(drawn)} mutants noticed ({noticed / len(drawn):.1%}), drawn from")
    print(f"{len(every):,} with seed {options.seed}; the others:")
    print("\n".join(f"  {mutant}" for mutant in survivors))


if __name__ == "__main__":
    main()
