"""The mutants of the rules: every small change that one module can be given."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "sdk" / "src" / "roundhouse" / "rules"

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
