"""The curve along which a route is drawn: a quadratic Bezier, measured and cut."""

from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Self

# Straight pieces per curve when it is measured. A route is at most a few hundred pixels long and
# bends little: 32 pieces are exact to a hundredth of a pixel.
PIECES = 32


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the canvas, in pixels from the left and from the top."""

    x: float
    y: float

    def towards(self, other: "Point", share: float) -> "Point":
        """Return the point that lies `share` (0 to 1) of the way to `other`."""
        return Point(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)

    def distance(self, other: "Point") -> float:
        """Return the distance to `other`."""
        return hypot(other.x - self.x, other.y - self.y)


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic Bezier curve from `start` to `end`, pulled towards `control`."""

    start: Point
    control: Point
    end: Point

    @classmethod
    def bent(cls, start: Point, end: Point, bend: float, shift: float = 0.0) -> Self:
        """Return the curve whose control point stands `bend` off the middle of the straight line.

        Both `bend` and `shift`, which moves the whole curve sideways, count along the normal
        (-dy, dx) / length in screen coordinates.

        Raises:
            ValueError: both ends are the same point, which has no normal.
        """
        length = start.distance(end)
        if length == 0:
            raise ValueError(f"A curve needs two different ends, both are {start}.")
        normal = Point(-(end.y - start.y) / length, (end.x - start.x) / length)

        def moved(point: Point, by: float) -> Point:
            return Point(point.x + normal.x * by, point.y + normal.y * by)

        middle = start.towards(end, 0.5)
        return cls(moved(start, shift), moved(middle, bend + shift), moved(end, shift))

    def at(self, t: float) -> Point:
        """Return the point at parameter `t`, 0 at the start and 1 at the end."""
        return self.start.towards(self.control, t).towards(self.control.towards(self.end, t), t)

    def length(self) -> float:
        """Return the length along the curve."""
        points = self._points()
        return sum(a.distance(b) for a, b in pairwise(points))

    def trimmed(self, margin: float) -> "Curve":
        """Return the part that is left when `margin` is cut off at both ends.

        Raises:
            ValueError: the margins leave nothing.
        """
        total = self.length()
        if 2 * margin >= total:
            raise ValueError(f"A curve of {total:.1f} can't lose {margin:.1f} at both ends.")
        return self._part(self._parameter(margin), self._parameter(total - margin))

    def svg(self) -> str:
        """Return the `d` attribute of an SVG path."""
        a, c, b = self.start, self.control, self.end
        return f"M{a.x:.1f} {a.y:.1f}Q{c.x:.1f} {c.y:.1f} {b.x:.1f} {b.y:.1f}"

    def _points(self) -> list[Point]:
        return [self.at(i / PIECES) for i in range(PIECES + 1)]

    def _parameter(self, distance: float) -> float:
        """Return the parameter at which `distance` has been covered."""
        covered = 0.0
        points = self._points()
        for i, (a, b) in enumerate(pairwise(points)):
            piece = a.distance(b)
            if covered + piece >= distance:
                return (i + (distance - covered) / piece) / PIECES
            covered += piece
        return 1.0

    def _part(self, t0: float, t1: float) -> "Curve":
        """Return the curve between two parameters (de Casteljau: the blossom at t0, t1)."""
        control = self.start.towards(self.control, t0).towards(
            self.control.towards(self.end, t0), t1
        )
        return Curve(self.at(t0), control, self.at(t1))
