"""Games that follow the model with known strengths, to see whether the intervals hold the truth."""

from dataclasses import dataclass

import numpy as np

from ladder.fit.board import ELO_PER_LOGIT
from ladder.fit.results import Floats, Ints, Results


@dataclass(frozen=True, slots=True)
class Truth:
    """What the simulated games follow."""

    elo: Floats
    seat_elo: Floats
    """What each of five seats is worth."""
    luck_elo: float = 0.0
    """The standard deviation of what the cards of a deal are worth to a seat. Rotations share it,
    so that the games of a deal group depend on one another, and strengths show less."""


def simulate(truth: Truth, seats: int, deals: int, rng: np.random.Generator) -> Results:
    """Play deals, each at a random table of some bots in all its rotations."""
    tables = _tables(len(truth.elo), seats, deals, rng)
    bots = np.concatenate([np.roll(tables, -rotation, axis=1) for rotation in range(seats)])
    groups = np.tile(np.arange(deals, dtype=np.int32), seats)
    luck = truth.luck_elo * rng.normal(size=(deals, seats))
    utility = (truth.elo[bots] + truth.seat_elo[:seats] + luck[groups]) / ELO_PER_LOGIT
    utility += rng.gumbel(size=utility.shape)  # the greatest of such sums is a Luce choice
    placements = np.argsort(np.argsort(-utility, axis=1), axis=1) + 1
    return Results.of(str(seats), bots, placements, groups)


def simulate_all(
    truth: Truth, sizes: tuple[int, ...], deals: int, rng: np.random.Generator
) -> tuple[Results, ...]:
    """Play so many deals at each of some table sizes, with deal groups of their own."""
    results = [simulate(truth, seats, deals, rng) for seats in sizes]
    return tuple(
        Results.of(one.name, one.bots, one.placements, one.groups + number * deals)
        for number, one in enumerate(results)
    )


def _tables(bots: int, seats: int, deals: int, rng: np.random.Generator) -> Ints:
    """Draw tables of different bots."""
    if bots < 4 * seats:
        return np.argsort(rng.random((deals, bots)), axis=1)[:, :seats].astype(np.int32)
    drawn = rng.integers(0, bots, size=(deals, seats), dtype=np.int32)
    while True:  # large pools repeat a bot at few tables, which are drawn again
        ordered = np.sort(drawn, axis=1)
        is_bad = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        if not is_bad.any():
            return drawn
        drawn[is_bad] = rng.integers(0, bots, size=(int(is_bad.sum()), seats), dtype=np.int32)
