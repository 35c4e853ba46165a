"""The rating history of a bot as a line on a small canvas."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Self

WIDTH, HEIGHT = 720, 180
LEFT, BOTTOM = 44, 8  # room for the labels
GRID = 50  # Elo between two lines at the least


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal line at a round rating."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """The points of an SVG polyline, and the lines behind it."""

    width: int
    height: int
    left: int
    points: str
    grid: tuple[GridLine, ...]

    @classmethod
    def of(cls, ratings: Sequence[float]) -> Self | None:
        """Return the curve through `ratings` in order, or None when there are fewer than two."""
        if len(ratings) < 2:
            return None
        step = GRID
        while (max(ratings) - min(ratings)) / step > 5:
            step *= 2
        low, high = floor(min(ratings) / step) * step, ceil(max(ratings) / step) * step
        if low == high:
            low, high = low - step, high + step

        def y(rating: float) -> float:
            return (HEIGHT - BOTTOM) - (rating - low) / (high - low) * (HEIGHT - 2 * BOTTOM)

        across = (WIDTH - LEFT) / (len(ratings) - 1)
        points = " ".join(f"{LEFT + i * across:.1f},{y(r):.1f}" for i, r in enumerate(ratings))
        grid = tuple(GridLine(y(r), str(r)) for r in range(low, high + 1, step))
        return cls(WIDTH, HEIGHT, LEFT, points, grid)
