"""What the demo calls wrong, shown a ladder that has been tampered with."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc
import pytest

from ladder.demo import show
from ladder.demo.show import Show, open_show
from ladder.errors import LadderError
from roundhouse.api.game.v1.verdict_pb2 import FORFEIT_REASON_TIME
from roundhouse.api.ladder.v1 import ladder_pb2, ladder_pb2_grpc
from roundhouse.api.ladder.v1.record_pb2 import GameRecord, GameSeat
from roundhouse.api.ladder.v1.tournament_pb2 import Tournament
from roundhouse.replay import dump_log
from roundhouse.testing import RandomBot, play_one_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from roundhouse.api.game.v1.log_pb2 import GameLog

TOURNAMENT = Tournament(id="t-demo", name="the demo's", games=3)


@dataclass
class Tampered(ladder_pb2_grpc.LadderServiceServicer):
    """A ladder of three games, to be changed by a test."""

    games: list[GameRecord] = field(default_factory=list)
    logs: dict[str, GameLog | bytes] = field(default_factory=dict)

    def GetTournament(  # noqa: N802 - the protocol's name
        self,
        request: ladder_pb2.GetTournamentRequest,  # noqa: ARG002
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> ladder_pb2.GetTournamentResponse:
        return ladder_pb2.GetTournamentResponse(tournament=TOURNAMENT)

    def ListGames(  # noqa: N802
        self,
        request: ladder_pb2.ListGamesRequest,
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> ladder_pb2.ListGamesResponse:
        first = int(request.page_token or 0)
        following = first + request.page_size
        return ladder_pb2.ListGamesResponse(
            games=self.games[first:following],
            next_page_token=str(following) if following < len(self.games) else "",
        )

    def GetLog(  # noqa: N802
        self, request: ladder_pb2.GetLogRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetLogResponse:
        if request.game_id not in self.logs:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, "Its deal group is being played.")
        log = self.logs[request.game_id]
        return ladder_pb2.GetLogResponse(log=log if isinstance(log, bytes) else dump_log(log))


@pytest.fixture
def ladder() -> Tampered:
    ladder = Tampered()  # type: ignore[abstract] # the demo calls no more of it
    for number, score in enumerate((80, 61, 70)):
        log = play_one_game(RandomBot(), seed=number)
        log.game_id, log.host.isolated = f"game-{number}", True
        seats = [
            GameSeat(bot="planner", score=score, rating_change=8),
            GameSeat(bot="greedy", score=60, rating_change=-8),
        ]
        ladder.games.append(GameRecord(game_id=log.game_id, seats=seats))
        ladder.logs[log.game_id] = log
    return ladder


@pytest.fixture
def demo(ladder: Tampered, monkeypatch: pytest.MonkeyPatch) -> Iterator[Show]:
    monkeypatch.setattr(show, "PAGE", 2)
    with ThreadPoolExecutor(2) as threads:
        server = grpc.server(threads)
        ladder_pb2_grpc.add_LadderServiceServicer_to_server(ladder, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            with open_show(f"127.0.0.1:{port}", is_rated=True) as demo:
                yield demo
        finally:
            server.stop(None).wait()


def log_of(ladder: Tampered, number: int) -> GameLog:
    log = ladder.logs[f"game-{number}"]
    assert not isinstance(log, bytes)
    return log


def test_a_ladder_that_is_right_has_no_faults(demo: Show) -> None:
    result = demo.check([TOURNAMENT])
    assert (result.games, result.verified, result.forfeits, result.faults) == (3, 3, 0, ())
    assert result.replay == "game-1"  # the closest


def test_a_game_that_is_missing_is_a_fault(demo: Show, ladder: Tampered) -> None:
    del ladder.games[0]
    assert demo.check([TOURNAMENT]).faults == ("3 games were planned and 2 are recorded.",)


def test_a_forfeit_of_a_house_bot_is_a_fault(demo: Show, ladder: Tampered) -> None:
    ladder.games[1].seats[0].forfeit = FORFEIT_REASON_TIME
    result = demo.check([TOURNAMENT])
    assert (result.forfeits, result.faults) == (1, ("planner forfeited game game-1 (TIME).",))


def test_ratings_that_do_not_move_are_a_fault(demo: Show, ladder: Tampered) -> None:
    for game in ladder.games:
        for seat in game.seats:
            seat.rating_change = 0
    assert demo.check([TOURNAMENT]).faults == ("No game has changed a rating.",)


def test_a_log_that_does_not_hold_is_a_fault(demo: Show, ladder: Tampered) -> None:
    log_of(ladder, 2).entries[5].digest = b"\0" * 8
    result = demo.check([TOURNAMENT])
    assert result.verified == 2
    (fault,) = result.faults
    assert fault.startswith("Game game-2: ")


def test_a_log_that_can_t_be_read_is_a_fault(demo: Show, ladder: Tampered) -> None:
    ladder.logs["game-0"] = b"no log"
    (fault,) = demo.check([TOURNAMENT]).faults
    assert fault.startswith("Game game-0: ")


def test_another_game_s_log_is_a_fault(demo: Show, ladder: Tampered) -> None:
    ladder.logs["game-0"] = log_of(ladder, 1)
    assert demo.check([TOURNAMENT]).faults == ("The log of game game-0 is that of game-1.",)


def test_a_rated_game_without_a_sandbox_is_a_fault(demo: Show, ladder: Tampered) -> None:
    log_of(ladder, 0).host.isolated = False
    assert demo.check([TOURNAMENT]).faults == (
        "Game game-0 was rated and played without a sandbox.",
    )


def test_a_ladder_that_is_away_is_one_sentence() -> None:
    with (
        pytest.raises(LadderError, match=r"^No ladder answers at 127\.0\.0\.1:1"),
        open_show("127.0.0.1:1", is_rated=True) as demo,
    ):
        demo.check([TOURNAMENT])
