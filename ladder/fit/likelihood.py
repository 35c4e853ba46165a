"""The Plackett-Luce log-likelihood, its gradient and its information.

The chance that a table ends in the order 1, 2, ..., n is the product over k < n of

    e_k / (e_k + e_(k+1) + ... + e_n),   e = exp(strength of the bot + term of its seat)

(Plackett 1975, Luce 1959; for n = 2 Bradley and Terry 1952). Everything below runs over positions,
n at most, with one vector operation for all orderings. With S_k the denominators,

    A_j = sum over k <= j of 1/S_k,   B_j = sum over k <= j of 1/S_k^2   (k < n),

the gradient at position j is 1[j < n] - e_j A_j, and the information between the positions i and j
is [i = j] e_j A_j - e_i e_j B_min(i,j): the sum over the choices k of the covariance of the choice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ladder.fit.orderings import Orderings
from ladder.fit.results import Floats, Ints

Matrix = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Term:
    """The orderings of one kind of table, and which parameters they speak of."""

    orderings: Orderings
    seat_terms: Ints
    """One for each ordering's position: the parameter of the seat. The first seat's is the index
    one past the last parameter, which stands for the constant 0."""

    @classmethod
    def of(cls, orderings: Orderings, offset: int | None, none: int) -> "Term":
        """Bind to parameters: seat s > 0 has `offset + s - 1`; without an offset, no seat has."""
        if offset is None:
            columns = np.full_like(orderings.seats, none)
        else:
            columns = np.where(orderings.seats > 0, offset + orderings.seats - 1, none)
        return cls(orderings, columns.astype(np.int32))

    @property
    def rows(self) -> int:
        """How many distinct orderings the sums run over."""
        return len(self.orderings.weight)

    @property
    def comparisons(self) -> int:
        """What the deal groups tell: one of n bots tells n - 1 things."""
        return (self.orderings.size - 1) * int(np.unique(self.orderings.shares.indices).size)

    def with_weights(self, groups: Floats) -> "Term":
        """Return the term with every deal group counted so many times."""
        return Term(self.orderings.reweighted(groups), self.seat_terms)

    def worths(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return e and the denominators S, positions by orderings."""
        worth = np.exp(np.append(parameters, 0.0))
        e = worth[self.orderings.bots] * worth[self.seat_terms]
        return e, _sum_up(e.copy())

    def value(self, parameters: Floats) -> float:
        """Return the log-likelihood."""
        e, sums = self.worths(parameters)
        return float((np.log(e[:-1]) - np.log(sums[:-1])).sum(axis=0) @ self.orderings.weight)

    def scores(self, parameters: Floats) -> Floats:
        """Return the gradient at each position of one game of each ordering."""
        e, sums = self.worths(parameters)
        scores = -e * _running(1 / sums)
        scores[:-1] += 1
        return scores

    def gradient(self, parameters: Floats) -> Floats:
        """Return the gradient by parameter."""
        return self.scatter(self.scores(parameters) * self.orderings.weight, len(parameters))

    def scatter(self, values: Floats, parameters: int) -> Floats:
        """Add the values at the positions to the parameters that they are of."""
        flat = values.ravel()
        length = parameters + 1
        total = np.bincount(self.orderings.bots.ravel(), flat, length)
        total += np.bincount(self.seat_terms.ravel(), flat, length)
        return np.asarray(total[:-1], dtype=np.float64)

    def group_scores(self, parameters: Floats) -> sparse.csr_array:
        """Return the gradient by parameter and deal group."""
        length, rows = len(parameters) + 1, self.orderings.bots.shape[1]
        scores = self.scores(parameters).ravel()
        at = np.tile(np.arange(rows), self.orderings.size)
        by_ordering = sparse.coo_array(
            (scores, (self.orderings.bots.ravel(), at)), shape=(length, rows)
        ) + sparse.coo_array((scores, (self.seat_terms.ravel(), at)), shape=(length, rows))
        return sparse.csr_array(by_ordering.tocsr()[:-1] @ self.orderings.shares)

    def product(self, parameters: Floats) -> Callable[[Floats], Floats]:
        """Return the function that multiplies a vector by the information, without a matrix."""
        e, sums = self.worths(parameters)
        a, b = _running(1 / sums), _running(1 / sums**2)
        weight = self.orderings.weight

        def multiply(vector: Floats) -> Floats:
            entries = np.append(vector, 0.0)
            eu = entries[self.orderings.bots]
            eu += entries[self.seat_terms]
            eu *= e
            after = _sum_up(eu.copy())
            before = np.zeros(len(weight))
            for k in range(len(eu)):
                here = b[k] * eu[k]
                eu[k] = (a[k] * eu[k] - e[k] * (before + b[k] * after[k])) * weight
                before += here
            return self.scatter(eu, len(parameters))

        return multiply

    def diagonal(self, parameters: Floats) -> Floats:
        """Return the information of each parameter by itself."""
        e, sums = self.worths(parameters)
        own = e * _running(1 / sums) - e**2 * _running(1 / sums**2)
        return self.scatter(own * self.orderings.weight, len(parameters))

    def add_information(self, parameters: Floats, total: Matrix) -> None:
        """Add the information to the lower triangle of a matrix that has one row more than needed.

        The row and column beyond the last parameter take what falls on first seats.
        """
        e, sums = self.worths(parameters)
        a, b = _running(1 / sums), _running(1 / sums**2)
        for i in range(self.orderings.size):
            own = (self.orderings.bots[i], self.seat_terms[i])
            single = (e[i] * a[i] - e[i] ** 2 * b[i]) * self.orderings.weight
            for row, column in ((own[0], own[0]), (own[1], own[1]), (own[0], own[1])):
                _add_below(total, row, column, single)
            for j in range(i):
                other = (self.orderings.bots[j], self.seat_terms[j])
                pair = -e[i] * e[j] * b[j] * self.orderings.weight
                for row in own:
                    for column in other:
                        _add_below(total, row, column, pair)


def _running(inverse: Floats) -> Floats:
    """Sum over the choices up to each position; at the last position nothing is chosen any more."""
    inverse[-1] = 0
    for k in range(1, len(inverse)):
        inverse[k] += inverse[k - 1]
    return inverse


def _sum_up(values: Floats) -> Floats:
    """Sum from each position to the last, in place: `np.cumsum` along columns takes four times."""
    for k in range(len(values) - 2, -1, -1):
        values[k] += values[k + 1]
    return values


def _add_below(total: Matrix, row: Ints, column: Ints, values: Floats) -> None:
    at = np.maximum(row, column).astype(np.int64) * total.shape[1] + np.minimum(row, column)
    np.add.at(total.reshape(-1), at, values.astype(total.dtype))
