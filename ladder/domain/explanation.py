"""A rating, explained: every change with what it was computed from."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RatingPair:
    """A bot against one other seat of a game."""

    opponent: str
    opponent_rating: float
    """Elo before the game."""
    opponent_games: int
    """The other's rated games in the pool before this one."""
    k: float
    """The mean of the two bots' K, divided by the number of other seats."""
    expected: float
    actual: float
    """1, 1/2 or 0."""
    step: float
    """In Elo: k times actual less expected."""


@dataclass(frozen=True, slots=True)
class RatingStep:
    """What one game did to one bot's rating."""

    game_id: str
    bot: str
    order: int
    """The recording order of the game, over the whole ladder."""
    finished_at: datetime
    games_before: int
    before: float
    after: float
    pairs: tuple[RatingPair, ...]
    """Against the other seats, in their order."""

    @property
    def expected(self) -> float:
        """Return the points that were expected."""
        return sum(pair.expected for pair in self.pairs)

    @property
    def actual(self) -> float:
        """Return the points that were made."""
        return sum(pair.actual for pair in self.pairs)

    @property
    def change(self) -> float:
        """Return the change of the rating, in Elo."""
        return sum(pair.step for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class RatingExplanation:
    """Where a bot stands in a pool, and its last changes, the oldest first."""

    pool: str
    bot: str
    rating: float
    games: int
    steps: tuple[RatingStep, ...]


@dataclass(frozen=True, slots=True)
class WithoutGame:
    """Where a bot would stand had a game never been played."""

    game_id: str
    rating: float
    rating_without: float
    games_rated_again: int
    """Later games of the pool with a bot whose rating or number of games differs by then."""
