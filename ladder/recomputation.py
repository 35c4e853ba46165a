"""The live Elo computed a second time, from the logs alone, and compared with what is stored.

A rebuild out of the tables would repeat what the tables say. Here every log is read again, in
recording order: edition, bots, placements and forfeits come from it, and only three things from the
tables: the order, whether the tournament was rated, and the names of the bots.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from ladder.domain.game import GameResult
from ladder.errors import InvalidError, LadderError
from ladder.gamelog import read_result
from ladder.ratings import START, Standing, pool_of, rating_changes
from ladder.store.elo import rebuild_ratings
from ladder.store.line import stand_in_line
from ladder.store.recorded import RecordedGame, StoredChange, list_ratings, read_recorded
from roundhouse.errors import RoundhouseError


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came out."""

    games: int
    """Logs that were read, up to the first difference."""
    rated: int
    difference: str | None
    """A sentence about the first one."""
    is_mendable: bool
    """Whether the ratings alone are wrong; if logs and games differ, people have to look."""


class _Difference(Exception):  # noqa: N818 - it is a finding and not an error
    def __init__(self, sentence: str, *, is_mendable: bool) -> None:
        super().__init__(sentence)
        self.is_mendable = is_mendable


@dataclass(slots=True)
class _Account:
    """A bot in a pool, so far."""

    rating: int = START
    games: int = 0


def compare_with_logs(session: Session, *, is_replayed: bool) -> Comparison:
    """Compare every change and every final rating with what the logs give.

    With `is_replayed`, each log is also verified by playing its game again.
    """
    accounts: dict[tuple[str, str], _Account] = {}
    games = rated = 0
    try:
        for game in read_recorded(session):
            result = _read(game, is_replayed=is_replayed)
            _require_same_seats(game, result)
            pool = _pool(game, result)
            if pool is not None:
                _require_same_changes(game, _rate(accounts, pool, result))
                rated += 1
            games += 1
        _require_same_ratings(session, accounts)
    except _Difference as difference:
        return Comparison(games, rated, str(difference), difference.is_mendable)
    return Comparison(games, rated, None, is_mendable=True)


def mend(session: Session, *, is_replayed: bool) -> Comparison:
    """Store what the logs give where that alone is wrong; return what was found before.

    A store that works from the tables writes, and the logs judge once more what it wrote: so every
    log has been read to its end, and agrees with the tables, before anything is kept. The caller's
    transaction holds the line, so that no game is recorded meanwhile.

    Raises:
        LadderError: a later log contradicts the tables, and nothing may be kept.
    """
    stand_in_line(session)
    found = compare_with_logs(session, is_replayed=is_replayed)
    if found.difference is not None and found.is_mendable:
        rebuild_ratings(session)
        after = compare_with_logs(session, is_replayed=is_replayed)
        if after.difference is not None:
            raise LadderError(f"Nothing was changed. {after.difference}")
    return found


def _read(game: RecordedGame, *, is_replayed: bool) -> GameResult:
    try:
        return read_result(game.log, is_verified=is_replayed)
    except (RoundhouseError, InvalidError) as error:
        raise _Difference(
            f"The log of game {game.id} cannot be read any more: {error}", is_mendable=False
        ) from error


def _require_same_seats(game: RecordedGame, result: GameResult) -> None:
    found = tuple(
        (bot, seat.placement, seat.score)
        for bot, seat in zip(result.bots, result.seats, strict=True)
    )
    if result.game_id != game.id:
        raise _Difference(
            f"The log of game {game.id} is that of game {result.game_id}.", is_mendable=False
        )
    for seat, (stored, logged) in enumerate(zip(game.seats, found, strict=True)):
        if stored != logged:
            raise _Difference(
                f"Seat {seat} of game {game.id} (bot, placement, score) is stored as {stored}, "
                f"but its log has {logged}.",
                is_mendable=False,
            )


def _pool(game: RecordedGame, result: GameResult) -> str | None:
    is_rated = game.is_tournament_rated and result.is_isolated
    pool = pool_of(result.edition, len(result.seats)) if is_rated else None
    if pool != game.pool:
        raise _Difference(
            f"Game {game.id} is stored as rated in {game.pool or 'no pool'}, but its log says "
            f"{pool or 'no pool'}.",
            is_mendable=False,
        )
    return pool


def _rate(
    accounts: dict[tuple[str, str], _Account], pool: str, result: GameResult
) -> Iterator[StoredChange]:
    table = [accounts.setdefault((pool, bot), _Account()) for bot in result.bots]
    changes = rating_changes(
        [
            Standing(account.rating, account.games, seat.placement)
            for account, seat in zip(table, result.seats, strict=True)
        ]
    )
    for account, change in zip(table, changes, strict=True):
        yield StoredChange(account.games, account.rating, account.rating + change)
        account.rating += change
        account.games += 1


def _require_same_changes(game: RecordedGame, computed: Iterator[StoredChange]) -> None:
    changes: Sequence[StoredChange | None] = [*game.changes]
    for seat, wanted in enumerate(list(computed)):
        stored = changes[seat] if seat < len(changes) else None
        if stored != wanted:
            raise _Difference(
                f"Seat {seat} of game {game.id} (games before, units before, units after) is "
                f"stored as {_shown(stored)}, but the logs give {_shown(wanted)}.",
                is_mendable=True,
            )


def _shown(change: StoredChange | None) -> str:
    if change is None:
        return "nothing"
    return f"({change.games_before}, {change.before}, {change.after})"


def _require_same_ratings(session: Session, accounts: dict[tuple[str, str], _Account]) -> None:
    stored = list_ratings(session)
    computed = {key: (account.rating, account.games) for key, account in accounts.items()}
    for key in sorted(stored.keys() | computed.keys()):
        if stored.get(key) != computed.get(key):
            pool, bot = key
            raise _Difference(
                f"The rating of {bot} in {pool} (units, games) is stored as "
                f"{stored.get(key, 'nothing')}, but the logs give {computed.get(key, 'nothing')}.",
                is_mendable=True,
            )
