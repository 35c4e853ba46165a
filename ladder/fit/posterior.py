"""What is maximised: the likelihood of all tables together with the prior."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from ladder.fit.likelihood import Matrix, Term
from ladder.fit.orderings import expand
from ladder.fit.prior import Prior, prior_gradient, prior_information, prior_value
from ladder.fit.results import Floats, Results, count_groups


@dataclass(frozen=True, slots=True)
class Posterior:
    """A concave function of the strengths of the bots and, after them, the seat terms."""

    bots: int
    parameters: int
    groups: int
    terms: tuple[Term, ...]
    prior: Floats
    """The weight of the prior by parameter."""
    seat_offsets: tuple[int, ...]
    """By table: where its seat terms begin, that of the second seat first."""

    @classmethod
    def of(
        cls, results: tuple[Results, ...], bots: int, prior: Prior, *, has_seat_terms: bool = True
    ) -> "Posterior":
        """Set up the function for some results. Tables of one name share their seat terms."""
        groups = count_groups(results)
        widths: dict[str, int] = {}
        for table in results:
            width = table.seats - 1 if has_seat_terms else 0
            widths[table.name] = max(width, widths.get(table.name, 0))
        *starts, parameters = accumulate(widths.values(), initial=bots)
        by_name = dict(zip(widths, starts, strict=True))
        offsets = [by_name[table.name] for table in results]
        terms = tuple(
            Term.of(expand(table, groups), offset if has_seat_terms else None, parameters)
            for table, offset in zip(results, offsets, strict=True)
        )
        weights = prior.weights(bots, parameters)
        return cls(bots, parameters, groups, terms, weights, tuple(offsets))

    def reweighted(self, groups: Floats) -> "Posterior":
        """Return the function for every deal group counted so many times."""
        terms = tuple(term.with_weights(groups) for term in self.terms)
        return Posterior(
            self.bots, self.parameters, self.groups, terms, self.prior, self.seat_offsets
        )

    @property
    def orderings(self) -> int:
        """How many distinct orderings the sums run over."""
        return sum(term.orderings.weight.size for term in self.terms)

    def value(self, x: Floats) -> float:
        """Return the function at `x`, up to a constant; -inf where it cannot be computed."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            value = sum(term.value(x) for term in self.terms) + prior_value(x, self.prior)
        return value if np.isfinite(value) else -np.inf

    def gradient(self, x: Floats) -> Floats:
        """Return the gradient."""
        total = prior_gradient(x, self.prior)
        for term in self.terms:
            total += term.gradient(x)
        return total

    def padded_information(self, x: Floats, dtype: type[np.floating[Any]]) -> Matrix:
        """Return the lower triangle of the information, which is minus the second derivative.

        There is one row and column more, of no parameter, with 1 on the diagonal: cutting it off
        would cost a copy of a large matrix.
        """
        total = np.zeros((self.parameters + 1, self.parameters + 1), dtype=dtype)
        for term in self.terms:
            term.add_information(x, total)
        total[-1, :] = 0
        total[-1, -1] = 1
        diagonal = np.arange(self.parameters)
        total[diagonal, diagonal] += prior_information(x, self.prior).astype(dtype)
        return total

    def product(self, x: Floats) -> Callable[[Floats], Floats]:
        """Return the function that multiplies a vector by the information."""
        products = [term.product(x) for term in self.terms]
        prior = prior_information(x, self.prior)

        def multiply(vector: Floats) -> Floats:
            total = prior * vector
            for product in products:
                total = total + product(vector)
            return np.asarray(total)

        return multiply

    def diagonal(self, x: Floats) -> Floats:
        """Return the diagonal of the information."""
        total = prior_information(x, self.prior)
        for term in self.terms:
            total += term.diagonal(x)
        return total

    @property
    def is_centred(self) -> bool:
        """Whether nothing fixes the origin of the strengths, so that their sum is set to 0."""
        return self.bots > 0 and not self.prior[: self.bots].any()
