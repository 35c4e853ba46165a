"""The page of alarms: results that an organiser should look at."""

from fastapi import APIRouter, Request, Response

from ladder.statistics.alarms import ANCHORS, CHANCE, find_alarms
from ladder.store import alarms, ratings
from ladder.web.pages import Reader
from ladder.web.rendering import render

router = APIRouter()


@router.get("/alarms", name="alarms")
def show_alarms(request: Request, database: Reader, pool: str = ratings.DEFAULT_POOL) -> Response:
    """Show the alarms of a pool, the least likely by chance first."""
    with database.read() as session:
        pools = ratings.list_pools(session)
        games = alarms.list_watched_games(session, pool)
    return render(
        request,
        "alarms.html",
        section="alarms",
        pool=pool,
        pools=pools,
        alarms=find_alarms(games),
        games=len(games),
        groups=len({game.group for game in games}),
        anchors=ANCHORS,
        chance=CHANCE,
    )
