"""The ghost prior, which keeps every estimate finite.

Each bot has also won and lost half a game against a ghost that stands at the origin of the scale,
and each later seat half a game of equal bots against the first seat. Who won or lost all its games
gets a large rating with a wide interval instead of an infinite one, and groups of bots that never
met get a place at all. Since the data do not fix the origin, the differences between bots are those
of a ghost with a strength of its own: they do not depend on which bot the scale is anchored on.
The weight of 1/2 is that of the R package PlackettLuce (Turner et al. 2020), whose published
answers the tests reproduce.

A ridge, a normal distribution around the origin, is offered beside it, since libraries such as
choix have it; the boards do not use it, as its width would be in Elo and not in games.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import expit

from ladder.fit.results import Floats


class Shape(StrEnum):
    """Say what holds the parameters."""

    GHOST = "ghost"
    """A win and a loss against a ghost."""
    RIDGE = "ridge"
    """A normal distribution, of which the weight is the inverse variance."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What holds each parameter, and with what weight; 0 is plain maximum likelihood."""

    bots: float = 0.5
    seats: float = 0.5
    shape: Shape = Shape.GHOST

    def over(self, bots: int, parameters: int) -> "PriorTerm":
        """Return the prior of so many parameters, those of the bots first."""
        weights = np.full(parameters, self.seats, dtype=np.float64)
        weights[:bots] = self.bots
        return PriorTerm(weights, self.shape)


@dataclass(frozen=True, slots=True)
class PriorTerm:
    """The logarithm of a prior over all parameters."""

    weights: Floats
    shape: Shape = Shape.GHOST

    def value(self, parameters: Floats) -> float:
        """Return it at some parameters, up to a constant."""
        if self.shape is Shape.RIDGE:
            return float(-(self.weights * parameters**2).sum() / 2)
        size = np.abs(parameters)  # log p(x) + log p(-x), without overflow
        return float(-(self.weights * (size + 2 * np.log1p(np.exp(-size)))).sum())

    def gradient(self, parameters: Floats) -> Floats:
        """Return its gradient."""
        if self.shape is Shape.RIDGE:
            return np.asarray(-self.weights * parameters)
        return np.asarray(self.weights * (1 - 2 * expit(parameters)))

    def information(self, parameters: Floats) -> Floats:
        """Return its information, which is diagonal."""
        if self.shape is Shape.RIDGE:
            return self.weights.copy()
        return np.asarray(2 * self.weights * expit(parameters) * expit(-parameters))
