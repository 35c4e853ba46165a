"""A tournament from submission to leaderboard, over the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
import pytest

from ladder.service.messages import decode_planned_game, encode_planned_game
from ladder.store.tournaments import get_tournament
from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.api.ladder.v1 import dispatch_pb2, ladder_pb2, record_pb2, tournament_pb2
from roundhouse.codec import decode_timestamp, encode_duration
from roundhouse.replay import dump_log, load_log, verify
from tests.ladder.logs import play
from tests.ladder.world import MINUTE, NOW, round_robin

if TYPE_CHECKING:
    from ladder.domain.game import PlannedGame
    from ladder.store.database import Database
    from tests.ladder.service.conftest import Client


def create(client: Client, *bots: str, **options: int) -> tournament_pb2.Tournament:
    request = ladder_pb2.CreateTournamentRequest(
        name="Cup", bots=bots, edition="tiny", table_size=2, deals=2
    )
    for name, value in options.items():
        setattr(request, name, value)
    return client.ladder.CreateTournament(request).tournament


def plan(client: Client, database: Database, tournament_id: str) -> list[PlannedGame]:
    with database.read() as session:
        games = round_robin(get_tournament(session, tournament_id))
    client.dispatch.RecordPlan(
        dispatch_pb2.RecordPlanRequest(
            tournament_id=tournament_id, games=[encode_planned_game(game) for game in games]
        )
    )
    return games


def test_a_tournament_is_played_from_submission_to_leaderboard(
    client: Client, database: Database
) -> None:
    client.submit("alpha", "bravo", "charlie")
    created = create(client, "alpha", "bravo", "charlie")
    assert created.status == tournament_pb2.TOURNAMENT_STATUS_CREATED
    assert list(created.bots) == ["alpha", "bravo", "charlie"]
    assert created.rated
    names = dict(zip(created.versions, created.bots, strict=True))

    work = client.dispatch.ListWork(dispatch_pb2.ListWorkRequest())
    assert [item.tournament.id for item in work.unplanned] == [created.id]
    assert len(work.unplanned[0].seed) == 32
    planned = plan(client, database, created.id)
    work = client.dispatch.ListWork(dispatch_pb2.ListWorkRequest())
    assert len(work.chunk_ids) == 6
    assert not work.unplanned

    for chunk in work.chunk_ids:
        lease = client.dispatch.LeaseChunk(
            dispatch_pb2.LeaseChunkRequest(
                chunk_id=chunk, worker="worker", duration=encode_duration(MINUTE)
            )
        )
        assert list(lease.bots) == [names[version] for version in lease.games[0].versions]
        for game in lease.games:
            log = dump_log(play(decode_planned_game(game), names))
            recorded = client.ladder.RecordGame(ladder_pb2.RecordGameRequest(log=log))
            assert not recorded.already_recorded
        client.dispatch.ReleaseLease(
            dispatch_pb2.ReleaseLeaseRequest(chunk_id=chunk, worker="worker")
        )

    assert not client.dispatch.ListWork(dispatch_pb2.ListWorkRequest()).chunk_ids
    found = client.ladder.GetTournament(ladder_pb2.GetTournamentRequest(id=created.id))
    assert found.tournament.status == tournament_pb2.TOURNAMENT_STATUS_FINISHED
    assert found.tournament.finished_games == found.tournament.games == len(planned) == 12
    assert decode_timestamp(found.tournament.finished_at) == NOW
    assert len(found.crosstable.cells) == 6
    assert sorted(found.crosstable.bots) == ["alpha", "bravo", "charlie"]
    assert not found.HasField("deals")
    measured = client.ladder.GetTournament(
        ladder_pb2.GetTournamentRequest(id=created.id, measure_deals=True)
    ).deals
    assert (measured.groups, measured.games) == (6, 12)
    assert not measured.HasField("margin"), "too few groups for a ratio"
    assert [seat.seat for seat in measured.seats] == [0, 1]
    assert sum(seat.score for seat in measured.seats) == pytest.approx(1)

    board = client.ladder.GetLeaderboard(ladder_pb2.GetLeaderboardRequest(pool="tiny/2"))
    assert list(board.pools) == ["tiny/2"]
    assert [row.games for row in board.rows] == [8, 8, 8]
    assert sum(row.rating for row in board.rows) == pytest.approx(4500, abs=1e-9)
    assert [row.rating for row in board.rows] == sorted(
        (row.rating for row in board.rows), reverse=True
    )

    listed = client.ladder.ListGames(ladder_pb2.ListGamesRequest(bot="alpha", page_size=5))
    rest = client.ladder.ListGames(
        ladder_pb2.ListGamesRequest(bot="alpha", page_size=5, page_token=listed.next_page_token)
    )
    assert len(listed.games) == 5
    assert len(rest.games) == 3
    assert not rest.next_page_token
    for record in listed.games:
        assert record.status == record_pb2.GAME_STATUS_FINISHED
        assert record.log_open
        data = client.ladder.GetLog(ladder_pb2.GetLogRequest(game_id=record.game_id)).log
        assert verify(load_log(data)).ok
        assert [standing.placement for standing in load_log(data).standings] == [
            seat.placement for seat in record.seats
        ]
        assert sum(seat.rating_change for seat in record.seats) == pytest.approx(0, abs=1e-9)


def test_a_game_is_recorded_once_whatever_comes_second(client: Client, database: Database) -> None:
    client.submit("alpha", "bravo")
    created = create(client, "alpha", "bravo")
    names = dict(zip(created.versions, created.bots, strict=True))
    game = plan(client, database, created.id)[0]
    log = play(game, names)
    client.ladder.RecordGame(ladder_pb2.RecordGameRequest(log=dump_log(log)))
    log.host.name = "another machine"

    again = client.ladder.RecordGame(ladder_pb2.RecordGameRequest(log=dump_log(log)))

    assert again.already_recorded
    shown = client.ladder.GetGame(ladder_pb2.GetGameRequest(game_id=game.id)).game
    assert shown.status == record_pb2.GAME_STATUS_FINISHED
    with pytest.raises(grpc.RpcError) as error:
        client.ladder.GetLog(ladder_pb2.GetLogRequest(game_id=game.id))
    assert error.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "until every game of its deal has been played" in str(error.value.details())


def test_an_abort_leaves_the_game_to_be_played(client: Client, database: Database) -> None:
    client.submit("alpha", "bravo")
    game = plan(client, database, create(client, "alpha", "bravo").id)[0]

    client.ladder.RecordAbort(
        ladder_pb2.RecordAbortRequest(
            game_id=game.id, reason=verdict_pb2.ABORT_REASON_OVERLOAD, sentence="Too busy."
        )
    )

    shown = client.ladder.GetGame(ladder_pb2.GetGameRequest(game_id=game.id)).game
    assert shown.status == record_pb2.GAME_STATUS_PLANNED
    board = client.ladder.GetLeaderboard(ladder_pb2.GetLeaderboardRequest(pool="tiny/2"))
    assert not board.rows  # nobody has gained or lost by it
    lease = client.dispatch.LeaseChunk(
        dispatch_pb2.LeaseChunkRequest(
            chunk_id=game.chunk, worker="worker", duration=encode_duration(MINUTE)
        )
    )
    assert lease.aborts == 1
    assert game.id in {item.game_id for item in lease.games}


def test_tournaments_are_listed_newest_first(client: Client) -> None:
    client.submit("alpha", "bravo")
    ids = [create(client, "alpha", "bravo", deals=deals).id for deals in (1, 2, 3)]

    page = client.ladder.ListTournaments(ladder_pb2.ListTournamentsRequest(page_size=2))
    rest = client.ladder.ListTournaments(
        ladder_pb2.ListTournamentsRequest(page_size=2, page_token=page.next_page_token)
    )

    assert [item.id for item in page.tournaments] == [ids[2], ids[1]]
    assert [item.id for item in rest.tournaments] == [ids[0]]


def test_a_lease_is_renewed_by_its_holder_alone(client: Client, database: Database) -> None:
    client.submit("alpha", "bravo")
    chunk = plan(client, database, create(client, "alpha", "bravo").id)[0].chunk
    duration = encode_duration(MINUTE)
    client.dispatch.LeaseChunk(
        dispatch_pb2.LeaseChunkRequest(chunk_id=chunk, worker="one", duration=duration)
    )

    client.dispatch.RenewLease(
        dispatch_pb2.RenewLeaseRequest(chunk_id=chunk, worker="one", duration=duration)
    )
    with pytest.raises(grpc.RpcError) as error:
        client.dispatch.RenewLease(
            dispatch_pb2.RenewLeaseRequest(chunk_id=chunk, worker="two", duration=duration)
        )
    assert error.value.code() is grpc.StatusCode.FAILED_PRECONDITION


@pytest.mark.parametrize(
    ("edition", "variants", "table_size"),
    [("tiny", ["solo"], 1), ("classic", ["quick", "teams"], 4), ("mega", ["open_tickets"], 2)],
)
def test_a_tournament_with_variants_is_played_and_not_rated(
    client: Client, database: Database, edition: str, variants: list[str], table_size: int
) -> None:
    client.submit("alpha", "bravo", "charlie", "delta")
    request = ladder_pb2.CreateTournamentRequest(
        bots=["alpha", "bravo", "charlie", "delta"],
        edition=edition,
        variants=variants,
        table_size=table_size,
        deals=1,
    )
    created = client.ladder.CreateTournament(request).tournament
    assert (list(created.variants), created.rated) == (sorted(variants), False)
    names = dict(zip(created.versions, created.bots, strict=True))
    label = "+".join([edition, *variants])
    for game in plan(client, database, created.id):
        log = dump_log(play(game, names, label))
        client.ladder.RecordGame(ladder_pb2.RecordGameRequest(log=log))
    found = client.ladder.GetTournament(
        ladder_pb2.GetTournamentRequest(id=created.id, measure_deals=True)
    )
    assert found.tournament.status == tournament_pb2.TOURNAMENT_STATUS_FINISHED
    assert list(found.tournament.variants) == sorted(variants)
    assert list(client.ladder.GetLeaderboard(ladder_pb2.GetLeaderboardRequest()).rows) == []
    [listed] = client.ladder.ListTournaments(ladder_pb2.ListTournamentsRequest()).tournaments
    assert listed == found.tournament
