"""What is maximised: the likelihood of all tables together with the prior."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from ladder.fit.likelihood import Matrix, Term
from ladder.fit.orderings import expand
from ladder.fit.prior import Prior, PriorTerm
from ladder.fit.results import Floats, Results, count_groups
from ladder.fit.ties import TiedDuels, Ties


@dataclass(frozen=True, slots=True)
class Posterior:
    """A concave function of the strengths of the bots and, after them, the seat terms."""

    bots: int
    parameters: int
    groups: int
    terms: tuple[Term | TiedDuels, ...]
    prior: PriorTerm
    seat_offsets: tuple[int, ...]
    """By table: where its seat terms begin, that of the second seat first."""

    @classmethod
    def of(
        cls,
        results: tuple[Results, ...],
        bots: int,
        prior: Prior,
        *,
        has_seat_terms: bool = True,
        ties: Ties = Ties.SHARED,
    ) -> "Posterior":
        """Set up the function for some results. Tables of one name share their seat terms.

        Ties of Davidson's model have a parameter for each name, which comes after its seat terms.
        """
        groups = count_groups(results)
        widths: dict[str, int] = {}
        for table in results:
            width = (table.seats - 1) * has_seat_terms + (ties is Ties.DAVIDSON)
            widths[table.name] = max(width, widths.get(table.name, 0))
        *starts, parameters = accumulate(widths.values(), initial=bots)
        by_name = dict(zip(widths, starts, strict=True))
        offsets = [by_name[table.name] for table in results]
        terms: list[Term | TiedDuels] = []
        for table, offset in zip(results, offsets, strict=True):
            seat = offset if has_seat_terms else None
            if ties is Ties.DAVIDSON:
                tie = offset + has_seat_terms
                terms.append(TiedDuels.of(table, groups, seat, tie, parameters))
            else:
                terms.append(Term.of(expand(table, groups), seat, parameters))
        prior_term = prior.over(bots, parameters)
        return cls(bots, parameters, groups, tuple(terms), prior_term, tuple(offsets))

    def reweighted(self, groups: Floats) -> "Posterior":
        """Return the function for every deal group counted so many times."""
        terms = tuple(term.with_weights(groups) for term in self.terms)
        return Posterior(
            self.bots, self.parameters, self.groups, terms, self.prior, self.seat_offsets
        )

    @property
    def orderings(self) -> int:
        """How many distinct orderings, or outcomes, the sums run over."""
        return sum(term.rows for term in self.terms)

    def value(self, x: Floats) -> float:
        """Return the function at `x`, up to a constant; -inf where it cannot be computed."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            value = sum(term.value(x) for term in self.terms) + self.prior.value(x)
        return value if np.isfinite(value) else -np.inf

    def gradient(self, x: Floats) -> Floats:
        """Return the gradient."""
        total = self.prior.gradient(x)
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
        total[diagonal, diagonal] += self.prior.information(x).astype(dtype)
        return total

    def product(self, x: Floats) -> Callable[[Floats], Floats]:
        """Return the function that multiplies a vector by the information."""
        products = [term.product(x) for term in self.terms]
        prior = self.prior.information(x)

        def multiply(vector: Floats) -> Floats:
            total = prior * vector
            for product in products:
                total = total + product(vector)
            return np.asarray(total)

        return multiply

    def diagonal(self, x: Floats) -> Floats:
        """Return the diagonal of the information."""
        total = self.prior.information(x)
        for term in self.terms:
            total += term.diagonal(x)
        return total

    @property
    def is_centred(self) -> bool:
        """Whether nothing fixes the origin of the strengths, so that their sum is set to 0."""
        return self.bots > 0 and not self.prior.weights[: self.bots].any()
