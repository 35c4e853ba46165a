"""The covariance of the estimates, and what follows from it for bots and pairs of bots."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from ladder.fit.likelihood import Matrix
from ladder.fit.results import Floats

_BLOCK = 512
"""Rows of a large matrix that are worked on at a time."""


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

    def scores(self, strengths: Floats) -> Iterator[tuple[int, Floats]]:
        """Yield blocks of z = difference / standard error of each bot against all bots.

        With each comes the index of its first row. A bot against itself has 0.
        """
        size = len(strengths)
        variance = np.diagonal(self.matrix)[:size].astype(np.float64)
        for start in range(0, size, _BLOCK):
            rows = slice(start, min(start + _BLOCK, size))
            square = variance[rows, None] + variance - 2 * self.matrix[rows, :size]
            square *= self.dispersion
            difference = strengths[rows, None] - strengths
            with np.errstate(invalid="ignore", divide="ignore"):
                z = np.where(square > 0, difference / np.sqrt(square), 0)
            z[np.arange(rows.stop - start), np.arange(start, rows.stop)] = 0
            yield start, z


def superiority(z: npt.ArrayLike) -> Floats:
    """Return the likelihood of superiority for z = difference / standard error."""
    return np.asarray(ndtr(np.asarray(z, dtype=np.float64)))
