"""What a match came to, as a table and a few lines."""

from collections.abc import Sequence

from rich.table import Table

from roundhouse.arena import GameResult, Tally
from roundhouse.cli.screen import table
from roundhouse.verdict import REASON_NAMES

MOST_FORFEITS = 5
"""How many forfeits are told one by one; a bot that never starts would fill the screen."""


def result_table(tallies: Sequence[Tally]) -> Table:
    """Lay out how each bot did."""
    columns = (
        "bot",
        ">games",
        ">wins",
        ">draws",
        ">losses",
        ">mean score",
        ">mean placement",
        ">forfeits",
    )
    rows = [
        (
            tally.name,
            tally.games,
            tally.wins,
            tally.draws,
            tally.losses,
            tally.mean_score,
            f"{tally.mean_placement:.2f}",
            tally.forfeits,
        )
        for tally in tallies
    ]
    return table(columns, rows)


def forfeit_lines(results: Sequence[GameResult]) -> list[str]:
    """Say which bots forfeited and why, a line each, and how many more there were."""
    lines = [
        f"{result.log.seats[forfeit.seat].bot} forfeited game {result.log.game_id} "
        f"({REASON_NAMES[forfeit.reason]}): {forfeit.sentence}"
        for result in results
        for forfeit in result.forfeits
    ]
    rest = len(lines) - MOST_FORFEITS
    return lines[:MOST_FORFEITS] + ([f"... and {rest} more forfeits."] if rest > 0 else [])
