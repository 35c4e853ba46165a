"""The show: submit, play, tabulate and verify, through the ladder's public calls alone."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

from ladder.demo import tables
from ladder.demo.house_bots import packed
from ladder.errors import LadderError
from roundhouse.api.ladder.v1 import ladder_pb2, ladder_pb2_grpc, record_pb2
from roundhouse.api.ladder.v1.tournament_pb2 import TOURNAMENT_STATUS_FINISHED
from roundhouse.channel import OPTIONS
from roundhouse.cli.folders import HOUSE_BOTS
from roundhouse.cli.remote import sentence_of
from roundhouse.cli.screen import progress, show, waiting
from roundhouse.errors import RoundhouseError
from roundhouse.replay import load_log, verify
from roundhouse.verdict import REASON_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from roundhouse.api.ladder.v1.record_pb2 import GameRecord
    from roundhouse.api.ladder.v1.tournament_pb2 import Tournament

CALL_SECONDS = 30.0
SUBMIT_SECONDS = 180.0
LOOK_AGAIN_SECONDS = 0.25
PATIENCE_SECONDS = 180.0
"""How long no game may end before the demo says that something hangs."""
FIT_SECONDS = 15.0
"""The ladder fits its boards within seconds after a tournament."""
PAGE = 500


@dataclass(frozen=True, slots=True)
class Result:
    """What came of it, for the last lines of the demo."""

    games: int
    verified: int
    forfeits: int
    faults: tuple[str, ...]
    """What was not right, one sentence each."""
    replay: str
    """A game that is worth looking at."""


class Show:
    """The demo of one ladder."""

    def __init__(self, ladder: ladder_pb2_grpc.LadderServiceStub, *, is_rated: bool) -> None:
        self._ladder = ladder
        self._is_rated = is_rated

    def submit(self, examples: Path) -> None:
        """Submit the house bots, each with its smoke game."""
        for bot in packed(examples):
            began = time.monotonic()
            with waiting(f"Submitting {bot.name}: it plays a smoke game in the sandbox ..."):
                version = self._ladder.SubmitBot(
                    ladder_pb2.SubmitBotRequest(archive=bot.archive), timeout=SUBMIT_SECONDS
                ).version
            show(
                f"{version.bot}: version {version.number} accepted, {version.size} bytes, "
                f"{version.hash[:12]} ({time.monotonic() - began:.1f} s)"
            )

    def create(self, name: str, table_size: int, deals: int) -> Tournament:
        """Create a round-robin between the house bots."""
        return self._ladder.CreateTournament(
            ladder_pb2.CreateTournamentRequest(
                name=name,
                bots=HOUSE_BOTS,
                table_size=table_size,
                deals=deals,
                unrated=not self._is_rated,
            ),
            timeout=CALL_SECONDS,
        ).tournament

    def follow(self, tournaments: list[Tournament]) -> None:
        """Show the progress of tournaments until all have finished.

        Raises `LadderError` when no game ends for a long while.
        """
        with progress() as bars:
            tasks = {one.id: bars.add_task(one.name, total=None) for one in tournaments}
            played, since = -1, time.monotonic()
            while True:
                now = [self._get(one.id).tournament for one in tournaments]
                for one in now:
                    bars.update(
                        tasks[one.id], completed=one.finished_games, total=one.games or None
                    )
                if all(one.status == TOURNAMENT_STATUS_FINISHED for one in now):
                    return
                if sum(one.finished_games for one in now) != played:
                    played, since = sum(one.finished_games for one in now), time.monotonic()
                elif time.monotonic() - since > PATIENCE_SECONDS:
                    raise LadderError(
                        f"No game has ended for {PATIENCE_SECONDS:.0f} seconds; the logs of worker "
                        "and referee say why."
                    )
                time.sleep(LOOK_AGAIN_SECONDS)

    def tabulate(self, tournaments: list[Tournament]) -> None:
        """Print the leaderboards and the crosstables."""
        if self._is_rated:
            pools = self._ladder.GetLeaderboard(
                ladder_pb2.GetLeaderboardRequest(), timeout=CALL_SECONDS
            ).pools
            for pool in pools:
                show("")
                show(tables.leaderboard(self._leaderboard(pool)))
        for one in tournaments:
            show("")
            show(tables.crosstable(self._get(one.id).crosstable, f"Crosstable of {one.name}"))
        show("")

    def _leaderboard(self, pool: str) -> ladder_pb2.GetLeaderboardResponse:
        """Return a leaderboard; for a while, wait until its ratings hold all games."""
        until = time.monotonic() + FIT_SECONDS
        while True:
            answer = self._ladder.GetLeaderboard(
                ladder_pb2.GetLeaderboardRequest(pool=pool), timeout=CALL_SECONDS
            )
            if answer.fit.last_game >= answer.last_game or time.monotonic() > until:
                return answer
            time.sleep(LOOK_AGAIN_SECONDS)

    def check(self, tournaments: list[Tournament]) -> Result:
        """Verify the log of every game, and that nothing is missing."""
        planned = sum(self._get(one.id).tournament.games for one in tournaments)
        games = [game for one in tournaments for game in self._games(one.id)]
        faults = []
        if len(games) != planned:
            faults.append(f"{planned} games were planned and {len(games)} are recorded.")
        forfeits = [
            f"{seat.bot} forfeited game {game.game_id} ({REASON_NAMES[seat.forfeit]})."
            for game in games
            for seat in game.seats
            if seat.forfeit
        ]
        faults += forfeits
        if self._is_rated and not any(seat.rating_change for game in games for seat in game.seats):
            faults.append("No game has changed a rating.")
        verified = 0
        with progress() as bars:
            for game in bars.track(games, description="Verifying the logs"):
                fault = self._verify(game)
                if fault:
                    faults.append(fault)
                else:
                    verified += 1
        return Result(len(games), verified, len(forfeits), tuple(faults), _worth_seeing(games))

    def _verify(self, game: GameRecord) -> str:
        """Return what is wrong with the log of a game, or nothing."""
        answer = self._ladder.GetLog(
            ladder_pb2.GetLogRequest(game_id=game.game_id), timeout=CALL_SECONDS
        )
        try:
            log = load_log(answer.log)
        except RoundhouseError as error:
            return f"Game {game.game_id}: {error}"
        if log.game_id != game.game_id:
            return f"The log of game {game.game_id} is that of {log.game_id}."
        if self._is_rated and not log.host.isolated:
            return f"Game {game.game_id} was rated and played without a sandbox."
        verification = verify(log)
        return "" if verification.ok else f"Game {game.game_id}: {verification.sentence}"

    def _get(self, tournament_id: str) -> ladder_pb2.GetTournamentResponse:
        return self._ladder.GetTournament(
            ladder_pb2.GetTournamentRequest(id=tournament_id), timeout=CALL_SECONDS
        )

    def _games(self, tournament_id: str) -> Iterator[GameRecord]:
        token = ""
        while True:
            page = self._ladder.ListGames(
                ladder_pb2.ListGamesRequest(
                    tournament_id=tournament_id,
                    status=record_pb2.GAME_STATUS_FINISHED,
                    page_size=PAGE,
                    page_token=token,
                ),
                timeout=CALL_SECONDS,
            )
            yield from page.games
            token = page.next_page_token
            if not token:
                return


@contextmanager
def open_show(target: str, *, is_rated: bool) -> Iterator[Show]:
    """Open a channel to a ladder for a show. Its refusals leave the block as `LadderError`."""
    with grpc.insecure_channel(target, OPTIONS) as channel:
        try:
            yield Show(ladder_pb2_grpc.LadderServiceStub(channel), is_rated=is_rated)
        except grpc.RpcError as error:
            raise LadderError(sentence_of(error, "ladder", target)) from error


def _worth_seeing(games: list[GameRecord]) -> str:
    """Choose the closest of the largest tables."""

    def closeness(game: GameRecord) -> tuple[int, int]:
        scores = sorted((seat.score for seat in game.seats), reverse=True)
        return -len(scores), scores[0] - scores[1]

    return min(games, key=closeness).game_id if games else ""
