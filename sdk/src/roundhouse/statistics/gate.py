"""The gate: a sequential test of whether a bot is stronger by enough to be let through."""

import math
from dataclasses import dataclass
from enum import StrEnum

from roundhouse.statistics.likelihood import logistic_llr
from roundhouse.statistics.scores import GroupScores

LEAST_GROUPS = 8
"""No verdict before so many groups: the spread of fewer is not known well enough to be trusted."""


class Verdict(StrEnum):
    """Say where a gate stands."""

    OPEN = "open"
    H0 = "H0"
    """`elo0` is accepted: not stronger."""
    H1 = "H1"
    """`elo1` is accepted: stronger."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested, and how often it may go wrong."""

    elo0: float = 0.0
    elo1: float = 15.0
    alpha: float = 0.05
    """How often H1 may be accepted when `elo0` is true."""
    beta: float = 0.05
    """How often H0 may be accepted when `elo1` is true."""

    def __post_init__(self) -> None:
        """Raise `ValueError` when that is no test."""
        if not self.elo0 < self.elo1:
            raise ValueError(
                f"elo0 must be less than elo1, and {self.elo0:g} is not less than {self.elo1:g}."
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} must lie between 0 and 0.5, and {rate:g} does not.")
        most = 1000.0  # scores beyond that differ by less than a game's rounding
        if not (-most <= self.elo0 and self.elo1 <= most):
            raise ValueError(f"elo0 and elo1 must lie between {-most:g} and {most:g}.")

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which H0 and H1 are accepted (Wald)."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """Where a gate stands after some groups."""

    llr: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Gate:
    """A sequential probability ratio test over deal groups.

    It is asked after every group, in the order of the deals, and is over at the first verdict.
    Groups must not be left out or reordered by how they ended: that would bias the test.
    """

    hypotheses: Hypotheses

    def judge(self, scores: GroupScores) -> Judgement:
        """Say where the gate stands after these groups."""
        llr = logistic_llr(scores, self.hypotheses.elo0, self.hypotheses.elo1)
        low, high = self.hypotheses.bounds
        verdict = Verdict.OPEN
        if scores.groups >= LEAST_GROUPS:
            if llr >= high:
                verdict = Verdict.H1
            elif llr <= low:
                verdict = Verdict.H0
        return Judgement(llr, verdict)
