"""The leaderboard of a pool, and the history behind it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """How a bot stands in a pool."""

    rank: int
    """From 1; equal ratings share one, and the next is skipped."""
    bot: str
    rating: float
    """The live Elo."""
    games: int
    wins: int
    """Games in which it alone was placed first."""
    draws: int
    """Games in which it shared the first placement."""
    losses: int
    mean_score: float


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """One step of a bot's rating in a pool."""

    game_id: str
    order: int
    """The recording order of the game, over the whole ladder."""
    finished_at: datetime
    before: float
    after: float
