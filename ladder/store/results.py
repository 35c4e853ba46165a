"""The rated games as arrays, for fits."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from sqlalchemy import Executable, select
from sqlalchemy.orm import Session

from ladder.domain.board import JOINT, boards_of
from ladder.fit import Results
from ladder.fit.orderings import Index
from ladder.models import GameRow, SeatRow

_BATCH = 50_000
_COLUMNS = 5
"""Of a row: deal group, seat, bot, placement, score."""


@dataclass(frozen=True, slots=True)
class SizedGames:
    """The rated games of an edition at tables of one size: arrays of games by seats."""

    edition: str
    bots: npt.NDArray[np.int64]
    placements: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]
    """The number of the deal group, by game."""

    @property
    def size(self) -> int:
        """The number of seats."""
        return int(self.bots.shape[1])


@dataclass(frozen=True, slots=True)
class BoardGames:
    """What a board is fitted from."""

    name: str
    tables: tuple[SizedGames, ...]

    @property
    def bot_numbers(self) -> npt.NDArray[np.int64]:
        """The bots that have played, in ascending order: indices of the fit are places in it."""
        return np.unique(np.concatenate([table.bots.ravel() for table in self.tables]))

    @property
    def games(self) -> int:
        """How many there are."""
        return sum(len(table.bots) for table in self.tables)

    def results(self) -> tuple[Results, ...]:
        """Return the games with indices in place of numbers."""
        bots = self.bot_numbers
        groups = np.unique(np.concatenate([table.groups for table in self.tables]))
        return tuple(
            Results.of(
                f"{table.edition}/{table.size}",
                np.searchsorted(bots, table.bots),
                table.placements,
                np.searchsorted(groups, table.groups),
            )
            for table in self.tables
        )


def read_boards(session: Session) -> Iterator[BoardGames]:
    """Yield the games of every board that has any; the joint one comes last."""
    pools = session.scalars(
        select(GameRow.pool).where(GameRow.pool.is_not(None)).distinct().order_by(GameRow.pool)
    ).all()
    by_edition: dict[str, list[SizedGames]] = {}
    for pool in pools:
        assert pool is not None  # by the condition above
        edition, _, _ = pool.partition("/")
        by_edition.setdefault(edition, []).extend(_read_pool(session, pool, edition))
    for edition, tables in by_edition.items():
        for name, sizes in boards_of(edition, {table.size for table in tables}).items():
            yield BoardGames(name, tuple(table for table in tables if table.size in sizes))
    everything = tuple(table for tables in by_edition.values() for table in tables)
    if everything:
        yield BoardGames(JOINT, everything)


def _read_pool(session: Session, pool: str, edition: str) -> Iterator[SizedGames]:
    query = (
        select(
            GameRow.deal_group_number,
            SeatRow.seat,
            SeatRow.bot_number,
            SeatRow.placement,
            SeatRow.score,
        )
        .join(SeatRow, SeatRow.game_number == GameRow.number)
        .where(GameRow.pool == pool)
        .order_by(GameRow.number, SeatRow.seat)
        .execution_options(yield_per=_BATCH)
    )
    rows = np.concatenate([*_read_rows(session, query), np.zeros((0, _COLUMNS), dtype=np.int64)])
    seats = np.diff(np.append(np.flatnonzero(rows[:, 1] == 0), len(rows)))
    sizes = np.repeat(seats, seats)
    for size in np.unique(seats):
        games = rows[sizes == size].reshape(-1, int(size), _COLUMNS)
        yield SizedGames(edition, games[:, :, 2], games[:, :, 3], games[:, :, 4], games[:, 0, 0])


def _read_rows(session: Session, query: Executable) -> Iterator[Index]:
    """Yield the rows of a query in arrays, past the mapping and value by value.

    A million games are millions of rows, and `np.array` of rows takes four times as long.
    """
    for part in session.connection().execute(query).partitions():
        values = np.fromiter(chain.from_iterable(part), np.int64, len(part) * _COLUMNS)
        yield values.reshape(-1, _COLUMNS)
