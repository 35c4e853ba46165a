"""What the deals of a tournament did, in a few lines."""

from rich.table import Table

from roundhouse.api.ladder.v1.statistics_pb2 import DealStatistics
from roundhouse.cli.screen import table


def deal_line(deals: DealStatistics) -> str:
    """Say how much playing each deal in all rotations saved."""
    parts = [
        f"{ratio.ratio:.2f} ± {ratio.error:.2f} of the {name}"
        for name, has_ratio, ratio in (
            ("rank", deals.HasField("rank"), deals.rank),
            ("margin", deals.HasField("margin"), deals.margin),
        )
        if has_ratio
    ]
    what = " and ".join(parts) or "too few groups, or nothing varied"
    return (
        f"{deals.groups} deal groups; variance of a group's score beside independent games: {what}."
    )


def seat_table(deals: DealStatistics) -> Table:
    """Lay out what each seat is worth."""
    rows = [
        (
            seat.seat,
            f"{seat.score:.3f} ± {seat.score_error:.3f}",
            f"{seat.margin:+.1f} ± {seat.margin_error:.1f}",
        )
        for seat in deals.seats
    ]
    return table((">seat", ">mean rank (0 last, 1 first)", ">mean margin"), rows)
