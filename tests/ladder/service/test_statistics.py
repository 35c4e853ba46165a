"""What is measured on results, over the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from roundhouse.api.ladder.v1 import ladder_pb2
from roundhouse.codec import decode_timestamp
from tests.ladder.world import MINUTE, NOW, World

if TYPE_CHECKING:
    from ladder.store.database import Database
    from tests.ladder.service.conftest import Client


@pytest.fixture
def played(database: Database) -> list[str]:
    """Three bots, two games a pair; the identities of the games in the order of recording."""
    world = World(database)
    games = world.planned("alpha", "bravo", "charlie")
    for game, placements in zip(games, [(1, 2), (2, 1), (1, 1)] * 2, strict=True):
        world.record(game, placements)
    return [game.id for game in games]


def test_a_rating_is_explained_by_its_changes(client: Client, played: list[str]) -> None:
    answer = client.ladder.ExplainRating(ladder_pb2.ExplainRatingRequest(bot="alpha"))
    assert (answer.pool, answer.games, len(answer.steps)) == ("classic/2", 4, 4)
    assert answer.steps[0].before == 1500
    assert answer.steps[-1].after == answer.rating
    first = answer.steps[0]
    assert (first.game_id, first.order, first.games_before) == (played[0], 1, 0)
    assert decode_timestamp(first.finished_at) == NOW + MINUTE
    assert (first.expected, first.actual, first.after) == (0.5, 1, 1516)
    pair = first.pairs[0]
    assert (pair.opponent, pair.opponent_rating, pair.k, pair.step) == ("bravo", 1500, 32, 16)
    assert not answer.HasField("without")


def test_one_change_and_the_rating_without_it(client: Client, played: list[str]) -> None:
    answer = client.ladder.ExplainRating(
        ladder_pb2.ExplainRatingRequest(
            bot="alpha", pool="classic/2", game_id=played[0], without_game_id=played[0]
        )
    )
    assert [step.game_id for step in answer.steps] == [played[0]]
    assert answer.without.rating == answer.rating
    assert answer.without.rating_without < answer.rating - 10
    assert answer.without.games_rated_again == 5


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"bot": "nobody"}, grpc.StatusCode.NOT_FOUND),
        ({"bot": "alpha", "pool": "classic"}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"bot": "alpha", "pool": "classic/multi"}, grpc.StatusCode.NOT_FOUND),
        ({"bot": "alpha", "without_game_id": "none"}, grpc.StatusCode.NOT_FOUND),
    ],
)
def test_what_cannot_be_explained_has_a_code(
    client: Client, fields: dict[str, Any], code: grpc.StatusCode
) -> None:
    with pytest.raises(grpc.RpcError) as error:
        client.ladder.ExplainRating(ladder_pb2.ExplainRatingRequest(**fields))
    assert error.value.code() is code


def test_alarms_are_looked_for_in_the_last_games(client: Client, played: list[str]) -> None:
    answer = client.ladder.ListAlarms(ladder_pb2.ListAlarmsRequest())
    assert (answer.pool, list(answer.alarms)) == ("classic/2", [])
    assert answer.groups == len(played) / 2
    with pytest.raises(grpc.RpcError) as error:
        client.ladder.ListAlarms(ladder_pb2.ListAlarmsRequest(pool="classic"))
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
