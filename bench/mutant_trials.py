"""Trying mutants: what one costs is a fork and the tests until the first that fails.

A process collects all tests with the engine loaded, then forks a child for each mutant. The child
gives the changed function its new code and runs the tests that call it. That cannot be done with a
change that works while modules are loaded, as in a table that is made once: there a child loads
engine and tests anew, from the mutant's source.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import pytest

from bench.mutant_loading import Finder, changed_functions, forget, put_into_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bench.mutant_calls import Calls
    from bench.mutation import Mutant

FRESH_SECONDS = 90
"""CPU seconds that all tests may take with a mutant that is loaded anew."""
MEMORY = 3 << 30
"""Bytes: a mutant that fills the memory is noticed before the machine is."""
REMEMBERING = {"action_index", "board", "editions", "legal", "payments", "tables"}
"""Modules that keep what they have worked out: after the first time nothing is called."""
SECONDS = "seconds.json"
"""Where the times of the tests are kept from one kind of trial to the other."""
OPTIONS = ("--assert=plain", "-p", "no:cacheprovider", "-p", "no:terminal", "-W", "ignore")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Say what noticed a mutant: a test, or nothing."""

    mutant: Mutant
    by: str

    def __str__(self) -> str:
        return f"{self.mutant}   {f'noticed by {self.by}' if self.by else 'SURVIVES'}"


def limit_seconds(usual: float) -> None:
    """End this process by a signal unless the next test is done in some multiple of its time."""
    signal.setitimer(signal.ITIMER_PROF, 3 + 10 * usual)


@dataclass(slots=True)
class Children:
    """The processes that try mutants, at most `jobs` at a time; each writes down its last test."""

    folder: Path
    jobs: int
    running: dict[int, Mutant] = field(default_factory=dict)

    def try_all(
        self, mutants: Sequence[Mutant], trial: Callable[[Mutant, Path], NoReturn]
    ) -> Iterator[Verdict]:
        """Run the trial of each mutant in a child of its own; yield verdicts as they come."""
        waiting = list(reversed(mutants))
        while waiting or self.running:
            while waiting and len(self.running) < self.jobs:
                mutant = waiting.pop()
                child = os.fork()
                if child == 0:
                    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                    trial(mutant, self.folder / str(os.getpid()))
                self.running[child] = mutant
            child, status = os.wait()
            note = self.folder / str(child)
            last = note.read_text(encoding="utf-8") if note.exists() else "loading it"
            yield Verdict(self.running.pop(child), last if status else "")


@dataclass(slots=True)
class WarmTrials:
    """The plugin of pytest that takes over once all tests are collected.

    A mutant meets the tests that call what it changes, from the quickest to the slowest, but what
    has noticed mutants before comes first. `undecided` gets those that must be loaded anew.
    """

    mutants: Sequence[Mutant]
    children: Children
    calls: Calls
    report: Callable[[Verdict], None]
    undecided: Callable[[Mutant], None]
    complain: Callable[[str], None]
    items: dict[str, pytest.Item] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    called: dict[str, set[str]] = field(default_factory=dict)
    caught: Counter[tuple[str, str]] = field(default_factory=Counter)
    has_failed: bool = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test has failed."""
        self.has_failed = self.has_failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the tests, then try all mutants."""
        self.calls.take(is_loading=True)
        self.items = {item.nodeid: item for item in session.items}
        for name in self.items:
            start = time.process_time()
            self.calls.listen()
            self._run(name)
            self.seconds[name] = time.process_time() - start
            self.called[name] = self.calls.take()
            if self.has_failed:
                self.complain(f"{name} fails before anything is broken.")
                pytest.exit("nothing can be measured", returncode=1)
        (self.children.folder / SECONDS).write_text(json.dumps(self.seconds), encoding="utf-8")
        quickly = [m for m in self.mutants if self._is_decided_here(m)]
        gc.collect()
        gc.freeze()  # or every child's collections would copy the memory that all share
        for verdict in self.children.try_all(quickly, self._trial):
            self.caught[verdict.by, verdict.mutant.module] += 1
            self.report(verdict)
        return True

    def _is_decided_here(self, mutant: Mutant) -> bool:
        names = self._names(mutant)
        if names and not names & self.calls.loading and mutant.module not in REMEMBERING:
            return True
        self.undecided(mutant)
        return False

    def _names(self, mutant: Mutant) -> set[str]:
        return {f"{mutant.module}:{name}" for name in changed_functions(mutant)}

    def _run(self, name: str) -> None:
        item = self.items[name]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _trial(self, mutant: Mutant, note: Path) -> NoReturn:
        names = self._names(mutant)
        order = sorted(
            (name for name in self.items if self.called[name] & names),
            key=lambda name: (-self.caught[name, mutant.module], self.seconds[name]),
        )
        put_into_place(mutant, changed_functions(mutant))
        forget()
        for name in order:
            note.write_text(name, encoding="utf-8")
            limit_seconds(self.seconds[name])
            self._run(name)
            if self.has_failed:
                os._exit(1)
        os._exit(0)


@dataclass(slots=True)
class FreshTrials:
    """The trial that loads everything anew; nothing of the engine may be loaded before."""

    tests: Sequence[str]
    folder: Path
    note: Path | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Begin with what is quick."""
        self.seconds = json.loads((self.folder / SECONDS).read_text(encoding="utf-8"))
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Write down which test runs, and how long it may."""
        if self.note:
            self.note.write_text(nodeid, encoding="utf-8")
        limit_seconds(self.seconds.get(nodeid, 0))

    def trial(self, mutant: Mutant, note: Path) -> NoReturn:
        """Run all tests until one fails."""
        self.note = note
        resource.setrlimit(resource.RLIMIT_CPU, (FRESH_SECONDS, FRESH_SECONDS))
        sys.meta_path.insert(0, Finder(mutant))
        os._exit(pytest.main(["-x", *OPTIONS, *self.tests], plugins=[self]))
