from __future__ import annotations

import pytest

from roundhouse.replay import verify
from roundhouse.rules import commitment
from tests.referee.serving import EXAMPLES, Referee, finished, lane

HOUSE = [EXAMPLES / name for name in ("random", "greedy", "hoarder", "planner")]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_house_bots_play_a_lane_and_every_log_verifies(
    trusted_referee: Referee, seats: int
) -> None:
    request = lane(*HOUSE[:seats], games=3, edition="classic")
    responses = trusted_referee.play(request)
    assert responses[0].HasField("lane_started")
    games = finished(responses)
    assert [game.log.game_id for game in games] == ["game-0", "game-1", "game-2"]
    for deal, game in zip(request.games, games, strict=True):
        assert game.forfeits == []
        assert [seat.bot for seat in game.log.seats] == [bot.name for bot in HOUSE[:seats]]
        assert [seat.version for seat in game.log.seats] == [s.version for s in request.seats]
        assert game.log.seed == deal.seed
        assert game.log.seed_commitment == commitment(deal.seed)
        assert game.log.host == responses[0].lane_started.host
        assert not game.log.host.isolated
        assert verify(game.log).entries == len(game.log.entries)


def test_decision_ids_rise_through_a_lane_so_that_no_answer_fits_a_later_game(
    trusted_referee: Referee,
) -> None:
    games = finished(trusted_referee.play(lane(*HOUSE[:2], games=3)))
    ids = [entry.action.decision_id for game in games for entry in game.log.entries]
    assert len(set(ids)) == len(ids)
    assert min(ids) == 1
