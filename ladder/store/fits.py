"""The last fit of each board: stored, and read."""

import json
from datetime import datetime

import numpy as np
from scipy.special import ndtr
from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from ladder.domain.leaderboard import FitSummary, FittedSeat
from ladder.domain.tournament import TournamentStatus
from ladder.fit import ELO_PER_LOGIT, Board
from ladder.models import BotRow, FitBotRow, FitRow, RecordingOrderRow, TournamentRow
from ladder.store.line import stand_in_line
from ladder.store.results import BoardGames

PAIRS = 500
"""Up to so many bots a board keeps its covariance, half a megabyte, from which pairs are read."""


def last_recorded(session: Session) -> int:
    """Return how many games are recorded."""
    return session.scalars(select(RecordingOrderRow.last)).one()


def last_fitted(session: Session) -> int:
    """Return up to which game of the recording order the boards are fitted; 0 for none."""
    return session.scalar(select(func.max(FitRow.recorded))) or 0


def is_playing(session: Session) -> bool:
    """Return whether games of some tournament are being played."""
    query = select(TournamentRow.number).where(TournamentRow.status == TournamentStatus.RUNNING)
    return session.scalar(query.limit(1)) is not None


def find_bot(session: Session, name: str) -> int | None:
    """Return the number of a bot, or None where it was never submitted."""
    return session.scalar(select(BotRow.number).where(BotRow.name == name))


def list_boards(session: Session) -> tuple[str, ...]:
    """List the boards that have been fitted, by name."""
    return tuple(session.scalars(select(FitRow.board).order_by(FitRow.board)))


def save_fit(
    session: Session, games: BoardGames, board: Board, recorded: int, now: datetime
) -> None:
    """Put a fit in the place of the board's last one, unless that is of later games."""
    stand_in_line(session)
    last = session.scalar(select(FitRow.recorded).where(FitRow.board == games.name))
    if last is not None and last > recorded:
        return
    session.execute(delete(FitBotRow).where(FitBotRow.board == games.name))
    session.execute(delete(FitRow).where(FitRow.board == games.name))
    numbers = games.bot_numbers
    wanted = select(BotRow.number, BotRow.name).where(BotRow.number.in_(numbers.tolist()))
    names = {number: name for number, name in session.execute(wanted)}  # noqa: C416 - rows are typed
    session.add(
        FitRow(
            board=games.name,
            recorded=recorded,
            games=games.games,
            deal_groups=board.deal_groups,
            anchor=None if board.anchor is None else names[int(numbers[board.anchor])],
            dispersion=board.dispersion,
            seat_terms=json.dumps(
                [(one.table, one.seat, one.elo, one.standard_error) for one in board.seat_terms]
            ),
            doubtful=json.dumps(
                sorted(names[int(numbers[index])] for index in board.check.doubtful)
            ),
            checked=len(board.check.bots),
            covariance=_pack(board) if len(numbers) <= PAIRS else None,
            fitted_at=now,
        )
    )
    session.flush()
    session.execute(insert(FitBotRow), _bot_rows(games, board))


def get_fit(session: Session, board: str) -> FitSummary | None:
    """Return what is to be said of a board's fit, or None while it has none."""
    row = session.get(FitRow, board)
    if row is None:
        return None
    return FitSummary(
        recorded=row.recorded,
        games=row.games,
        deal_groups=row.deal_groups,
        anchor=row.anchor,
        dispersion=row.dispersion,
        seats=tuple(FittedSeat(*values) for values in json.loads(row.seat_terms)),
        checked=row.checked,
        doubtful=tuple(json.loads(row.doubtful)),
        fitted_at=row.fitted_at,
    )


def list_superiorities(
    session: Session, board: str, positions: range
) -> tuple[tuple[str, ...], tuple[tuple[float, ...], ...]]:
    """Return bots of a board by their positions, and the likelihood of each over each other.

    Without a covariance, which boards of more than `PAIRS` bots do not keep, nothing is returned.
    """
    fit = session.get(FitRow, board)
    if fit is None or fit.covariance is None:
        return (), ()
    rows = session.execute(
        select(FitBotRow.position, BotRow.name, FitBotRow.elo)
        .join(BotRow, BotRow.number == FitBotRow.bot_number)
        .where(
            FitBotRow.board == board,
            FitBotRow.position >= positions.start,
            FitBotRow.position < positions.stop,
        )
        .order_by(FitBotRow.position)
    ).all()
    chosen = np.array([position for position, _, _ in rows], dtype=np.int64)
    covariance = _unpack(fit.covariance)[np.ix_(chosen, chosen)]
    elo = np.array([elo for _, _, elo in rows])
    own = np.diagonal(covariance)
    variance = np.maximum(own[:, None] + own - 2 * covariance, 1e-12)
    chances = ndtr((elo[:, None] - elo) / np.sqrt(variance))
    return tuple(name for _, name, _ in rows), tuple(map(tuple, chances.tolist()))


def _pack(board: Board) -> bytes:
    """Return the lower triangle of the covariance in Elo^2, in the order of the board."""
    order = board.ranking.order
    scale = board.covariance.dispersion * ELO_PER_LOGIT**2
    matrix = board.covariance.matrix[np.ix_(order, order)] * scale
    return matrix[np.tril_indices(len(order))].astype("<f4").tobytes()


def _unpack(data: bytes) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    values = np.frombuffer(data, dtype="<f4").astype(np.float64)
    size = int((2 * len(values) + 0.25) ** 0.5)
    matrix = np.zeros((size, size))
    matrix[np.tril_indices(size)] = values
    return matrix + np.tril(matrix, -1).T


def _bot_rows(games: BoardGames, board: Board) -> list[dict[str, object]]:
    numbers = games.bot_numbers
    wins, draws, scores = (np.zeros(len(numbers), dtype=np.int64) for _ in range(3))
    for table in games.tables:
        bots = np.searchsorted(numbers, table.bots)
        is_first = table.placements == 1
        is_shared = is_first.sum(axis=1, keepdims=True) > 1
        np.add.at(wins, bots[is_first & ~is_shared], 1)
        np.add.at(draws, bots[is_first & is_shared], 1)
        np.add.at(scores, bots, table.scores)
    order = board.ranking.order.tolist()
    return [
        {
            "board": games.name,
            "bot_number": int(numbers[bot]),
            "position": position,
            "rank": int(board.ranking.rank[bot]),
            "best_rank": int(board.ranking.best[bot]),
            "worst_rank": int(board.ranking.worst[bot]),
            "elo": float(board.elo[bot]),
            "margin": float(board.margin[bot]),
            "mean_margin": float(board.mean_margin[bot]),
            "superiority": board.superiority(bot, following) if following is not None else None,
            "is_provisional": bool(board.is_provisional[bot]),
            "deal_groups": int(board.groups[bot]),
            "games": int(board.games[bot]),
            "wins": int(wins[bot]),
            "draws": int(draws[bot]),
            "score_sum": int(scores[bot]),
        }
        for position, (bot, following) in enumerate(zip(order, [*order[1:], None], strict=True))
    ]
