"""What the demo prints: leaderboards and crosstables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundhouse.cli.leaderboard import headline, live_elo, rank_range
from roundhouse.cli.screen import table

if TYPE_CHECKING:
    from rich.table import Table

    from roundhouse.api.ladder.v1.ladder_pb2 import GetLeaderboardResponse
    from roundhouse.api.ladder.v1.tournament_pb2 import Crosstable, CrosstableCell


def leaderboard(answer: GetLeaderboardResponse) -> Table:
    """Lay out the leaderboard of a board."""
    return table(
        (
            *(">rank", "bot", ">rating (95 %)", ">live Elo"),
            *(">games", ">wins", ">draws", ">losses", ">average score"),
        ),
        (
            (
                rank_range(row),
                row.bot,
                headline(row),
                live_elo(row, answer.pool),
                row.games,
                row.wins,
                row.draws,
                row.losses,
                row.mean_score,
            )
            for row in answer.rows
        ),
        title=f"Leaderboard of {answer.pool}",
    )


def crosstable(results: Crosstable, title: str) -> Table:
    """Lay out bot against bot: wins, draws and losses of the row, and its mean margin in points."""
    cells = {(cell.bot, cell.opponent): _cell(cell) for cell in results.cells}
    return table(
        ("wins-draws-losses, margin", *(f">{bot}" for bot in results.bots)),
        ((bot, *(cells.get((bot, other), "") for other in results.bots)) for bot in results.bots),
        title=title,
    )


def _cell(cell: CrosstableCell) -> str:
    return f"{cell.wins}-{cell.draws}-{cell.losses} {cell.mean_margin:+.0f}"
