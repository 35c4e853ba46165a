"""The luck of a game as a table."""

from collections.abc import Sequence

from rich.table import Table

from roundhouse.cli.screen import table
from roundhouse.luck import SeatLuck

LUCK_NOTE = (
    "Luck is in points: draws against what was to be expected. It never counts for placements or "
    "ratings."
)


def luck_table(names: Sequence[str], measured: Sequence[SeatLuck]) -> Table:
    """Lay out the margin of each seat, what chance gave to it, and the margin without that."""
    rows = [
        (
            names[one.seat],
            f"{one.margin:+.1f}",
            f"{one.cards:+.1f}",
            f"{one.others:+.1f}",
            f"{one.adjusted_margin:+.1f}",
        )
        for one in measured
    ]
    columns = (
        "bot",
        ">margin",
        ">luck of the draws",
        ">of the others",
        ">margin without luck",
    )
    return table(columns, rows)
