"""A ladder that answers from memory: it knows the calls, and no rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import grpc

from roundhouse.api.ladder.v1 import (
    ladder_pb2,
    ladder_pb2_grpc,
    record_pb2,
    statistics_pb2,
    tournament_pb2,
)
from roundhouse.api.ladder.v1.bot_pb2 import BotVersion
from roundhouse.package import PackageError, read_package

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from roundhouse.api.game.v1.verdict_pb2 import Forfeit

FINISHED = tournament_pb2.TournamentStatus.TOURNAMENT_STATUS_FINISHED
RUNNING = tournament_pb2.TournamentStatus.TOURNAMENT_STATUS_RUNNING


@dataclass
class FakeLadder(ladder_pb2_grpc.LadderServiceServicer):
    """`refusal` makes every call fail; `polls` is how often a tournament still runs when asked."""

    refusal: tuple[grpc.StatusCode, str] | None = None
    rows: list[ladder_pb2.GetLeaderboardResponse] = field(default_factory=list)
    tournaments: list[tournament_pb2.Tournament] = field(default_factory=list)
    crosstable: tournament_pb2.Crosstable = field(default_factory=tournament_pb2.Crosstable)
    deals: statistics_pb2.DealStatistics | None = None
    polls: int = 0
    obstacle: str = ""
    explanation: ladder_pb2.ExplainRatingResponse | None = None
    alarms: list[statistics_pb2.Alarm] = field(default_factory=list)
    games: list[record_pb2.GameRecord] = field(default_factory=list)
    log: bytes = b""
    evidence: list[Forfeit] = field(default_factory=list)
    requests: list[Message] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)

    # The command makes none of these calls.
    GetBot: ClassVar[Any] = None
    ListBots: ClassVar[Any] = None
    RecordGame: ClassVar[Any] = None
    RecordAbort: ClassVar[Any] = None

    def _take(self, request: Message, context: grpc.ServicerContext) -> None:
        self.requests.append(request)
        if self.refusal:
            context.abort(*self.refusal)

    def _missing(self, context: grpc.ServicerContext, sentence: str) -> NoReturn:
        context.abort(grpc.StatusCode.NOT_FOUND, sentence)
        raise AssertionError

    def SubmitBot(  # noqa: N802 - the name of the call
        self, request: ladder_pb2.SubmitBotRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.SubmitBotResponse:
        self._take(request, context)
        try:
            package = read_package(request.archive)
        except PackageError as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        known = package.hash in self.hashes
        if not known:
            self.hashes.append(package.hash)
        number = self.hashes.index(package.hash) + 1
        version = BotVersion(bot=package.manifest.name, hash=package.hash, number=number)
        return ladder_pb2.SubmitBotResponse(version=version, already_submitted=known)

    def CreateTournament(  # noqa: N802
        self, request: ladder_pb2.CreateTournamentRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.CreateTournamentResponse:
        self._take(request, context)
        made = tournament_pb2.Tournament(
            id="t-1",
            name=request.name or "Monday",
            bots=request.bots,
            edition=request.edition,
            variants=sorted(request.variants),
            table_size=request.table_size,
            deals=request.deals,
            games=4,
            rated=not (request.unrated or request.variants),
            status=RUNNING,
        )
        self.tournaments.append(made)
        return ladder_pb2.CreateTournamentResponse(tournament=made)

    def GetTournament(  # noqa: N802
        self, request: ladder_pb2.GetTournamentRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetTournamentResponse:
        self._take(request, context)
        found = next((one for one in self.tournaments if one.id == request.id), None)
        if found is None:
            self._missing(context, f"There is no tournament {request.id!r}.")
        if self.polls:
            self.polls -= 1
            found.finished_games += 1
        else:
            found.status, found.finished_games = FINISHED, found.games
        return ladder_pb2.GetTournamentResponse(
            tournament=found,
            crosstable=self.crosstable,
            deals=self.deals if request.measure_deals else None,
            obstacle=self.obstacle if found.status != FINISHED else "",
        )

    def ListTournaments(  # noqa: N802
        self, request: ladder_pb2.ListTournamentsRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListTournamentsResponse:
        self._take(request, context)
        return ladder_pb2.ListTournamentsResponse(tournaments=self.tournaments)

    def GetLeaderboard(  # noqa: N802
        self, request: ladder_pb2.GetLeaderboardRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetLeaderboardResponse:
        self._take(request, context)
        if self.rows:
            return self.rows[0]
        return ladder_pb2.GetLeaderboardResponse(pool=request.pool, pools=["classic/multi"])

    def ListGames(  # noqa: N802
        self, request: ladder_pb2.ListGamesRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListGamesResponse:
        self._take(request, context)
        return ladder_pb2.ListGamesResponse(games=self.games)

    def ExplainRating(  # noqa: N802
        self, request: ladder_pb2.ExplainRatingRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ExplainRatingResponse:
        self._take(request, context)
        if self.explanation is None:
            self._missing(context, f"There is no bot {request.bot!r}.")
        return self.explanation

    def ListAlarms(  # noqa: N802
        self, request: ladder_pb2.ListAlarmsRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListAlarmsResponse:
        self._take(request, context)
        return ladder_pb2.ListAlarmsResponse(pool=request.pool, alarms=self.alarms, groups=240)

    def GetLog(  # noqa: N802
        self, request: ladder_pb2.GetLogRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetLogResponse:
        self._take(request, context)
        if not self.log:
            self._missing(context, f"There is no game {request.game_id!r}.")
        return ladder_pb2.GetLogResponse(log=self.log)

    def GetGame(  # noqa: N802
        self, request: ladder_pb2.GetGameRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetGameResponse:
        self._take(request, context)
        return ladder_pb2.GetGameResponse(game=self.games[0])

    def ListEvidence(  # noqa: N802
        self, request: ladder_pb2.ListEvidenceRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListEvidenceResponse:
        self._take(request, context)
        if not self.evidence:
            self._missing(context, "No bot of yours has forfeited it.")
        return ladder_pb2.ListEvidenceResponse(forfeits=self.evidence)
