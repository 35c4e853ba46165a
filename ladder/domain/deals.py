"""Deal groups as they were played, and what is measured on them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One rotation of a deal: who sat in which seat, and how each ended."""

    bots: tuple[str, ...]
    placements: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealGroup:
    """A deal of a pairing in all its rotations, in their order."""

    pairing: int
    games: tuple[PlayedGame, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measured value with its standard error."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """What a seat is worth, over bots of which each sat in every seat."""

    seat: int
    score: Measure
    """Mean normalised rank, from 0 to 1; 1/2 is no advantage."""
    margin: Measure
    """Mean score in points, less the mean of the others'."""


@dataclass(frozen=True, slots=True)
class DealStatistics:
    """What the deals of a tournament did."""

    groups: int
    """Whole deal groups that were counted."""
    games: int
    rank_ratio: Measure | None
    """Variance of a group's mean normalised rank beside as many independent games: below 1, playing
    each deal in all rotations saved games. None while there are too few
    groups, and where nothing varied."""
    margin_ratio: Measure | None
    """The same of the margin in points."""
    seats: tuple[SeatAdvantage, ...]
