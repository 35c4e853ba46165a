"""The shown standard errors beside two that assume less: a sandwich and a bootstrap."""

from dataclasses import dataclass

import numpy as np

from ladder.fit.bootstrap import bootstrap
from ladder.fit.covariance import Covariance
from ladder.fit.orderings import Index
from ladder.fit.posterior import Posterior
from ladder.fit.results import Floats
from ladder.fit.robust import GroupScores

QUARTER = 0.25
"""A relative difference that calls for a warning."""
GROUPS = 100
"""With so many deal groups of a bot, its own sandwich is good to some 7 %, and can be judged by."""
CHECKED = 256
"""Of more bots than this, a seeded choice is compared: the check is of the board."""
BOOTSTRAP_ORDERINGS = 5_000
"""Up to so many distinct orderings the bootstrap takes seconds; larger boards go without it."""


@dataclass(frozen=True, slots=True)
class Check:
    """How the standard errors compare, as ratios to the shown one, for the bots that can be."""

    bots: Index
    sandwich: Floats
    bootstrap: Floats | None
    """None where the board is too large for it, or it was not asked for."""

    @property
    def doubtful(self) -> Index:
        """The bots for which one of the two differs by more than a quarter."""
        off = np.abs(self.sandwich - 1) > QUARTER
        if self.bootstrap is not None:
            off |= np.abs(self.bootstrap - 1) > QUARTER
        return np.asarray(self.bots[off])


def check(
    posterior: Posterior,
    x: Floats,
    covariance: Covariance,
    scores: GroupScores,
    reference: Floats,
    *,
    seed: int,
    replicates: int,
) -> Check:
    """Compare the standard errors of the strengths against a reference (weights over the bots)."""
    size = posterior.bots
    shown = np.sqrt(covariance.against(reference))
    judged = np.flatnonzero(scores.is_judged(posterior, x, GROUPS) & (shown > 0))
    if len(judged) > CHECKED:
        judged = np.sort(np.random.default_rng(seed).choice(judged, CHECKED, replace=False))
    contrasts = np.zeros((len(judged), posterior.parameters))
    contrasts[:, :size] = -reference
    contrasts[np.arange(len(judged)), judged] += 1
    sandwich = np.sqrt(scores.sandwich(posterior, x, covariance.matrix, contrasts))
    spread = None
    if replicates and len(judged) and posterior.orderings <= BOOTSTRAP_ORDERINGS:
        estimates = bootstrap(posterior, x, seed=seed, replicates=replicates)
        spread = (estimates @ contrasts.T).std(axis=0, ddof=1) / shown[judged]
    return Check(judged, sandwich / shown[judged], spread)
