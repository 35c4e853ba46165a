"""`roundhouse leaderboard`: the ratings of a board, and how sure they are."""

import click

from roundhouse.api.ladder.v1.ladder_pb2 import GetLeaderboardRequest, GetLeaderboardResponse
from roundhouse.api.ladder.v1.record_pb2 import BoardFit, LeaderboardRow
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show, table

JOINT = "all"
_MOST_PAIRS = 12
"""As many columns as a terminal has room for."""


@click.command(short_help="Show the ratings of a ladder.")
@click.argument("board", default="classic/2")
@click.option("--pairs", is_flag=True, help="Show how likely each bot is stronger than each other.")
@ladder_option
def leaderboard(board: str, target: str, *, pairs: bool) -> None:
    """Show the leaderboard BOARD.

    A board is an edition and "2" to "5" or "multi", for tables of so many or of three to five
    seats, such as classic/2, which is the default, or "all", for all games together.

    The rating with its 95 % interval and the ranks that it leaves open come from a fit of all
    games; the live Elo moves with every single one.
    """
    request = GetLeaderboardRequest(pool=board, pairs=_MOST_PAIRS if pairs else 0)
    with open_ladder(target) as ladder:
        answer = ladder.GetLeaderboard(request, timeout=CALL_SECONDS)
    if not answer.rows:
        others = sorted({*answer.pools, *answer.boards})
        elsewhere = f"; there are ratings in {', '.join(others)}" if others else ""
        show(f"No bot has played a rated game in {answer.pool} yet{elsewhere}.")
        return
    rows = [
        (
            rank_range(row),
            row.bot,
            headline(row),
            live_elo(row, answer.pool),
            row.games,
            f"{row.wins}/{row.draws}/{row.losses}",
            row.mean_score,
        )
        for row in answer.rows
    ]
    columns = (
        *(">rank", "bot", ">rating (95 %)", ">live Elo"),
        *(">games", ">wins/draws/losses", ">mean score"),
    )
    show(table(columns, rows, title=answer.pool))
    show(explain_fit(answer))
    if pairs:
        _show_pairs(answer)


def headline(row: LeaderboardRow) -> str:
    """Return the headline rating with half of its interval, such as `1523 ± 31`.

    The anchor, against which all others are measured, has no interval.
    """
    if not row.HasField("headline"):
        return "-"
    mark = " provisional" if row.headline.provisional else ""
    interval = f" ± {row.headline.margin:.0f}" if row.headline.margin else " (anchor)"
    return f"{row.headline.elo:.0f}{interval}{mark}"


def rank_range(row: LeaderboardRow) -> str:
    """Return the rank, with the ranks that the games leave open: `2 (1-3)`."""
    if not row.rank:
        return "-"
    best, worst = row.headline.best_rank, row.headline.worst_rank
    return str(row.rank) if best == worst else f"{row.rank} ({best}-{worst})"


def live_elo(row: LeaderboardRow, board: str) -> str:
    """Return the live Elo; the joint board has none."""
    return "-" if board == JOINT else f"{row.rating:.0f}"


def explain_fit(answer: GetLeaderboardResponse) -> str:
    """Say what the ratings are measured against, and which games they hold."""
    if not answer.HasField("fit"):
        return "The ratings have not been fitted yet; until then the live Elo sets the order."
    fit = answer.fit
    against = f"{fit.anchor}, who stands at 1500" if fit.anchor else "the mean, which is 1500"
    since = answer.last_game - fit.last_game
    basis = (
        f"After game {fit.last_game}: {fit.games} games in {fit.deal_groups} deal groups; "
        f"± is half a 95 % interval against {against}."
    )
    parts = [basis]
    if since:
        parts.append(f"{since} later {'game is' if since == 1 else 'games are'} not in it yet.")
    parts += _warnings(fit)
    return " ".join(parts)


def _warnings(fit: BoardFit) -> list[str]:
    if not fit.doubtful:
        return []
    names = ", ".join(fit.doubtful)
    return [
        f"In doubt: the intervals of {names}; estimates that assume less differ by over a quarter."
    ]


def _show_pairs(answer: GetLeaderboardResponse) -> None:
    count = int(len(answer.superiority) ** 0.5)
    if not count:
        show("The likelihoods of superiority are not kept for this board.")
        return
    names = [row.bot for row in answer.rows[:count]]
    rows = [
        (
            name,
            *(
                "" if other == place else f"{answer.superiority[place * count + other]:.3f}"
                for other in range(count)
            ),
        )
        for place, name in enumerate(names)
    ]
    show("")
    show(table(("stronger than", *(f">{name}" for name in names)), rows))
