"""Ranks that say how sure they are."""

from dataclasses import dataclass

import numpy as np

from ladder.fit.covariance import Covariance
from ladder.fit.orderings import Index
from ladder.fit.results import Flags, Floats

Z95 = 1.959963984540054
"""Of a normal distribution, 95 % lie within so many standard deviations."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The established bots in order, and all ranks that the data leave open."""

    order: Index
    """Established bots, the strongest first, then the provisional ones in the same way."""
    rank: Index
    """By bot, from 1, equal strengths share one; 0 for a provisional bot."""
    best: Index
    """By bot: 1 and how many are surely stronger (95 % for each pair); 0 for a provisional bot."""
    worst: Index
    """By bot: how many are not surely weaker, itself included; 0 for a provisional bot."""


def rank_bots(strengths: Floats, covariance: Covariance, is_established: Flags) -> Ranking:
    """Rank the bots."""
    order = np.lexsort((np.arange(len(strengths)), -strengths, ~is_established))
    rank, best, worst = (np.zeros(len(strengths), dtype=np.int64) for _ in range(3))
    counted = int(is_established.sum())
    for rows, is_stronger, is_weaker in covariance.sure(strengths, Z95):
        best[rows] = 1 + np.count_nonzero(is_stronger & is_established, axis=1)
        worst[rows] = counted - np.count_nonzero(is_weaker & is_established, axis=1)
    sorted_strengths = np.sort(strengths[is_established])
    rank[:] = 1 + len(sorted_strengths) - np.searchsorted(sorted_strengths, strengths, "right")
    for values in (rank, best, worst):
        values[~is_established] = 0
    return Ranking(order, rank, best, worst)
