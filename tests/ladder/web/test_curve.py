import pytest

from ladder.web.curve import BOTTOM, HEIGHT, LEFT, WIDTH, RatingCurve


@pytest.mark.parametrize("ratings", [[], [1500.0]])
def test_fewer_than_two_ratings_make_no_curve(ratings: list[float]) -> None:
    assert RatingCurve.of(ratings) is None


def test_the_curve_spans_the_canvas_between_round_ratings() -> None:
    curve = RatingCurve.of([1500.0, 1550.0, 1500.0])
    assert curve is not None
    top, bottom = float(BOTTOM), float(HEIGHT - BOTTOM)
    assert curve.points == f"{LEFT}.0,{bottom} {(LEFT + WIDTH) / 2},{top} {WIDTH}.0,{bottom}"
    assert [(line.label, line.y) for line in curve.grid] == [("1500", bottom), ("1550", top)]


def test_equal_ratings_lie_in_the_middle() -> None:
    curve = RatingCurve.of([1500.0, 1500.0])
    assert curve is not None
    assert {point.split(",")[1] for point in curve.points.split()} == {f"{HEIGHT / 2:.1f}"}


@pytest.mark.parametrize("spread", [1, 60, 400, 3000, 100_000])
def test_there_are_never_many_lines(spread: float) -> None:
    curve = RatingCurve.of([1500.0, 1500.0 + spread])
    assert curve is not None
    assert 2 <= len(curve.grid) <= 8
