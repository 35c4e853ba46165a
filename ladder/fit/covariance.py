"""The covariance of the estimates, and what follows from it for bots and pairs of bots."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from ladder.fit.likelihood import Matrix
from ladder.fit.results import Flags, Floats

_BLOCK = 64
"""Rows of a large matrix that are worked on at a time: they fit into a cache."""


@dataclass(frozen=True, slots=True)
class Covariance:
    """The inverse of the information, the strengths of the bots first, and what it is times."""

    matrix: Matrix
    dispersion: float = 1.0
    """Of the bots: by how much the deal groups vary more than independent games would."""

    def against(self, weights: Floats) -> Floats:
        """Return the variance of each strength less a weighted mean of all.

        All weight on one bot: against the anchor. The same weight on all: against the pool's mean.
        """
        size = len(weights)
        strengths = self.matrix[:size, :size]
        common = (strengths @ weights.astype(strengths.dtype)).astype(np.float64)
        variance = np.diagonal(strengths).astype(np.float64) - 2 * common + weights @ common
        return np.maximum(variance, 0) * self.dispersion

    def difference(self, one: int, other: int) -> float:
        """Return the variance of the difference of two parameters."""
        v = self.matrix
        variance = float(v[one, one]) + float(v[other, other]) - 2 * float(v[one, other])
        return max(variance, 0.0) * self.dispersion

    def sure(self, strengths: Floats, z: float) -> Iterator[tuple[slice, Flags, Flags]]:
        """Yield who is surely stronger and who is surely weaker than each of a block of bots.

        Surely is by more than `z` standard errors of the difference. The slice says which bots the
        rows are; columns are all bots. It is computed in the precision of the matrix.
        """
        size, kind = len(strengths), self.matrix.dtype
        scale = kind.type(self.dispersion * z**2)
        variance, level = np.diagonal(self.matrix)[:size], strengths.astype(kind)
        for start in range(0, size, _BLOCK):
            rows = slice(start, min(start + _BLOCK, size))
            square = self.matrix[rows, :size] * kind.type(-2)
            square += variance
            square += variance[rows, None]
            square *= scale
            np.maximum(square, 0, out=square)
            difference = level - level[rows, None]
            difference *= np.abs(difference)
            yield rows, difference > square, -difference > square


def superiority(z: npt.ArrayLike) -> Floats:
    """Return the likelihood of superiority for z = difference / standard error."""
    return np.asarray(ndtr(np.asarray(z, dtype=np.float64)))
