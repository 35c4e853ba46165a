"""The page of alarms: results that an organiser should look at."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from ladder.domain.alarm import Alarm
from ladder.statistics.alarms import CHANCE, anchors_with, find_alarms
from ladder.store import alarms, ratings
from ladder.store.database import Database
from ladder.web.pages import Reader
from ladder.web.rendering import render

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Watch:
    """What was found in a pool up to a game."""

    last_game: int
    games: int
    groups: int
    alarms: Sequence[Alarm]


@router.get("/alarms", name="alarms")
def show_alarms(request: Request, database: Reader, pool: str = ratings.DEFAULT_POOL) -> Response:
    """Show the alarms of a pool, the least likely by chance first."""
    with database.read() as session:
        pools = ratings.list_pools(session)
    anchors = anchors_with(request.app.state.settings.anchor_bot)
    watches: dict[str, Watch] = request.app.state.watches
    watch = look(database, pool, anchors, watches.get(pool))
    if pool in pools:  # what else a visitor names is not to be kept
        watches[pool] = watch
    return render(
        request,
        "alarms.html",
        section="alarms",
        pool=pool,
        pools=pools,
        watch=watch,
        anchors=anchors,
        chance=CHANCE,
    )


def look(database: Database, pool: str, anchors: Collection[str], before: Watch | None) -> Watch:
    """Return what is found in a pool now; what was found before, while no game has come since."""
    with database.read() as session:
        last = alarms.last_watched_game(session, pool)
        if before is not None and before.last_game == last:
            return before
        games = alarms.list_watched_games(session, pool)
    groups = len({game.group for game in games})
    return Watch(last, len(games), groups, find_alarms(games, anchors))
