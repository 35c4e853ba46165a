"""The pages of leaderboards, bots, tournaments and games."""

from dataclasses import dataclass
from typing import Annotated, Self

from fastapi import APIRouter, Depends, Request, Response

from ladder.domain.deals import DealStatistics
from ladder.domain.tournament import Crosstable, CrosstableCell, TournamentStatus
from ladder.statistics.deals import measure_deals
from ladder.store import (
    aborts,
    bots,
    crosstable,
    deals,
    fits,
    games,
    leaderboard,
    ratings,
    tournaments,
)
from ladder.store.database import Database
from ladder.web.curve import RatingCurve
from ladder.web.rendering import render

DEFAULT_POOL = "classic/2"
RECENT_GAMES = 20
SHOWN_ABORTS = 20
SHOWN_PAIRS = 12
"""A table of more bots than this is wider than a page."""
NEIGHBOURS = 2
"""How many bots above and below are compared with one on its own page."""

router = APIRouter()


def open_database(request: Request) -> Database:
    """Return the database that the application was made with."""
    database: Database = request.app.state.database
    return database


Reader = Annotated[Database, Depends(open_database)]


@dataclass(frozen=True, slots=True)
class Grid:
    """A crosstable as rows and columns."""

    bots: tuple[str, ...]
    cells: dict[tuple[str, str], CrosstableCell]
    points: dict[str, float]
    games: dict[str, int]

    @classmethod
    def of(cls, table: Crosstable) -> Self:
        """Return the grid of `table`; a win is a point, a shared placement half a one."""
        points = dict.fromkeys(table.bots, 0.0)
        played = dict.fromkeys(table.bots, 0)
        for cell in table.cells:
            points[cell.bot] += cell.wins + cell.draws / 2
            played[cell.bot] += cell.games
        return cls(table.bots, {(c.bot, c.opponent): c for c in table.cells}, points, played)


@router.get("/", name="leaderboard")
def show_leaderboard(request: Request, database: Reader, pool: str = "") -> Response:
    """Show the leaderboard of a board; without one named, of the first that has games."""
    with database.read() as session:
        boards = sorted({*ratings.list_pools(session), *fits.list_boards(session)})
        chosen = pool or (DEFAULT_POOL if DEFAULT_POOL in boards or not boards else boards[0])
        rows = leaderboard.get_leaderboard(session, chosen)
        fit = fits.get_fit(session, chosen)
        names, chances = fits.list_superiorities(session, chosen, range(SHOWN_PAIRS))
        last_game = fits.last_recorded(session)
        recent = tournaments.list_tournaments(session, limit=5).items
    return render(
        request,
        "leaderboard.html",
        section="leaderboard",
        board=chosen,
        boards=[(name, board_title(name)) for name in boards],
        rows=rows,
        fit=fit,
        last_game=last_game,
        pair_names=names,
        pair_chances=chances,
        recent=recent,
    )


def board_title(board: str) -> str:
    """Return what a board is called on pages.

    >>> board_title("classic/2"), board_title("classic/multi"), board_title("all")
    ('classic, 2 players', 'classic, 3 to 5 players', 'all games')
    """
    edition, _, tables = board.partition("/")
    if not tables:
        return "all games"
    return f"{edition}, {'3 to 5' if tables == 'multi' else tables} players"


@router.get("/bots", name="bots")
def show_bots(request: Request, database: Reader, page: str = "") -> Response:
    """List the bots by name."""
    with database.read() as session:
        listing = bots.list_bots(session, token=page)
    return render(request, "bots.html", section="bots", page=listing)


@router.get("/bots/{name}", name="bot")
def show_bot(request: Request, database: Reader, name: str) -> Response:
    """Show one bot: its ratings with their history, its versions, its last games."""
    with database.read() as session:
        bot = bots.get_bot(session, name)
        versions = bots.list_versions(session, name)
        standings = [
            (
                pool,
                row,
                leaderboard.list_neighbours(session, pool, name, NEIGHBOURS),
                RatingCurve.of(
                    [
                        rating
                        for i, point in enumerate(ratings.get_rating_history(session, pool, name))
                        for rating in ((point.before, point.after) if i == 0 else (point.after,))
                    ]
                ),
            )
            for pool in ratings.list_pools(session)
            if (row := leaderboard.get_standing(session, pool, name)) is not None
        ]
        recent = games.list_games(session, bot=name, limit=RECENT_GAMES).items
    return render(
        request,
        "bot.html",
        section="bots",
        bot=bot,
        versions=versions,
        standings=standings,
        games=recent,
    )


@router.get("/tournaments", name="tournaments")
def show_tournaments(request: Request, database: Reader, page: str = "") -> Response:
    """List the tournaments, newest first."""
    with database.read() as session:
        listing = tournaments.list_tournaments(session, token=page)
    return render(request, "tournaments.html", section="tournaments", page=listing)


@router.get("/tournaments/{tournament_id}", name="tournament")
def show_tournament(request: Request, database: Reader, tournament_id: str) -> Response:
    """Show one tournament with its progress, its crosstable, and what its deals did."""
    with database.read() as session:
        groups = deals.list_deal_groups(session, tournament_id)
    measured = measure_deals(groups)
    return _tournament(request, database, tournament_id, "tournament.html", measured)


@router.get("/tournaments/{tournament_id}/live", name="tournament_live")
def show_tournament_progress(request: Request, database: Reader, tournament_id: str) -> Response:
    """Return the part of the tournament's page that changes while it is played."""
    return _tournament(request, database, tournament_id, "tournament_live.html")


def _tournament(
    request: Request,
    database: Database,
    tournament_id: str,
    template: str,
    measured: DealStatistics | None = None,
) -> Response:
    with database.read() as session:
        tournament = tournaments.get_tournament(session, tournament_id)
        grid = Grid.of(crosstable.get_crosstable(session, tournament_id))
        recent = games.list_games(session, tournament=tournament_id, limit=RECENT_GAMES).items
        failed = aborts.list_aborts(session, tournament_id, limit=SHOWN_ABORTS)
        obstacle = aborts.find_obstacle(session, tournament_id)
    return render(
        request,
        template,
        section="tournaments",
        tournament=tournament,
        is_finished=tournament.status is TournamentStatus.FINISHED,
        grid=grid,
        games=recent,
        aborts=failed,
        obstacle=obstacle,
        deals=measured,
    )


@router.get("/games", name="games")
def show_games(
    request: Request, database: Reader, tournament: str = "", bot: str = "", page: str = ""
) -> Response:
    """List games, the last recorded first."""
    with database.read() as session:
        listing = games.list_games(
            session, tournament=tournament or None, bot=bot or None, token=page
        )
    return render(
        request, "games.html", section="games", page=listing, tournament=tournament, bot=bot
    )
