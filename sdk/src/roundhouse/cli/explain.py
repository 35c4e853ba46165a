"""`roundhouse ratings explain`: every change of a bot's live Elo, with its terms."""

import click
from rich.table import Table

from roundhouse.api.ladder.v1.ladder_pb2 import ExplainRatingRequest
from roundhouse.api.ladder.v1.statistics_pb2 import RatingStep, WithoutGame
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show, table

pool_option = click.option(
    "--pool",
    default="classic/2",
    show_default=True,
    metavar="EDITION/SEATS",
    help='The pool: an edition and "2" or "multi".',
)


@click.command(short_help="Explain the live Elo of a bot, change by change.")
@click.argument("bot")
@pool_option
@click.option("--game", default="", metavar="GAME_ID", help="Only the change of this game.")
@click.option(
    "--without",
    default="",
    metavar="GAME_ID",
    help="Say also what the rating would be had this game never been played.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=20,
    show_default=True,
    help="How many of the last changes.",
)
@ladder_option
def explain(bot: str, pool: str, game: str, without: str, limit: int, target: str) -> None:
    """Show each change of the live Elo of BOT: what was expected, what it made, and the step.

    With one game, show it against each other seat.
    """
    request = ExplainRatingRequest(
        bot=bot, pool=pool, game_id=game, without_game_id=without, limit=limit
    )
    with open_ladder(target) as ladder:
        answer = ladder.ExplainRating(request, timeout=CALL_SECONDS)
    shown = len(answer.steps)
    which = f"game {game}" if game else f"the last {shown}" if shown < answer.games else "all"
    show(
        f"{bot} in {answer.pool}: live Elo {answer.rating:.2f} after {answer.games} games; {which}."
    )
    show(_pairs(answer.steps[0]) if game else _steps(list(answer.steps)))
    if answer.HasField("without"):
        show(_without(bot, answer.without))


def _steps(steps: list[RatingStep]) -> Table:
    rows = [
        (
            step.game_id,
            ", ".join(f"{pair.opponent} ({pair.opponent_rating:.0f})" for pair in step.pairs),
            f"{step.before:.2f}",
            f"{step.expected:.3f}",
            f"{step.actual:g}",
            f"{step.after - step.before:+.2f}",
            f"{step.after:.2f}",
        )
        for step in steps
    ]
    columns = ("game", "against (Elo)", ">before", ">expected", ">made", ">step", ">after")
    return table(columns, rows)


def _pairs(step: RatingStep) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            pair.opponent,
            f"{pair.opponent_rating:.2f}",
            pair.opponent_games,
            f"{pair.k:g}",
            f"{pair.expected:.4f}",
            f"{pair.actual:g}",
            f"{pair.step:+.4f}",
        )
        for pair in step.pairs
    ]
    rows.append(
        (
            "together",
            f"{step.before:.2f} to {step.after:.2f}",
            "",
            "",
            f"{step.expected:.4f}",
            f"{step.actual:g}",
            f"{step.after - step.before:+.4f}",
        )
    )
    columns = (
        "against",
        ">Elo",
        ">games",
        ">K",
        ">expected",
        ">made",
        ">step: K (made - expected)",
    )
    return table(columns, rows)


def _without(bot: str, without: WithoutGame) -> str:
    return (
        f"Without game {without.game_id} {bot} would stand at {without.rating_without:.2f} "
        f"({without.rating_without - without.rating:+.2f}); "
        f"{without.games_rated_again} later games were rated again for that."
    )
