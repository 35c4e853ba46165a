"""Plain maximum likelihood and its covariance, as the published answers have them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.fit.newton import maximise
from ladder.fit.posterior import Posterior
from ladder.fit.prior import Prior
from ladder.fit.results import Results
from ladder.fit.ties import Ties

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ladder.fit.results import Floats

DATA = Path(__file__).parents[2] / "data" / "ratings"
FLAT = Prior(0, 0)


def load(name: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads((DATA / name).read_text())
    return answer


@dataclass(frozen=True)
class Estimate:
    """An estimate with its covariance, for any contrasts."""

    posterior: Posterior
    x: Floats
    inverse: Floats

    @property
    def loglik(self) -> float:
        return sum(term.value(self.x) for term in self.posterior.terms)

    def against(self, reference: int) -> tuple[Floats, Floats]:
        """Differences to a bot and their covariance; seat terms follow as they are."""
        size = len(self.x)
        contrasts = np.eye(size)
        contrasts[: self.posterior.bots, reference] -= 1
        return contrasts @ self.x, contrasts @ self.inverse @ contrasts.T

    def centred(self) -> tuple[Floats, Floats]:
        bots = self.posterior.bots
        contrasts = np.eye(len(self.x))
        contrasts[:bots, :bots] -= 1 / bots
        return contrasts @ self.x, contrasts @ self.inverse @ contrasts.T


def estimate(
    results: Iterable[Results],
    bots: int,
    prior: Prior = FLAT,
    *,
    has_seat_terms: bool = False,
    ties: Ties = Ties.SHARED,
) -> Estimate:
    posterior = Posterior.of(tuple(results), bots, prior, has_seat_terms=has_seat_terms, ties=ties)
    maximum = maximise(posterior)
    inverse = np.asarray(maximum.factor.invert(), dtype=np.float64)
    return Estimate(posterior, maximum.parameters, inverse)


def rankings(orders: Sequence[Sequence[int]]) -> list[Results]:
    """Results of games that are given as bots, best first; one table for each length."""
    lengths = sorted({len(order) for order in orders})
    return [
        Results.of(
            str(length),
            same := [list(order) for order in orders if len(order) == length],
            [list(range(1, length + 1))] * len(same),
        )
        for length in lengths
    ]


def duels(counts: Iterable[tuple[int, int, int, int, int]]) -> Results:
    """Duels as (first bot, second bot, wins of the first, ties, wins of the second)."""
    bots, placements = [], []
    for one, other, *outcomes in counts:
        for count, placed in zip(outcomes, ([1, 2], [1, 1], [2, 1]), strict=True):
            bots += [[one, other]] * count
            placements += [placed] * count
    return Results.of("duels", bots, placements)
