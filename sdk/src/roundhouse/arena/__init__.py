"""Play games here, in one process: no referee, no clocks, no isolation, and so at full speed.

The game that is played is the referee's: the same engine, the same log, the same forfeits.
"""

from roundhouse.arena.game import LocalGame
from roundhouse.arena.groups import DealGroups
from roundhouse.arena.match import (
    Entrant,
    GameResult,
    Tally,
    deal_seed,
    play_game,
    play_match,
    summarise,
)

__all__ = [
    "DealGroups",
    "Entrant",
    "GameResult",
    "LocalGame",
    "Tally",
    "deal_seed",
    "play_game",
    "play_match",
    "summarise",
]
