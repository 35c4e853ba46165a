"""Keeping the headline ratings up to date: all boards are fitted anew when games have come in.

A fit takes from milliseconds to most of a minute, so it has no place in the transaction that
records a game. A thread of `serve` looks every second, fits on a snapshot, and stores what it found
in a short transaction. Boards say up to which game they hold, and the same games always give the
same board: it does not matter who fits, how often, or whether two processes do.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime
from types import TracebackType
from typing import Self

import numpy as np

from ladder.fit import Board, fit_board
from ladder.store.database import Database
from ladder.store.fits import find_bot, is_playing, last_fitted, last_recorded, save_fit
from ladder.store.results import BoardGames, read_boards

_LOOK_SECONDS = 1.0
_PATIENCE_SECONDS = 60.0
"""How long the boards may lag behind while tournaments run."""
_SHARE = 10
"""Of this many seconds, at most one is spent on fits while tournaments run."""

_log = logging.getLogger(__name__)


def fit_boards(database: Database, anchor: str, now: Callable[[], datetime]) -> tuple[str, ...]:
    """Fit all boards on what is recorded by now; return their names."""
    with database.read() as session:
        recorded = last_recorded(session)
        number = find_bot(session, anchor)
        names = []
        for games in read_boards(session):
            board = _fit(games, number)
            names.append(games.name)
            with database.write() as writer:
                save_fit(writer, games, board, recorded, now())
    return tuple(names)


def _fit(games: BoardGames, anchor_number: int | None) -> Board:
    bots = games.bot_numbers
    anchor = None
    if anchor_number is not None and anchor_number in bots:
        anchor = int(np.searchsorted(bots, anchor_number))
    return fit_board(games.results(), len(bots), anchor=anchor)


class FitKeeper:
    """The thread that fits: at once when a tournament ends, and now and then while one runs."""

    def __init__(self, database: Database, anchor: str, now: Callable[[], datetime]) -> None:
        self._database = database
        self._anchor = anchor
        self._now = now
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fits", daemon=True)
        self._fitted = 0
        self._rest_until = 0.0

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop after the present look; a long fit is left behind, which stores all or nothing."""
        self._stop.set()
        self._thread.join(_LOOK_SECONDS)

    def _run(self) -> None:
        while not self._stop.wait(_LOOK_SECONDS):
            try:
                self.look(time.monotonic())
            except Exception:  # noqa: BLE001 - logged, and tried again
                # Nothing that can go wrong here may end the ladder; the next look tries again.
                _log.exception("The boards could not be fitted; the next attempt is in a minute.")
                self._rest_until = time.monotonic() + _PATIENCE_SECONDS

    def look(self, at: float) -> bool:
        """Fit if it is due at a time of the monotonic clock; return whether it was."""
        with self._database.read() as session:
            recorded = last_recorded(session)
            self._fitted = max(self._fitted, last_fitted(session))
            is_busy = is_playing(session)
        if recorded <= self._fitted or (is_busy and at < self._rest_until):
            return False
        began = time.monotonic()
        names = fit_boards(self._database, self._anchor, self._now)
        took = time.monotonic() - began
        self._fitted = max(self._fitted, recorded)
        self._rest_until = at + max(_PATIENCE_SECONDS, _SHARE * took)
        _log.info("%d boards fitted up to game %d in %.1f s.", len(names), recorded, took)
        return True
