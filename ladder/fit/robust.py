"""Deal groups as the unit: how much they vary, and standard errors that assume nothing else.

The games of a deal group share the cards, so they are not independent, and the Fisher information,
which takes them to be, is off by what they share. The scores of whole groups show by how much:

* the **dispersion** is tr(V M) / tr(V J) over all bots, with V the inverse information, J the
  information of the games and M the sum over the groups of score times score: 1 when games are
  independent, less when rotations cancel the luck of a deal, more when they add it up. One number
  for a board is estimated well, also where a bot has few groups (McCullagh and Nelder 1989, 4.5);
* the **sandwich** V M V (Liang and Zeger 1986) does so for each bot by itself, which needs many
  groups of it, and is what the first is checked against.

Both are corrected for what the fit has taken out of the residuals: with p parameters from K
comparisons, a share p/K of the variation.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ladder.fit.likelihood import Matrix
from ladder.fit.orderings import Index
from ladder.fit.posterior import Posterior
from ladder.fit.results import Flags, Floats

_FAITH = 10
"""Upsets that the assumption of independence is worth: a handful of groups proves nothing."""
_UPSETS = 5
"""Games that always end as expected do not vary at all, which says nothing about luck: a bot that
was never in doubt is left out, and keeps the interval that the model gives it."""
_ROWS = 1024
"""Parameters that are worked on at a time where all of them would take a gigabyte."""
_FEW = 8
"""Contrasts that are worked on at a time: each has a number for every deal group."""
_USABLE = 0.8
"""Where more than this share of the variation is taken out by the fit, nothing is left to see."""


@dataclass(frozen=True, slots=True)
class GroupScores:
    """The scores of the deal groups at the estimate."""

    by_group: sparse.csr_array
    """Parameters by groups."""
    meat: sparse.csr_array
    """Parameters by parameters: the sum over the groups of score times score."""
    comparisons: int
    """K: a group of n bots tells n - 1 things."""

    @classmethod
    def of(cls, posterior: Posterior, x: Floats) -> "GroupScores":
        """Compute them at `x`."""
        by_group = sum(
            (term.group_scores(x) for term in posterior.terms),
            start=sparse.csr_array((posterior.parameters, posterior.groups)),
        )
        comparisons = sum(term.comparisons for term in posterior.terms)
        return cls(by_group, sparse.csr_array(by_group @ by_group.T), comparisons)

    @property
    def groups(self) -> int:
        """How many deal groups there are."""
        return int(self.by_group.shape[1])

    def groups_of(self, bots: int) -> Index:
        """Return in how many deal groups each bot sat."""
        return np.asarray(np.diff(self.by_group.indptr)[:bots], dtype=np.int64)

    def is_judged(self, posterior: Posterior, x: Floats, groups: int) -> Flags:
        """Return whose own sandwich can be trusted: bots with so many groups, not all foregone."""
        told = _told(posterior, x)[: posterior.bots]
        return np.asarray((self.groups_of(posterior.bots) >= groups) & (told >= groups / 4))

    def dispersions(self, posterior: Posterior, x: Floats, inverse: Matrix) -> tuple[float, float]:
        """Estimate the dispersion of bots and that of seats; close to 1 while little was in doubt.

        In a group, bots change seats and seats do not, so that the luck of a deal cancels for the
        ones and adds up for the others.
        """
        fitted = _fitted(posterior, x, inverse)
        told, expected = _told(posterior, x), _expected(posterior, x, inverse)
        bots, seats = (
            self._dispersion(inverse, block, fitted, told[block], expected[block])
            for block in (slice(0, posterior.bots), slice(posterior.bots, posterior.parameters))
        )
        return bots, seats

    def _dispersion(
        self, inverse: Matrix, block: slice, fitted: float, told: Floats, expected: Floats
    ) -> float:
        counted = told >= _UPSETS
        if fitted >= _USABLE * self.comparisons or not counted.any():
            return 1.0
        seen = self._across(inverse, block)[counted].sum()
        ratio = float(seen / (expected[counted].sum() * (1 - fitted / self.comparisons)))
        weight = float(told[counted].sum()) / 2  # each upset is one of two bots
        return (_FAITH + weight * ratio) / (_FAITH + weight)

    def _across(self, inverse: Matrix, block: slice) -> Floats:
        """Return the diagonal of V M over a block of parameters."""
        start, stop, _ = block.indices(self.meat.shape[0])
        diagonal = np.zeros(stop - start)
        for first in range(start, stop, _ROWS):
            rows = slice(first, min(first + _ROWS, stop))
            meat = self.meat[rows].tocoo()
            inside = (meat.col >= start) & (meat.col < stop)
            row, column = meat.row[inside], meat.col[inside]
            products = inverse[rows][row, column] * meat.data[inside]
            diagonal[first - start : rows.stop - start] = np.bincount(
                row, products, rows.stop - first
            )
        return diagonal

    def sandwich(
        self, posterior: Posterior, x: Floats, inverse: Matrix, contrasts: Floats
    ) -> Floats:
        """Return the cluster-robust variance of each contrast, given as rows of parameters."""
        # In the precision of the inverse: a large one must not be copied into a wider one.
        bread = (contrasts.astype(inverse.dtype) @ inverse).astype(np.float64)
        variance = np.zeros(len(contrasts))
        by_parameter = self.by_group.T.tocsr()
        for start in range(0, len(contrasts), _FEW):
            some = slice(start, start + _FEW)
            variance[some] = ((by_parameter @ bread[some].T) ** 2).sum(axis=0)
        lost = min(_fitted(posterior, x, inverse) / max(self.comparisons, 1), _USABLE)
        return variance / (1 - lost)


def _fitted(posterior: Posterior, x: Floats, inverse: Matrix) -> float:
    """Return tr(V J): how many parameters the games, and not the prior, have fixed."""
    held = posterior.prior.information(x) @ np.diagonal(inverse).astype(np.float64)
    free = posterior.parameters - (1 if posterior.is_centred else 0)
    return max(float(free - held), 0.0)


def _told(posterior: Posterior, x: Floats) -> Floats:
    """Return what the games by themselves tell about each parameter, in upsets to be expected."""
    return np.asarray(posterior.diagonal(x) - posterior.prior.information(x))


def _expected(posterior: Posterior, x: Floats, inverse: Matrix) -> Floats:
    """Return the diagonals of V J over the bots and over the seats, each block by itself.

    V times the information is one, so that of a row of V J only the seat terms, which are few, and
    the prior, which is diagonal, have to be computed.
    """
    bots, size = posterior.bots, posterior.parameters
    product, prior = posterior.product(x), posterior.prior.information(x)
    diagonal = np.zeros(size)
    for seat in range(bots, size):
        unit = np.zeros(size)
        unit[seat] = 1
        column = product(unit) - prior * unit
        diagonal[:bots] -= inverse[:bots, seat].astype(np.float64) * column[:bots]
        diagonal[seat] = inverse[seat, bots:].astype(np.float64) @ column[bots:]
    diagonal[:bots] += 1 - posterior.is_centred / max(bots, 1)
    diagonal[:bots] -= prior[:bots] * np.diagonal(inverse)[:bots].astype(np.float64)
    return diagonal
