"""The ghost prior, which keeps every estimate finite.

Each bot has also won and lost half a game against a ghost that stands at the origin of the scale,
and each later seat half a game of equal bots against the first seat. Who won or lost all its games
gets a large rating with a wide interval instead of an infinite one, and groups of bots that never
met get a place at all. Since the data do not fix the origin, the differences between bots are those
of a ghost with a strength of its own: they do not depend on which bot the scale is anchored on.
The weight of 1/2 is that of the R package PlackettLuce (Turner et al. 2020), whose published
answers the tests reproduce.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from ladder.fit.results import Floats


@dataclass(frozen=True, slots=True)
class Prior:
    """A win and a loss of this weight for each parameter; 0 is plain maximum likelihood."""

    bots: float = 0.5
    seats: float = 0.5

    def weights(self, bots: int, parameters: int) -> Floats:
        """Return the weight by parameter: those of the bots come first."""
        return np.where(np.arange(parameters) < bots, self.bots, self.seats)


def prior_value(parameters: Floats, weights: Floats) -> float:
    """Return the log of the prior: of the two half games of each parameter."""
    size = np.abs(parameters)  # log p(x) + log p(-x), without overflow
    return float(-(weights * (size + 2 * np.log1p(np.exp(-size)))).sum())


def prior_gradient(parameters: Floats, weights: Floats) -> Floats:
    """Return its gradient."""
    return np.asarray(weights * (1 - 2 * expit(parameters)))


def prior_information(parameters: Floats, weights: Floats) -> Floats:
    """Return its information, which is diagonal."""
    return np.asarray(2 * weights * expit(parameters) * expit(-parameters))
