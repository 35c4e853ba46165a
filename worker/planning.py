"""Plan a round-robin: pairings, deal groups, lanes and chunks. Pure; nothing here reads or writes.

What a plan promises (the tests hold it to each point):

* every table of the given size meets, once per deal and rotation;
* within a deal group every bot sits in every seat exactly once;
* a lane keeps its seats and never holds two games of one deal, so a bot process that plays a whole
  lane never meets the same deal twice (design, decision 1);
* the plan depends on the tournament alone: it comes out the same on every machine and every time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from roundhouse.rules.chance import SEED_SIZE
from worker import identity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta

CHUNK_SECONDS = 60
"""Expected play in a chunk: short enough that a lost one costs little, long enough that the start
of the bots (about a third of a second) does not count."""
DECISIONS_PER_SEAT = 60
"""What a seat decides in a game of the house bots, second cards included: 50 to 66 were counted."""
USED_SHARE = 20
"""A bot is expected to use one twentieth of what its clock allows: most use far less, and one that
uses all of it only makes the chunk longer, since its lease is renewed as long as it is played."""
LEAST_GAME_SECONDS = 0.5
"""What refereeing a game costs, however little the clock allows."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """What of a tournament determines its plan.

    Raises `ValueError` with a sentence when no plan can be made of it.
    """

    id: str
    seed: bytes
    """Its secret seed, 32 bytes."""
    table_size: int
    """Seats at a table, 1 (`solo`) to 5."""
    deals: int
    """Deals per pairing, at least 1."""
    versions: tuple[str, ...]
    """The content hashes of the versions that take part, in any order."""
    bank: timedelta
    increment: timedelta

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_SIZE:
            raise ValueError(
                f"tournament {self.id}: the seed has {len(self.seed)} bytes, not {SEED_SIZE}"
            )
        if not 1 <= self.table_size <= 5:
            raise ValueError(
                f"tournament {self.id}: {self.table_size} seats at a table, not 1 to 5"
            )
        if self.deals < 1:
            raise ValueError(f"tournament {self.id}: {self.deals} deals per pairing; at least 1")
        if len(set(self.versions)) != len(self.versions):
            raise ValueError(f"tournament {self.id}: a version takes part twice")
        if len(self.versions) < self.table_size:
            raise ValueError(
                f"tournament {self.id}: {len(self.versions)} bots can't fill a table of "
                f"{self.table_size}"
            )


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game that is to be played."""

    game_id: str
    chunk_id: str
    pairing: int
    deal: int
    rotation: int
    seed: bytes
    """The seed of its deal, 32 bytes."""
    versions: tuple[str, ...]
    """Who sits where, in seat order."""


def plan(tournament: Tournament) -> list[PlannedGame]:
    """Return all games of the tournament, in the order in which they had best be played.

    The first chunk of every lane comes before the second of any, so that a crosstable fills evenly
    and the rotations of a deal end close together: their logs are closed until the last has ended.
    """
    tables = pairings(tournament)
    length = deals_per_chunk(tournament)
    return [
        game
        for chunk, first in enumerate(range(0, tournament.deals, length))
        for pairing, table in enumerate(tables)
        for rotation in range(tournament.table_size)
        for game in _chunk(
            tournament,
            pairing,
            rotate(table, rotation),
            rotation,
            chunk,
            range(first, min(first + length, tournament.deals)),
        )
    ]


def pairings(tournament: Tournament) -> list[tuple[str, ...]]:
    """Return every table that meets, in the seat order of rotation 0.

    Pairings are numbered over the sorted hashes, so the order in which a tournament happens to list
    its bots changes nothing.
    """
    tables = combinations(sorted(tournament.versions), tournament.table_size)
    return [
        identity.seat_table(tournament.seed, number, table) for number, table in enumerate(tables)
    ]


def rotate(table: tuple[str, ...], rotation: int) -> tuple[str, ...]:
    """Return the table with everybody moved `rotation` seats towards seat 0.

    >>> rotate(("a", "b", "c"), 1)
    ('b', 'c', 'a')
    """
    return table[rotation:] + table[:rotation]


def deals_per_chunk(tournament: Tournament) -> int:
    """Return how many deals of a lane are dispatched at a time, at least 1.

    It follows from the time control alone, because two workers that plan the same tournament must
    come to the same plan.
    """
    allowance = tournament.bank + DECISIONS_PER_SEAT * tournament.increment
    expected = tournament.table_size * allowance.total_seconds() / USED_SHARE
    return max(1, int(CHUNK_SECONDS / max(expected, LEAST_GAME_SECONDS)))


def _chunk(
    tournament: Tournament,
    pairing: int,
    seats: tuple[str, ...],
    rotation: int,
    chunk: int,
    deals: range,
) -> Iterator[PlannedGame]:
    chunk_id = identity.chunk_id(tournament.id, pairing, rotation, chunk)
    for deal in deals:
        yield PlannedGame(
            game_id=identity.game_id(tournament.seed, pairing, deal, rotation),
            chunk_id=chunk_id,
            pairing=pairing,
            deal=deal,
            rotation=rotation,
            seed=identity.deal_seed(tournament.seed, pairing, deal),
            versions=seats,
        )
