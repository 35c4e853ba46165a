"""Putting a mutant where the engine is: into functions that are loaded, or into an import."""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import inspect
import sys
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from bench.mutation import Mutant


class Finder:
    """Give the module of a mutant the mutant's source when it is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self._name = f"roundhouse.rules.{mutant.module}"
        self._source = mutant.source

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find the one module; others are found as always."""
        del path, target
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            message = f"there is no module {name}"
            raise ImportError(message)
        loader = _Loader(name, spec.origin)
        loader.source = self._source
        return importlib.util.spec_from_file_location(name, spec.origin, loader=loader)


class _Loader(importlib.machinery.SourceFileLoader):
    source = ""

    def get_code(self, fullname: str) -> CodeType:
        del fullname  # nor may bytecode of the true source be taken
        return _compile(self.source)


def changed_functions(mutant: Mutant) -> dict[str, CodeType]:
    """Return the new code of the functions that a mutant changes; empty if it changes more."""
    module = sys.modules[f"roundhouse.rules.{mutant.module}"]
    true = ast.unparse(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")))
    try:
        before, after = (dict(_parts(_compile(source))) for source in (true, mutant.source))
    except SyntaxError:
        return {}
    changed = {name: part for name, part in after.items() if part != before.get(name)}
    functions = dict(_functions(module))
    codes = {name: part for name, part in changed.items() if isinstance(part, CodeType)}
    return codes if changed.keys() == codes.keys() & functions.keys() else {}


def put_into_place(mutant: Mutant, codes: dict[str, CodeType]) -> None:
    """Give functions that are loaded their new code."""
    functions = dict(_functions(sys.modules[f"roundhouse.rules.{mutant.module}"]))
    for name, code in codes.items():
        functions[name].__code__ = code


def forget() -> None:
    """Empty what functions of the rules have kept by `functools.cache`."""
    for name, module in list(sys.modules.items()):
        if name.startswith("roundhouse.rules."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _compile(source: str) -> CodeType:
    return compile(source, "<mutant>", "exec", dont_inherit=True)


def _parts(code: CodeType) -> Iterator[tuple[str, object]]:
    """Yield the functions of a module or class, and what else is in it."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    plain = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    yield f"{code.co_qualname} itself", (code.co_code, code.co_names, repr(plain))
    for part in inner:
        if part.co_flags & inspect.CO_OPTIMIZED:
            yield part.co_qualname, part
        else:
            yield from _parts(part)


def _functions(place: ModuleType | type) -> Iterator[tuple[str, FunctionType]]:
    for value in vars(place).values():
        function = value.fget if isinstance(value, property) else inspect.unwrap(value)
        function = getattr(function, "__func__", function)
        if isinstance(function, FunctionType):
            yield function.__qualname__, function
        elif isinstance(value, type) and value.__module__ == place.__name__:
            yield from _functions(value)
