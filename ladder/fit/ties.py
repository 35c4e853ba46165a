"""Ties as outcomes of their own: the model of Davidson (1970) for duels.

    P(first wins) : P(second wins) : P(tie)  =  e_1 : e_2 : nu sqrt(e_1 e_2)

with e = exp(strength of the bot + term of its seat) and log nu a parameter of the kind of table. It
is for games that tie often, and is what other people's published fits of such games are compared
with. The boards do without it: after the official tie-breaks hardly a game is tied, and a half-win
needs no parameter and means the same at every table size.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import logsumexp

from ladder.fit.likelihood import Matrix
from ladder.fit.results import Floats, Results


class Ties(StrEnum):
    """Say what a tie is."""

    SHARED = "shared"
    """Every order that agrees with it, in equal shares: two half-wins in a duel."""
    DAVIDSON = "davidson"
    """An outcome with a chance of its own; tables of two only."""


@dataclass(frozen=True, slots=True)
class TiedDuels:
    """The duels of one kind of table, each a choice among three outcomes.

    Rows are outcomes: all first wins, then all second wins, then all ties.
    """

    design: sparse.csr_array = field(repr=False)
    """Rows by parameters: the logarithm of what an outcome weighs, as a linear function."""
    shares: sparse.csr_array = field(repr=False)
    """Rows by deal groups: 1 where the outcome came."""
    weight: Floats
    """By row: how many games ended so."""

    @classmethod
    def of(
        cls, results: Results, groups: int, seat: int | None, tie: int, parameters: int
    ) -> "TiedDuels":
        """Bind games to parameters: that of the second seat, if there is one, and log nu.

        Raises:
            ValueError: the games are no duels.
        """
        if results.seats != 2:
            raise ValueError(
                f"{results.name} has {results.seats} seats, and Davidson's ties are those of two."
            )
        games = results.games
        first, second = (_ones(results.bots[:, side], parameters) for side in (0, 1))
        if seat is not None:
            second = second + _ones(np.full(games, seat), parameters)
        tied = (first + second) / 2 + _ones(np.full(games, tie), parameters)
        ahead = np.sign(results.placements[:, 1] - results.placements[:, 0])
        outcome = np.select([ahead > 0, ahead < 0], [0, 1], 2)
        row = outcome * games + np.arange(games)
        shares = sparse.coo_array((np.ones(games), (row, results.groups)), (3 * games, groups))
        weight = np.bincount(row, minlength=3 * games)
        design = sparse.csr_array(sparse.vstack([first, second, tied]))
        return cls(design, sparse.csr_array(shares), weight.astype(np.float64))

    @property
    def rows(self) -> int:
        """How many outcomes the sums run over."""
        return len(self.weight)

    @property
    def comparisons(self) -> int:
        """What the deal groups tell: each orders two bots."""
        return int(np.unique(self.shares.indices).size)

    def with_weights(self, groups: Floats) -> "TiedDuels":
        """Return the duels with every deal group counted so many times."""
        return TiedDuels(self.design, self.shares, self.shares @ groups)

    def value(self, parameters: Floats) -> float:
        """Return the log-likelihood."""
        utility = (self.design @ parameters).reshape(3, -1)
        return float(self.weight @ (utility - logsumexp(utility, axis=0)).ravel())

    def gradient(self, parameters: Floats) -> Floats:
        """Return the gradient by parameter."""
        scores, _ = self._scores(parameters)
        return np.asarray(scores.T @ self.weight)

    def group_scores(self, parameters: Floats) -> sparse.csr_array:
        """Return the gradient by parameter and deal group."""
        scores, _ = self._scores(parameters)
        return sparse.csr_array(scores.T @ self.shares)

    def product(self, parameters: Floats) -> Callable[[Floats], Floats]:
        """Return the function that multiplies a vector by the information, without a matrix."""
        scores, expected = self._scores(parameters)
        return lambda vector: np.asarray(scores.T @ (expected * (scores @ vector)))

    def diagonal(self, parameters: Floats) -> Floats:
        """Return the information of each parameter by itself."""
        scores, expected = self._scores(parameters)
        return np.asarray((scores * scores).T @ expected)

    def add_information(self, parameters: Floats, total: Matrix) -> None:
        """Add the information to the lower triangle of a matrix, which may be larger."""
        scores, expected = self._scores(parameters)
        weighted = sparse.diags_array(expected) @ scores
        information = sparse.tril(scores.T @ weighted).tocoo()
        np.add.at(total, (information.row, information.col), information.data.astype(total.dtype))

    def _scores(self, parameters: Floats) -> tuple[sparse.csr_array, Floats]:
        """Return the gradient of each outcome, rows by parameters, and how often it is expected."""
        utility = (self.design @ parameters).reshape(3, -1)
        chance = np.exp(utility - logsumexp(utility, axis=0))
        games = chance.shape[1]
        mean = sum(
            (
                sparse.diags_array(chance[k]) @ self.design[k * games : (k + 1) * games]
                for k in range(3)
            ),
            start=sparse.csr_array((games, self.design.shape[1])),
        )
        scores = sparse.csr_array(self.design - sparse.vstack([mean] * 3))
        return scores, (chance * self.weight.reshape(3, -1).sum(axis=0)).ravel()


def _ones(columns: npt.ArrayLike, parameters: int) -> sparse.csr_array:
    """Return a matrix with one 1 in each row."""
    at = np.asarray(columns)
    ones = np.ones(len(at))
    return sparse.csr_array(
        sparse.coo_array((ones, (np.arange(len(at)), at)), shape=(len(at), parameters))
    )
