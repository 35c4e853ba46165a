"""The plan of a tournament: what makes one whole, and what names it."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ladder.domain.game import PlannedGame
from ladder.domain.tournament import Tournament
from ladder.errors import InvalidError

_ID = re.compile(r"[a-z0-9-]{1,64}", re.ASCII)


def check_plan(tournament: Tournament, games: Sequence[PlannedGame]) -> None:
    """Check that a plan can be played, and that its deal groups are whole.

    A round-robin is not assumed: which tables meet is the planner's affair. What every later part
    relies on is: each deal is there in all its rotations, with one seed; a chunk holds games of one
    table in one seating; nobody plays who has not entered.

    Raises:
        InvalidError: it is not so; the sentence names the first game that is wrong.
    """
    if not games:
        raise InvalidError(f"The plan of tournament {tournament.id} has no games.")
    entrants = {entrant.version for entrant in tournament.entrants}
    for game in games:
        _check_game(tournament, entrants, game)
    if len({game.id for game in games}) < len(games):
        raise InvalidError("Two games of the plan have the same identity.")
    _check_groups(tournament, games)
    _check_chunks(games)


def plan_digest(games: Iterable[PlannedGame]) -> bytes:
    """Return what tells one plan from another: a SHA-256 over all of it, in order."""
    digest = hashlib.sha256()
    for game in games:
        digest.update(
            f"{game.id} {game.chunk} {game.pairing} {game.deal} {game.rotation} "
            f"{game.seed.hex()} {','.join(game.versions)}\n".encode()
        )
    return digest.digest()


def _check_game(tournament: Tournament, entrants: set[str], game: PlannedGame) -> None:
    for text in (game.id, game.chunk):
        if not _ID.fullmatch(text):
            raise InvalidError(
                f"{text!r} cannot name a game or a chunk; use up to 64 of a-z, 0-9 and hyphen."
            )
    if not game.chunk.startswith(f"{tournament.id}-"):
        raise InvalidError(
            f"The chunk {game.chunk!r} must start with its tournament, {tournament.id!r}."
        )
    if len(game.seed) != 32:
        raise InvalidError(f"The seed of game {game.id} has {len(game.seed)} bytes; it needs 32.")
    if len(game.versions) != tournament.table_size:
        raise InvalidError(
            f"Game {game.id} has {len(game.versions)} seats, but the tables of tournament "
            f"{tournament.id} have {tournament.table_size}."
        )
    if len(set(game.versions)) < len(game.versions):
        raise InvalidError(f"A version sits in two seats of game {game.id}.")
    strangers = sorted(set(game.versions) - entrants)
    if strangers:
        raise InvalidError(
            f"The version {strangers[0]!r} of game {game.id} has not entered {tournament.id}."
        )


def _check_groups(tournament: Tournament, games: Sequence[PlannedGame]) -> None:
    groups: defaultdict[tuple[int, int], list[PlannedGame]] = defaultdict(list)
    for game in games:
        groups[game.pairing, game.deal].append(game)
    rotations = list(range(tournament.table_size))
    for (pairing, deal), group in groups.items():
        place = f"Deal {deal} of pairing {pairing}"
        if sorted(game.rotation for game in group) != rotations:
            raise InvalidError(f"{place} is not planned once in each of its rotations.")
        if len({game.seed for game in group}) > 1:
            raise InvalidError(f"{place} has more than one seed.")
        if len({frozenset(game.versions) for game in group}) > 1:
            raise InvalidError(f"{place} is not played by the same bots in all its rotations.")


def _check_chunks(games: Sequence[PlannedGame]) -> None:
    seatings: dict[str, tuple[int, int, tuple[str, ...]]] = {}
    for game in games:
        seating = (game.pairing, game.rotation, game.versions)
        if seatings.setdefault(game.chunk, seating) != seating:
            raise InvalidError(f"The chunk {game.chunk} holds games of more than one seating.")
