"""The page that explains a bot's rating, change by change."""

from fastapi import APIRouter, Request, Response

from ladder.store import bots, explanation, ratings
from ladder.web.pages import Reader
from ladder.web.rendering import render

MOST_STEPS = 50

router = APIRouter()


@router.get("/bots/{name}/rating", name="rating")
def show_rating(
    request: Request,
    database: Reader,
    name: str,
    pool: str = ratings.DEFAULT_POOL,
    without: str = "",
) -> Response:
    """Show the last changes of a bot's rating, and on request what it would be without a game."""
    with database.read() as session:
        bot = bots.get_bot(session, name)
        found = explanation.explain_rating(session, pool, name, limit=MOST_STEPS)
        other = explanation.rate_without(session, pool, name, without) if without else None
    return render(request, "rating.html", section="bots", bot=bot, found=found, other=other)
