"""A leaderboard, the fit behind it, and the history of the live Elo."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Headline:
    """The headline rating of a bot on a board: what a fit of all games found."""

    elo: float
    margin: float
    """Half of the 95 % interval, against the anchor; on a board without it, against the mean."""
    mean_margin: float
    """Half of the 95 % interval, against the mean of the board."""
    best_rank: int
    worst_rank: int
    """The ranks that the games leave open, 95 % for each pair; 0 for a provisional bot."""
    superiority: float | None
    """The likelihood that the bot is stronger than the next one on the board."""
    is_provisional: bool
    """Whether no games connect the bot with the rest of the board."""
    deal_groups: int


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """How a bot stands on a board."""

    rank: int
    """From 1, by the headline rating; equal ratings share one, and the next is skipped. 0 for a
    bot that is provisional, or has played since the last fit only."""
    bot: str
    headline: Headline | None
    """None before the first fit that holds a game of the bot."""
    rating: float | None
    """The live Elo of the board's pool; None on the joint board, which has no one pool."""
    games: int
    wins: int
    """Games in which it alone was placed first."""
    draws: int
    """Games in which it shared the first placement."""
    losses: int
    mean_score: float


@dataclass(frozen=True, slots=True)
class FittedSeat:
    """What a seat is worth beside the first one at a kind of table, in Elo."""

    table: str
    seat: int
    elo: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class FitSummary:
    """What is to be said of the fit of a board as a whole."""

    recorded: int
    """It holds all games up to this one in the recording order."""
    games: int
    deal_groups: int
    anchor: str | None
    """The bot at 1500; None where that is the mean of the board."""
    dispersion: float
    """How much deal groups vary beside independent games."""
    seats: tuple[FittedSeat, ...]
    checked: int
    """How many bots had games enough to check their margins."""
    doubtful: tuple[str, ...]
    """Those for which a sandwich or a bootstrap differs by more than a quarter."""
    fitted_at: datetime


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """One step of a bot's live Elo in a pool."""

    game_id: str
    order: int
    """The recording order of the game, over the whole ladder."""
    finished_at: datetime
    before: float
    after: float
