"""The page of one game, with its replay, and its log in two forms."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from ladder.errors import WrongMomentError
from ladder.ratings import pool_of
from ladder.store import explanation, games, logs, tournaments
from ladder.web.map import draw_map
from ladder.web.pages import Reader
from ladder.web.rendering import render
from ladder.web.replay import Replay, hand_words
from roundhouse.luck import measure_luck
from roundhouse.replay import load_log, to_json

router = APIRouter()


@router.get("/games/{game_id}", name="game")
def show_game(
    request: Request,
    database: Reader,
    game_id: str,
    step: Annotated[int | None, Query(ge=0, description="the event, from 0")] = None,
) -> Response:
    """Show a game at one event, the last when none is named, with controls to step through it."""
    with database.read() as session:
        game = games.get_game(session, game_id)
        tournament = tournaments.get_tournament(session, game.tournament)
        shared: dict[str, Any] = {
            "game": game,
            "tournament": tournament,
            "steps": explanation.explain_game(session, game_id),
            "pool": pool_of(tournament.edition, tournament.table_size),
        }
        try:
            data = logs.get_log(session, game_id)
            forfeits = logs.list_forfeit_reports(session, game_id)
        except WrongMomentError as closed:
            return render(
                request,
                "closed_game.html",
                section="games",
                sentence=str(closed),
                **shared,
            )
    log = load_log(data)
    replay = Replay.of(log)
    shown = len(replay.frames) - 1 if step is None else min(step, len(replay.frames) - 1)
    previous_turn, next_turn = replay.turn_steps(shown)
    return render(
        request,
        "replay.html",
        section="games",
        replay=replay,
        forfeits=forfeits,
        luck=measure_luck(log),
        map=draw_map(replay.rules.board),
        frame=replay.frames[shown],
        step=shown,
        previous_turn=previous_turn,
        next_turn=next_turn,
        hand_words=hand_words,
        **shared,
    )


@router.get("/games/{game_id}/log", name="log_file")
def download_log(database: Reader, game_id: str) -> Response:
    """Return the log as the file that `roundhouse verify` and `roundhouse show` read."""
    with database.read() as session:
        data = logs.get_log(session, game_id)
    return Response(
        data,
        media_type="application/gzip",
        headers={"Content-Disposition": f'attachment; filename="{game_id}.rhlog"'},
    )


@router.get("/games/{game_id}/log.json", name="log_json")
def show_log_json(database: Reader, game_id: str) -> Response:
    """Return the log as the documented JSON document."""
    with database.read() as session:
        data = logs.get_log(session, game_id)
    return JSONResponse(to_json(load_log(data)))
