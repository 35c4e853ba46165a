"""The crosstable of a tournament, summed by the database."""

from collections import defaultdict

from sqlalchemy import Integer, cast, func, select
from sqlalchemy.orm import Session, aliased

from ladder.domain.tournament import Crosstable, CrosstableCell
from ladder.models import BotRow, GameRow, SeatRow
from ladder.store.tournaments import find_row, tournament_value


def get_crosstable(session: Session, tournament_id: str) -> Crosstable:
    """Return the results so far, bot against bot, over all games in which both sat.

    Raises:
        NotFoundError: there is no such tournament.
    """
    tournament = find_row(session, tournament_id)
    own, other = aliased(SeatRow), aliased(SeatRow)
    bot, opponent = aliased(BotRow), aliased(BotRow)
    query = (
        select(
            bot.name,
            opponent.name,
            func.count(),
            func.sum(cast(own.placement < other.placement, Integer)),
            func.sum(cast(own.placement == other.placement, Integer)),
            func.sum(own.score - other.score),
        )
        .select_from(GameRow)
        .join(own, own.game_number == GameRow.number)
        .join(other, (other.game_number == GameRow.number) & (other.seat != own.seat))
        .join(bot, bot.number == own.bot_number)
        .join(opponent, opponent.number == other.bot_number)
        .where(GameRow.tournament_number == tournament.number, GameRow.recorded.is_not(None))
        .group_by(bot.name, opponent.name)
        .order_by(bot.name, opponent.name)
    )
    cells = tuple(
        CrosstableCell(
            name, against, games, wins, draws, games - wins - draws, (margin or 0) / games
        )
        for name, against, games, wins, draws, margin in session.execute(query)
    )
    names = [entrant.bot for entrant in tournament_value(session, tournament).entrants]
    shares = _shares(cells)
    return Crosstable(tuple(sorted(names, key=lambda name: (-shares[name], name))), cells)


def _shares(cells: tuple[CrosstableCell, ...]) -> defaultdict[str, float]:
    """Return each bot's share of the points; while games are missing, sums would mislead."""
    points: defaultdict[str, float] = defaultdict(float)
    meetings: defaultdict[str, int] = defaultdict(int)
    for cell in cells:
        points[cell.bot] += cell.wins + cell.draws / 2
        meetings[cell.bot] += cell.games
    return defaultdict(float, {name: points[name] / count for name, count in meetings.items()})
