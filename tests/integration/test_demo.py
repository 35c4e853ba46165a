"""`make demo` shows everything and ends right; stopped at any moment it leaves nothing behind."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from tests import processes
from tests.integration.programs import Program, running, short_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FEW = ("--deals", "1", "--table-deals", "1")
GAMES = 6 * 2 + 4


@pytest.fixture
def folder() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder


def test_the_demo_ends_by_itself_when_everything_was_right(folder: Path) -> None:
    with running(folder, "demo", "--exit", *FEW) as demo:
        assert demo.wait() == 0, demo.printed
        assert processes.wait_until_gone(demo.marker) == {}
    for bot in ("random", "greedy", "hoarder", "planner"):
        assert f"{bot}: version 1 accepted" in demo.printed
    for title in (
        "Leaderboard of classic/2",
        "Leaderboard of classic/multi",
        "Crosstable of the round-robin of pairs",
        "Crosstable of the table of four",
        f"{GAMES} of {GAMES} logs verified",
        f"{GAMES} games, 0 forfeits",
        "A replay:   http://127.0.0.1:",
    ):
        assert title in demo.printed
    assert list(folder.iterdir()) == []


def test_the_demo_without_a_sandbox_says_so_and_rates_nothing(folder: Path) -> None:
    with running(folder, "demo", "--exit", "--trusted", *FEW) as demo:
        assert demo.wait() == 0, demo.printed
    assert "nothing holds them, no game is rated" in demo.printed
    assert f"{GAMES} of {GAMES} logs verified" in demo.printed
    assert "Leaderboard" not in demo.printed


def test_a_machine_without_a_sandbox_gets_one_sentence(folder: Path) -> None:
    with running(folder, "demo", "--exit", *FEW, ROUNDHOUSE_SANDBOX_STATE="/proc/nowhere") as demo:
        assert demo.wait() == 1
        assert processes.wait_until_gone(demo.marker) == {}
    assert "This machine has no sandbox for bots (" in demo.printed
    assert "with --trusted the demo plays unrated games" in demo.printed
    assert "Traceback" not in demo.printed


def test_a_demo_without_its_bots_says_where_they_are_wanted(folder: Path) -> None:
    with running(folder, "demo", "--exit", "--examples", str(folder)) as demo:
        assert demo.wait() == 1
        assert processes.wait_until_gone(demo.marker) == {}
    assert f"The house bot random is not in {folder}; leave out --examples" in demo.printed
    assert "Traceback" not in demo.printed


def at_once(_: Program) -> None:
    """Stop it while Python is still reading its modules."""


def with_the_first_child(demo: Program) -> None:
    demo.wait_until(lambda: len(processes.marked(demo.marker)) > 1)


def with_all_children(demo: Program) -> None:
    demo.wait_until(lambda: len(processes.marked(demo.marker)) > 4)


def when_all_parts_run(demo: Program) -> None:
    demo.wait_for("All parts run")


def when_bots_play(demo: Program) -> None:
    demo.wait_for("planner: version 1 accepted")
    demo.wait_until(
        lambda: any("bot.py" in each.command for each in processes.descendants(demo.process.pid))
    )


def when_it_serves(demo: Program) -> None:
    demo.wait_for("Serving until Ctrl-C")


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        (at_once, signal.SIGINT),
        (with_the_first_child, signal.SIGINT),
        (with_the_first_child, signal.SIGKILL),
        (with_all_children, signal.SIGTERM),
        (when_all_parts_run, signal.SIGINT),
        (when_bots_play, signal.SIGINT),
        (when_bots_play, signal.SIGKILL),
        (when_it_serves, signal.SIGTERM),
    ],
    ids=lambda value: value.name if isinstance(value, signal.Signals) else value.__name__,
)
def test_stopped_at_any_moment_it_leaves_no_process(
    moment: Callable[[Program], None], number: signal.Signals, folder: Path
) -> None:
    with running(folder, "demo", *FEW) as demo:
        moment(demo)
        below = processes.descendants(demo.process.pid)
        demo.process.send_signal(number)
        demo.wait()
        assert processes.wait_until_gone(demo.marker) == {}
        assert processes.survivors(below) == set()
    assert number == signal.SIGKILL or list(folder.iterdir()) == []
