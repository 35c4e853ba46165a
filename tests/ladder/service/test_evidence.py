"""Evidence over the wire: what a referee sends is what the owner gets, and nobody else gets any."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.game.v1 import observation_pb2, verdict_pb2
from roundhouse.api.ladder.v1 import ladder_pb2
from roundhouse.codec import encode_duration
from roundhouse.replay import dump_log
from tests.ladder.logs import play
from tests.ladder.service.test_tournament import create, plan

if TYPE_CHECKING:
    from ladder.store.database import Database
    from tests.ladder.referee import FakeReferee
    from tests.ladder.service.conftest import Client

KEY = "the owner key of alpha"
SECOND = timedelta(seconds=1)
FORFEIT = verdict_pb2.Forfeit(
    seat=0,
    reason=verdict_pb2.FORFEIT_REASON_RESOURCE,
    sentence="Its process ended: killed by the kernel at its memory limit.",
    decision_id=17,
    limit=encode_duration(15 * SECOND),
    used=encode_duration(2 * SECOND),
    margin=encode_duration(SECOND / 4),
    passed=encode_duration(3 * SECOND),
    exit_code=-9,
    phase=observation_pb2.PHASE_TURN,
    out_of_memory=True,
    last_request=b"\x1a\x02\x08\x11",
    output_tail=b"Traceback " * 6000,
    usage=verdict_pb2.BotUsage(
        processor=encode_duration(4 * SECOND),
        memory_peak=2**29,
        memory_kills=1,
        refused_processes=0,
        withheld=encode_duration(SECOND),
        stalled=encode_duration(SECOND),
    ),
)


def evidence(client: Client, game_id: str, key: str) -> list[verdict_pb2.Forfeit]:
    request = ladder_pb2.ListEvidenceRequest(game_id=game_id, owner_key=key)
    return list(client.ladder.ListEvidence(request).forfeits)


def recorded(client: Client, database: Database, forfeit: verdict_pb2.Forfeit) -> str:
    """Submit, plan and record a deal group; the first game comes with a forfeit of alpha's."""
    for name, key in (("alpha", KEY), ("bravo", "the owner key of bravo")):
        archive = client.archive(name)
        client.ladder.SubmitBot(ladder_pb2.SubmitBotRequest(archive=archive, owner_key=key))
    made = create(client, "alpha", "bravo", deals=1)
    names = dict(zip(made.versions, made.bots, strict=True))
    first, second = plan(client, database, made.id)
    for game, forfeits in ((first, [forfeit]), (second, [])):
        log = dump_log(play(game, names))
        client.ladder.RecordGame(ladder_pb2.RecordGameRequest(log=log, forfeits=forfeits))
    return first.id


def test_the_owner_gets_everything_that_the_referee_sent(
    client: Client, database: Database
) -> None:
    assert len(FORFEIT.ListFields()) == len(FORFEIT.DESCRIPTOR.fields) - 1  # but for seat 0
    game_id = recorded(client, database, FORFEIT)

    assert evidence(client, game_id, KEY) == [FORFEIT]


@pytest.mark.parametrize("key", ["", "the owner key of bravo", "the owner key of nobody"])
def test_others_are_told_that_nothing_is_theirs(
    client: Client, database: Database, key: str
) -> None:
    game_id = recorded(client, database, FORFEIT)

    with pytest.raises(grpc.RpcError) as refused:
        evidence(client, game_id, key)
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND
    assert "with this owner key" in str(refused.value.details())


def test_what_a_referee_sends_is_cut_to_what_is_kept(client: Client, database: Database) -> None:
    flood = verdict_pb2.Forfeit()
    flood.CopyFrom(FORFEIT)
    flood.sentence, flood.last_request = "x" * 10_000, bytes(100_000)
    flood.output_tail = b"begin" + bytes(65_531) + b"end"
    game_id = recorded(client, database, flood)

    (kept,) = evidence(client, game_id, KEY)

    assert (len(kept.sentence), kept.last_request) == (2_000, b"")
    assert len(kept.output_tail) == 65_536
    assert kept.output_tail.endswith(b"end")
    assert kept.usage == FORFEIT.usage


def test_a_name_that_is_taken_is_refused_before_a_smoke_game(
    client: Client, referee: FakeReferee
) -> None:
    for content, key in (("1", KEY), ("22", "the owner key of eve")):
        archive = client.archive("alpha", content)
        request = ladder_pb2.SubmitBotRequest(archive=archive, owner_key=key)
        if key == KEY:
            client.ladder.SubmitBot(request)
            continue
        with pytest.raises(grpc.RpcError) as refused:
            client.ladder.SubmitBot(request)
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "The name alpha is taken" in str(refused.value.details())
    assert len(referee.lanes) == 1


def test_a_key_that_is_no_secret_refuses_the_submission(client: Client) -> None:
    request = ladder_pb2.SubmitBotRequest(archive=client.archive("alpha"), owner_key="guess me")
    with pytest.raises(grpc.RpcError) as refused:
        client.ladder.SubmitBot(request)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "16 to 256 characters, not 8" in str(refused.value.details())
