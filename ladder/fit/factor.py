"""The Cholesky factor of an information matrix: steps of Newton from it, and the covariance."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack

from ladder.fit.likelihood import Matrix
from ladder.fit.results import Floats

_BLOCK = 1024
_FEW = 128
"""Up to this size the threads that OpenBLAS starts for an inverse cost 100 times its work."""


class FitError(ValueError):
    """The results have no estimate."""


class Factor:
    """A positive definite matrix, factored where it lies: a large one is never copied.

    Double precision for small pools, single for large ones, where the matrix of 10,000 bots has
    400 MB. Rounding of 1e-4 does not matter in a standard error, and Newton's steps correct their
    own mistakes.
    """

    def __init__(self, matrix: Matrix) -> None:
        """Take the lower triangle of a matrix that nobody else uses any more.

        Raises:
            FitError: it is not positive definite.
        """
        self._potrf, self._potrs, self._potri = (
            (lapack.dpotrf, lapack.dpotrs, lapack.dpotri)
            if matrix.dtype == np.float64
            else (lapack.spotrf, lapack.spotrs, lapack.spotri)
        )
        diagonal = np.diagonal(matrix).copy()
        # The lower triangle by rows is the upper one by columns, which is LAPACK's order.
        self._upper, failure = self._potrf(matrix.T, lower=0, overwrite_a=1, clean=0)
        # What is singular may pass by the grace of rounding, with a pivot out of nothing but it.
        least = 1e-10 if matrix.dtype == np.float64 else 1e-5
        if failure or (np.diagonal(self._upper) ** 2 < least * diagonal).any():
            raise FitError(
                "The results leave some rating open: bots that never met, directly or through "
                "others, can only be compared with a prior."
            )

    def solve(self, vector: Floats) -> Floats:
        """Return the inverse times a vector."""
        padded = np.append(vector, 0.0).astype(self._upper.dtype)
        solution, _ = self._potrs(self._upper, padded, lower=0)
        return np.asarray(solution[:-1], dtype=np.float64)

    def invert(self) -> npt.NDArray[np.floating[Any]]:
        """Return the inverse, whole, in the place of the factor, which cannot be used afterwards.

        The last row and column, which belong to no parameter, are left out.
        """
        if len(self._upper) <= _FEW:
            inverse, _ = self._potrs(self._upper, np.eye(len(self._upper)), lower=0)
            return np.asarray(inverse[:-1, :-1])
        upper, _ = self._potri(self._upper, lower=0, overwrite_c=1)
        for start in range(0, len(upper), _BLOCK):
            stop = start + _BLOCK
            diagonal = upper[start:stop, start:stop]
            diagonal[:] = np.triu(diagonal) + np.triu(diagonal, 1).T
            upper[stop:, start:stop] = upper[start:stop, stop:].T
        return np.asarray(upper[:-1, :-1].T)  # the same, with rows that lie in one piece
