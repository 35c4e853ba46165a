"""The bootstrap over deal groups: draw them anew with replacement, fit again, and look."""

import numpy as np

from ladder.fit.newton import maximise
from ladder.fit.posterior import Posterior
from ladder.fit.results import Floats

REPLICATES = 200
"""A standard error from so many is itself good to a twentieth."""


def bootstrap(posterior: Posterior, x: Floats, *, seed: int, replicates: int) -> Floats:
    """Return the estimates of each replicate, replicates by parameters.

    The same seed gives the same replicates. Newton starts at the estimate `x`.
    """
    rng = np.random.default_rng(seed)
    estimates = np.empty((replicates, posterior.parameters))
    for row in estimates:
        drawn = rng.integers(posterior.groups, size=posterior.groups)
        counts = np.bincount(drawn, minlength=posterior.groups).astype(np.float64)
        row[:] = maximise(posterior.reweighted(counts), x).parameters
    return estimates
