"""Results as strict orderings, best first: what the Plackett-Luce likelihood is a sum over.

A game with ties is averaged over the orders of each tied set: it stands for every strict order that
agrees with its placements, in equal shares. For two seats that is the half-win. Equal orderings are
counted together, since a pool of ten bots has 90 different duels however many it plays; a matrix
remembers how much of each ordering came from which deal group.
"""

import itertools
import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ladder.fit.results import Floats, Ints, Results

Index = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Orderings:
    """Distinct orderings with weights. Positions come first: `bots[0]` holds all the winners."""

    bots: Ints
    """Positions by orderings."""
    seats: Ints
    """Positions by orderings: in which seat that bot sat."""
    weight: Floats
    """How many games show the ordering."""
    shares: sparse.csr_array = field(repr=False)
    """Orderings by deal groups: how much of the weight comes from each."""

    @property
    def size(self) -> int:
        """The number of seats."""
        return len(self.bots)

    def reweighted(self, groups: Floats) -> "Orderings":
        """Return the orderings with every deal group counted so many times."""
        return Orderings(self.bots, self.seats, self.shares @ groups, self.shares)


def expand(results: Results, groups: int) -> Orderings:
    """Expand results into distinct strict orderings. `groups` counts the deal groups of the fit."""
    seats, weight, game = _strict_orders(results.placements)
    bots = np.take_along_axis(results.bots[game], seats, axis=1)
    shown, counted = _distinct(bots, seats)
    shares = sparse.csr_array(
        sparse.coo_array((weight, (counted, results.groups[game])), shape=(len(shown), groups))
    )
    return Orderings(
        np.ascontiguousarray(bots[shown].T, dtype=np.int32),
        np.ascontiguousarray(seats[shown].T, dtype=np.int32),
        np.bincount(counted, weight, len(shown)).astype(np.float64),
        shares,
    )


def _strict_orders(placements: Ints) -> tuple[Ints, Floats, Index]:
    """Return the seats best first, the weight and the game of every strict order."""
    order = np.argsort(placements, axis=1, kind="stable").astype(np.int32)
    ranked = np.take_along_axis(placements, order, axis=1)
    is_tied = (np.diff(ranked, axis=1) == 0).any(axis=1)
    strict = np.flatnonzero(~is_tied)
    parts = [(order[strict], np.ones(len(strict)), strict)]
    for game in np.flatnonzero(is_tied):
        sets = [
            tuple(int(seat) for seat in order[game][ranked[game] == placement])
            for placement in np.unique(ranked[game])
        ]
        orders = np.array(
            [
                list(itertools.chain(*choice))
                for choice in itertools.product(*map(itertools.permutations, sets))
            ],
            dtype=np.int32,
        )
        share = 1 / math.prod(math.factorial(len(tied)) for tied in sets)
        parts.append((orders, np.full(len(orders), share), np.full(len(orders), game)))
    seats, weight, games = zip(*parts, strict=True)
    return np.concatenate(seats), np.concatenate(weight), np.concatenate(games)


def _distinct(bots: Ints, seats: Ints) -> tuple[Index, Index]:
    """Return where each distinct ordering is first seen, and which one every row is."""
    if not len(bots):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    width = bots.shape[1]
    base = (int(bots.max()) + 1) * width
    if base**width >= 2**63:  # so many bots that orderings hardly repeat
        every = np.arange(len(bots))
        return every, every
    key = np.zeros(len(bots), dtype=np.int64)
    for bot, seat in zip(bots.T, seats.T, strict=True):
        key = key * base + bot.astype(np.int64) * width + seat
    _, first, counted = np.unique(key, return_index=True, return_inverse=True)
    return first, counted
