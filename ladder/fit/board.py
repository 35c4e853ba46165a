"""The headline rating: a fit of all results, on the Elo scale, with how sure it is."""

import math
from dataclasses import dataclass, field

import numpy as np

from ladder.fit.bootstrap import REPLICATES
from ladder.fit.check import Check, check
from ladder.fit.connection import components, established
from ladder.fit.covariance import Covariance, superiority
from ladder.fit.newton import maximise
from ladder.fit.orderings import Index
from ladder.fit.posterior import Posterior
from ladder.fit.prior import Prior
from ladder.fit.ranking import Z95, Ranking, rank_bots
from ladder.fit.results import Flags, Floats, Results
from ladder.fit.robust import GroupScores
from ladder.fit.ties import Ties

ELO_PER_LOGIT = 400 / math.log(10)
"""173.7: at a difference of 400 Elo, a duel is ten to one."""
ANCHOR_ELO = 1500.0
"""What the anchor has: what a bot enters the live rating with."""


@dataclass(frozen=True, slots=True)
class SeatTerm:
    """What a seat is worth beside the first one, at one kind of table."""

    table: str
    seat: int
    """From 1: the seat after the first."""
    elo: float
    standard_error: float


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A fitted board. Everything is by bot, in the order of their indices, and in Elo."""

    elo: Floats
    margin: Floats
    """Half of the 95 % interval against the reference: the anchor, which then has 0 itself."""
    mean_margin: Floats
    """Half of the 95 % interval against the mean of the established bots."""
    is_provisional: Flags
    """Whether no games lead from the bot to the rest of the board: only the prior compares them."""
    games: Index
    groups: Index
    """Deal groups."""
    ranking: Ranking
    seat_terms: tuple[SeatTerm, ...]
    anchor: int | None
    """None where the anchor has not played: 1500 is then the mean of the established bots."""
    dispersion: float
    """How much more deal groups vary than independent games would; margins grow by its root."""
    deal_groups: int
    check: Check
    strengths: Floats = field(repr=False)
    covariance: Covariance = field(repr=False)

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood that one bot is stronger than another."""
        variance = self.covariance.difference(one, other)
        difference = self.strengths[one] - self.strengths[other]
        if variance == 0:
            return 0.5 if difference == 0 else float(difference > 0)
        return float(superiority(difference / math.sqrt(variance)))


def fit_board(
    results: tuple[Results, ...],
    bots: int,
    *,
    anchor: int | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
    prior: Prior | None = None,
    ties: Ties = Ties.SHARED,
) -> Board:
    """Fit a board of `bots` bots. The bootstrap has so many replicates from the seed; 0 skips it.

    It does not depend on the order of the games. An anchor that the board does not have, or that
    only a few side games lead to, is passed over.

    Raises:
        FitError: without a prior, when the results have no estimate.
    """
    played = sum(
        (np.bincount(table.bots.ravel(), minlength=bots) for table in results),
        start=np.zeros(bots, dtype=np.int64),
    )
    is_established = established(components(results, bots), played)
    if anchor is not None and not (is_established[anchor] and played[anchor]):
        anchor = None
    posterior = Posterior.of(results, bots, Prior() if prior is None else prior, ties=ties)
    maximum = maximise(posterior)
    x, inverse = maximum.parameters, maximum.factor.invert()
    scores = GroupScores.of(posterior, x)
    of_bots, of_seats = scores.dispersions(posterior, x, inverse)
    covariance = Covariance(inverse, of_bots)
    errors = np.sqrt(np.diagonal(inverse)[bots:] * of_seats)
    strengths = x[:bots]
    mean = is_established / max(int(is_established.sum()), 1)
    reference = mean if anchor is None else np.eye(1, bots, anchor)[0]
    return Board(
        elo=ANCHOR_ELO + ELO_PER_LOGIT * (strengths - reference @ strengths),
        margin=Z95 * ELO_PER_LOGIT * np.sqrt(covariance.against(reference)),
        mean_margin=Z95 * ELO_PER_LOGIT * np.sqrt(covariance.against(mean)),
        is_provisional=~is_established,
        games=played,
        groups=scores.groups_of(bots),
        ranking=rank_bots(strengths, covariance, is_established),
        seat_terms=_seat_terms(results, posterior, maximum.parameters, errors),
        anchor=anchor,
        dispersion=covariance.dispersion,
        deal_groups=posterior.groups,
        check=check(posterior, x, covariance, scores, reference, seed=seed, replicates=replicates),
        strengths=strengths,
        covariance=covariance,
    )


def _seat_terms(
    results: tuple[Results, ...], posterior: Posterior, x: Floats, errors: Floats
) -> tuple[SeatTerm, ...]:
    return tuple(
        SeatTerm(
            table.name,
            seat,
            float(ELO_PER_LOGIT * x[offset + seat - 1]),
            float(ELO_PER_LOGIT * errors[offset + seat - 1 - posterior.bots]),
        )
        for table, offset in zip(results, posterior.seat_offsets, strict=True)
        for seat in range(1, table.seats)
    )
