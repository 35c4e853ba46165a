"""Simulated pools: games by the model of the ratings, and what can be planted in them."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from ladder.domain.alarm import WatchedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

BOTS = ("ann", "ben", "cat", "dan", "eve")
LEVELS = {"ann": 0.8, "ben": 0.4, "cat": 0.0, "dan": -0.3, "eve": -0.6}
DEAL_EFFECT = 0.5


def play_league(
    rng: Random,
    *,
    seats: int,
    deals: int,
    bots: Sequence[str] = BOTS,
    change: Callable[[WatchedGame, list[float], Random], None] | None = None,
) -> list[WatchedGame]:
    """Every table meets over so many deals in all rotations; deals come one after another.

    `change` may move the log-strengths of a table before it plays. Hosts are dealt at random.
    """
    games: list[WatchedGame] = []
    group = 0
    for _ in range(deals):
        for table in combinations(bots, seats):
            group += 1
            favour = [rng.gauss(0, DEAL_EFFECT) for _ in range(seats)]
            for rotation in range(seats):
                seated = table[rotation:] + table[:rotation]
                game = WatchedGame(
                    order=len(games) + 1,
                    group=group,
                    host=f"host-{rng.randrange(3)}",
                    bots=seated,
                    versions=tuple(bots.index(bot) for bot in seated),
                    placements=(),
                )
                strengths = [LEVELS[bot] + favour[seat] for seat, bot in enumerate(seated)]
                if change is not None:
                    change(game, strengths, rng)
                worth = [one - math.log(-math.log(rng.random())) for one in strengths]
                placements = tuple(1 + sum(other > own for other in worth) for own in worth)
                games.append(
                    WatchedGame(game.order, group, game.host, seated, game.versions, placements)
                )
    return games
