"""`roundhouse leaderboard`: the ratings of a pool."""

import click

from roundhouse.api.ladder.v1.ladder_pb2 import GetLeaderboardRequest
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show, table


@click.command(short_help="Show the ratings of a ladder.")
@click.argument("pool", default="classic/2")
@ladder_option
def leaderboard(pool: str, target: str) -> None:
    """Show the leaderboard of POOL.

    A pool is an edition and "2" or "multi", for tables of two and of three to five seats, such as
    classic/2, which is the default, or classic/multi.
    """
    with open_ladder(target) as ladder:
        answer = ladder.GetLeaderboard(GetLeaderboardRequest(pool=pool), timeout=CALL_SECONDS)
    if not answer.rows:
        others = f"; there are ratings in {', '.join(answer.pools)}" if answer.pools else ""
        show(f"No bot has played a rated game in {answer.pool} yet{others}.")
        return
    rows = [
        (
            row.rank,
            row.bot,
            f"{row.rating:.0f}",
            row.games,
            f"{row.wins}/{row.draws}/{row.losses}",
            row.mean_score,
        )
        for row in answer.rows
    ]
    columns = (">rank", "bot", ">rating", ">games", ">wins/draws/losses", ">mean score")
    show(table(columns, rows, title=answer.pool))
