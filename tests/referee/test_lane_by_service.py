from __future__ import annotations

import pytest

from roundhouse.codec import decode_tickets, encode_tickets
from roundhouse.replay import verify
from roundhouse.rules import commitment
from roundhouse.rules import edition as rules_of
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


@pytest.mark.parametrize(
    ("edition", "variants", "seats"),
    [
        ("family-3", [], 2),
        ("refresh-2025", ["open_tickets", "opening_exchange", "quick", "ticket_market"], 3),
        ("usa-1910", ["shared_network", "teams"], 4),
        ("classic", ["solo"], 1),
    ],
)
def test_house_bots_play_editions_and_variants_and_every_log_verifies(
    trusted_referee: Referee, edition: str, variants: list[str], seats: int
) -> None:
    request = lane(*HOUSE[-seats:], edition=edition)
    request.variants.extend(variants)
    [game] = finished(trusted_referee.play(request))
    assert game.forfeits == []
    assert (game.log.rules.edition, list(game.log.rules.variants)) == (edition, variants)


def test_a_lane_is_played_with_the_tickets_of_an_own_box(trusted_referee: Referee) -> None:
    own = rules_of("mega").tickets[:30]
    request = lane(*HOUSE[:2], edition="classic")
    request.own_tickets.extend(encode_tickets(own))
    [game] = finished(trusted_referee.play(request))
    assert game.forfeits == []
    assert decode_tickets(game.log.rules.own_tickets) == own


def test_decision_ids_rise_through_a_lane_so_that_no_answer_fits_a_later_game(
    trusted_referee: Referee,
) -> None:
    games = finished(trusted_referee.play(lane(*HOUSE[:2], games=3)))
    ids = [entry.action.decision_id for game in games for entry in game.log.entries]
    assert len(set(ids)) == len(ids)
    assert min(ids) == 1
