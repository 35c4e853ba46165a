"""`roundhouse ratings explain`: all changes, one of them, and a game left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from roundhouse.api.ladder.v1.ladder_pb2 import ExplainRatingRequest, ExplainRatingResponse
from roundhouse.api.ladder.v1.statistics_pb2 import RatingPair, RatingStep, WithoutGame

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sdk.cli.conftest import Outcome
    from tests.sdk.cli.fake_ladder import FakeLadder

PAIRS = [
    RatingPair(
        opponent="b",
        opponent_rating=1516,
        opponent_games=3,
        k=16,
        expected=0.477,
        actual=1,
        step=8.368,
    ),
    RatingPair(
        opponent="c",
        opponent_rating=1484,
        opponent_games=3,
        k=16,
        expected=0.523,
        actual=0.5,
        step=-0.368,
    ),
]
STEP = RatingStep(
    game_id="g1", before=1500, after=1508, expected=1, actual=1.5, pairs=PAIRS, games_before=3
)

pytestmark = pytest.mark.usefixtures("here")


def test_each_change_is_a_line(roundhouse: Callable[..., Outcome], ladder: FakeLadder) -> None:
    ladder.explanation = ExplainRatingResponse(
        pool="classic/multi", rating=1508, games=9, steps=[STEP]
    )
    outcome = roundhouse("ratings", "explain", "a", "--pool", "classic/multi", "--limit", 1)
    assert ladder.requests == [ExplainRatingRequest(bot="a", pool="classic/multi", limit=1)]
    lines = outcome.out.splitlines()
    assert lines[0] == "a in classic/multi: live Elo 1508.00 after 9 games; the last 1."
    assert lines[-1].split() == [
        *("g1", "b", "(1516),", "c", "(1484)"),
        *("1500.00", "1.000", "1.5", "+8.00", "1508.00"),
    ]


def test_one_game_is_shown_pair_by_pair(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.explanation = ExplainRatingResponse(
        pool="classic/multi", rating=1508, games=9, steps=[STEP]
    )
    lines = roundhouse("ratings", "explain", "a", "--game", "g1").out.splitlines()
    assert lines[-3].split() == ["b", "1516.00", "3", "16", "0.4770", "1", "+8.3680"]
    assert lines[-2].split() == ["c", "1484.00", "3", "16", "0.5230", "0.5", "-0.3680"]
    assert lines[-1].split() == ["together", "1500.00", "to", "1508.00", "1.0000", "1.5", "+8.0000"]


def test_the_rating_without_a_game_is_said(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.explanation = ExplainRatingResponse(
        pool="classic/2",
        rating=1508,
        games=1,
        steps=[STEP],
        without=WithoutGame(game_id="g1", rating=1508, rating_without=1499.5, games_rated_again=12),
    )
    outcome = roundhouse("ratings", "explain", "a", "--without", "g1")
    assert ladder.requests[-1].without_game_id == "g1"  # type: ignore[attr-defined]
    assert outcome.out.splitlines()[-1] == (
        "Without game g1 a would stand at 1499.50 (-8.50); "
        "12 later games were rated again for that."
    )
    assert "; all.\n" in outcome.out


@pytest.mark.usefixtures("here", "ladder")
def test_an_unknown_bot_is_the_ladder_s_sentence(roundhouse: Callable[..., Outcome]) -> None:
    outcome = roundhouse("ratings", "explain", "nobody")
    assert (outcome.code, outcome.err) == (1, "roundhouse: There is no bot 'nobody'.\n")
