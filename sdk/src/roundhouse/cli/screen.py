"""What the terminal shows: tables on standard output, progress on standard error."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

PIPE_WIDTH = 160
"""Columns of a table in a pipe, where there is no terminal whose width could be asked."""


def show(part: str | Table) -> None:
    """Print to standard output. Square brackets and numbers are left as they are."""
    console = Console(
        width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH,
        markup=False,
        highlight=False,
        emoji=False,
    )
    console.print(part, soft_wrap=isinstance(part, str))  # the terminal breaks long sentences


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    title: str = "",
    wraps: Sequence[str] = (),
) -> Table:
    """Lay out rows. A column whose title starts with `>` is aligned to the right.

    Columns in `wraps` are broken into lines where the terminal is narrow.
    """
    layout = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        title=title or None,
        title_justify="left",
    )
    for column in columns:
        right = column.startswith(">")
        layout.add_column(
            column.removeprefix(">"),
            justify="right" if right else "left",
            no_wrap=column not in wraps,
        )
    for row in rows:
        layout.add_row(*(_cell(value) for value in row))
    return layout


def progress() -> Progress:
    """Make a progress bar for standard error. It vanishes when done, and in a pipe never shows."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        # What a bot prints goes above the bar, but never from a pipe to the terminal.
        redirect_stdout=sys.stdout.isatty(),
        disable=not console.is_terminal,
    )


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show a spinner while a block runs whose length nobody knows."""
    with Console(stderr=True).status(escape(what)):
        yield


def _cell(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)
