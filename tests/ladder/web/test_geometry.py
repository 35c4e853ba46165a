from math import hypot, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.web.geometry import Curve, Point

coordinates = st.floats(0, 1000)
points = st.builds(Point, coordinates, coordinates)


def test_a_straight_curve_is_as_long_as_its_ends_are_apart() -> None:
    curve = Curve.bent(Point(0, 0), Point(30, 40), bend=0)
    assert isclose(curve.length(), 50)


def test_a_bend_pulls_the_middle_along_the_normal_by_half() -> None:
    # From left to right the normal (-dy, dx) points down the screen.
    curve = Curve.bent(Point(0, 0), Point(100, 0), bend=20)
    assert curve.control == Point(50, 20)
    assert curve.at(0.5) == Point(50, 10)


def test_a_shift_moves_the_whole_curve_sideways() -> None:
    curve = Curve.bent(Point(0, 0), Point(100, 0), bend=0, shift=6.5)
    assert (curve.start, curve.end) == (Point(0, 6.5), Point(100, 6.5))


def test_ends_that_are_one_point_are_refused() -> None:
    with pytest.raises(ValueError, match="two different ends"):
        Curve.bent(Point(5, 5), Point(5, 5), bend=3)


@given(points, points, st.floats(-40, 40), st.floats(0, 20))
def test_trimming_takes_the_margin_off_both_ends_and_stays_on_the_curve(
    start: Point, end: Point, bend: float, margin: float
) -> None:
    if start.distance(end) < 60:
        return
    curve = Curve.bent(start, end, bend)
    part = curve.trimmed(margin)
    assert isclose(part.length(), curve.length() - 2 * margin, abs_tol=0.5)
    samples = [curve.at(i / 2000) for i in range(2001)]
    for t in (0.0, 0.5, 1.0):
        place = part.at(t)
        assert min(hypot(p.x - place.x, p.y - place.y) for p in samples) < 1.0


def test_margins_that_leave_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="can't lose"):
        Curve.bent(Point(0, 0), Point(10, 0), bend=0).trimmed(5)


def test_svg_is_a_quadratic_path() -> None:
    assert Curve(Point(0, 1), Point(2, 3), Point(4, 5)).svg() == "M0.0 1.0Q2.0 3.0 4.0 5.0"
