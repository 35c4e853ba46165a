"""What `roundhouse tournament show` says of the deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from roundhouse.api.ladder.v1.ladder_pb2 import GetTournamentRequest
from roundhouse.api.ladder.v1.statistics_pb2 import DealStatistics, SeatAdvantage, VarianceRatio

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sdk.cli.conftest import Outcome
    from tests.sdk.cli.fake_ladder import FakeLadder

SEATS = [
    SeatAdvantage(seat=0, score=0.5312, score_error=0.011, margin=4.25, margin_error=1.5),
    SeatAdvantage(seat=1, score=0.4688, score_error=0.011, margin=-4.25, margin_error=1.5),
]


@pytest.mark.usefixtures("here")
def test_the_saving_and_the_seats_are_shown_with_their_errors(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    roundhouse("tournament", "create", "a", "b")
    ladder.deals = DealStatistics(
        groups=40,
        games=80,
        rank=VarianceRatio(ratio=0.71, error=0.05),
        margin=VarianceRatio(ratio=0.5, error=0.04),
        seats=SEATS,
    )
    outcome = roundhouse("tournament", "show", "t-1")
    assert ladder.requests[-1] == GetTournamentRequest(id="t-1", measure_deals=True)
    assert (
        "40 deal groups; variance of a group's score beside independent games: "
        "0.71 ± 0.05 of the rank and 0.50 ± 0.04 of the margin."
    ) in outcome.out
    last = outcome.out.splitlines()[-1].split()
    assert last == ["1", "0.469", "±", "0.011", "-4.2", "±", "1.5"]


@pytest.mark.usefixtures("here")
def test_what_was_not_measured_is_left_out(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    roundhouse("tournament", "create", "a", "b")
    assert "deal groups" not in roundhouse("tournament", "show", "t-1").out
    ladder.deals = DealStatistics(groups=40, games=80, seats=SEATS)
    assert "nothing varied" in roundhouse("tournament", "show", "t-1").out
