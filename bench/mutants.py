"""Measure the tests of the rules: break the engine in small ways and count what is noticed.

    nice python bench/mutants.py [--sample 320] [--seed 1] [--only MODULE] [--jobs 2]

A mutant is the rules with one change: a comparison, an operator, a constant, a condition or a
return value. `--sample` of them are drawn by chance from all that can be made, and the quick tests
of the rules (rulings, golden games, perft, scoring, twins, ...) run against each until one fails.
Who survives is printed with its change. A driver of our own: mutmut and cosmic-ray start a whole
run of pytest for each mutant, which here would take most of the time.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.mutant_calls import Calls  # noqa: E402
from bench.mutant_trials import OPTIONS, Children, FreshTrials, Verdict, WarmTrials  # noqa: E402
from bench.mutation import RULES, Mutant, mutants_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

hypothesis.settings.register_profile("few", max_examples=5, deadline=None, database=None)
hypothesis.settings.load_profile("few")

SLOW = ("test_every_table.py",)
"""What is left out: whole games at every table take longer than all the rest together."""
ELSEWHERE = "test_a_game_is_the_same_in_another_process_whatever_the_hash_seed"
"""This one loads the engine from its files in another process, where nothing is broken."""


def copy_of_the_rules(folder: Path) -> None:
    """Copy what the tests of the rules need, so that nobody changes it while mutants are tried."""
    ignore = shutil.ignore_patterns("__pycache__", "*.so", "ladder", "sandbox")
    shutil.copytree(ROOT / "sdk" / "src", folder / "sdk" / "src", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "rules", folder / "tests" / "rules", ignore=ignore)
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignore)
    (folder / "tests" / "__init__.py").touch()
    (folder / "conftest.py").write_text(
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--update-golden', action='store_true')\n",
        encoding="utf-8",
    )


def try_warm(
    mutants: Sequence[Mutant], tests: Sequence[str], children: Children
) -> tuple[list[Mutant], list[Mutant]]:
    """Try mutants on loaded code, in a child that loads it.

    Return those that survive, and those that have to be loaded anew.
    """
    number_of = {id(mutant): number for number, mutant in enumerate(mutants)}
    lists = {name: children.folder / name for name in ("survivors", "undecided")}
    for path in lists.values():
        path.touch()
    out = os.dup(sys.stdout.fileno())
    child = os.fork()
    if child == 0:

        def write(name: str, mutant: Mutant) -> None:
            with lists[name].open("a", encoding="utf-8") as file:
                file.write(f"{number_of[id(mutant)]}\n")

        def report(verdict: Verdict) -> None:
            complain(str(verdict))
            if not verdict.by:
                write("survivors", verdict.mutant)

        def complain(sentence: str) -> None:
            os.write(out, f"{sentence}\n".encode())

        calls = Calls()
        calls.listen()
        plugin = WarmTrials(
            mutants, children, calls, report, lambda mutant: write("undecided", mutant), complain
        )
        os._exit(pytest.main([*OPTIONS, *tests], plugins=[plugin]))
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"The tests cannot be run: pytest ends with {os.waitstatus_to_exitcode(status)}.")
    survivors, undecided = (
        [mutants[int(line)] for line in path.read_text(encoding="utf-8").split()]
        for path in lists.values()
    )
    return survivors, undecided


def print_scores(drawn: Sequence[Mutant], survivors: Sequence[Mutant]) -> None:
    """Print what was noticed in each module, and in all."""
    tried = Counter(mutant.module for mutant in drawn)
    lost = Counter(mutant.module for mutant in survivors)
    for module, count in sorted(tried.items()):
        print(f"{module:16} {count - lost[module]:4} of {count:4}  {1 - lost[module] / count:6.1%}")
    score = len(drawn) - len(survivors)
    print(f"{'all':16} {score:4} of {len(drawn):4}  {score / len(drawn):6.1%}")


def main() -> None:
    """Draw mutants, try them, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sample", type=int, default=320, help="how many mutants are tried")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--only", metavar="MODULE", help="one module of the rules, such as turns")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    options = parser.parse_args()
    every = [
        m for path in sorted(RULES.glob(f"{options.only or '*'}.py")) for m in mutants_of(path)
    ]
    drawn = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_of_the_rules(folder)
        os.chdir(folder)
        sys.path[:0] = [str(folder / "sdk" / "src"), str(folder)]
        files = sorted(path for path in Path("tests/rules").glob("test_*.py"))
        tests = [str(path) for path in files if path.name not in SLOW]
        tests += [f"--deselect=tests/rules/test_properties.py::{ELSEWHERE}"]
        children = Children(folder, options.jobs)
        survivors, undecided = try_warm(drawn, tests, children)
        for verdict in children.try_all(undecided, FreshTrials(tests, folder).trial):
            print(verdict, flush=True)
            if not verdict.by:
                survivors.append(verdict.mutant)
    print(f"\n{len(drawn)} mutants, drawn from {len(every):,} with seed {options.seed}:")
    print_scores(drawn, survivors)
    print("\nSurvivors:")
    print("\n".join(f"  {mutant}" for mutant in sorted(survivors, key=str)))


if __name__ == "__main__":
    main()
