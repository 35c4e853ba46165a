"""LadderService: what authors, organisers and viewers call, and workers to record."""

from collections.abc import Callable
from datetime import datetime

import grpc

from ladder.domain.owner import owner_of
from ladder.errors import InvalidError
from ladder.gamelog import read_result
from ladder.organising import new_tournament_id, plan_tournament
from ladder.service.messages import (
    GAME_STATUS,
    encode_bot,
    encode_crosstable,
    encode_evidence,
    encode_fit,
    encode_game,
    encode_leaderboard_row,
    encode_tournament,
    encode_version,
    read_report,
)
from ladder.service.statistics import (
    encode_alarm,
    encode_deal_statistics,
    encode_rating_step,
    encode_without_game,
)
from ladder.smoke import SmokeTest
from ladder.statistics.alarms import anchors_with, find_alarms
from ladder.statistics.deals import measure_deals
from ladder.store import (
    aborts,
    alarms,
    bots,
    crosstable,
    deals,
    evidence,
    explanation,
    fits,
    games,
    leaderboard,
    logs,
    ratings,
    recording,
    tournaments,
)
from ladder.store.database import Database
from ladder.submission import submit
from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.api.ladder.v1 import ladder_pb2, ladder_pb2_grpc
from roundhouse.codec import decode_time_control

_MAX_PAIRS = 50
"""Of so many bots the likelihoods of superiority have 20 KB."""
_STATUS_OF_MESSAGE = {message: status for status, message in GAME_STATUS.items()}


class LadderService(ladder_pb2_grpc.LadderServiceServicer):
    """Answers from the database; one call is one transaction, or two around a smoke game."""

    def __init__(
        self, database: Database, smoke: SmokeTest, now: Callable[[], datetime], *, anchor: str
    ) -> None:
        self._database = database
        self._anchor = anchor
        self._smoke = smoke
        self._now = now

    def SubmitBot(
        self, request: ladder_pb2.SubmitBotRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.SubmitBotResponse:
        """Check an archive and accept it as a version."""
        version, is_known = submit(
            self._database,
            self._smoke,
            request.archive,
            self._now(),
            owner=owner_of(request.owner_key),
        )
        return ladder_pb2.SubmitBotResponse(
            version=encode_version(version), already_submitted=is_known
        )

    def GetBot(
        self, request: ladder_pb2.GetBotRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetBotResponse:
        """Return a bot and its versions."""
        with self._database.read() as session:
            bot = bots.get_bot(session, request.name)
            versions = bots.list_versions(session, request.name)
        return ladder_pb2.GetBotResponse(
            bot=encode_bot(bot), versions=[encode_version(version) for version in versions]
        )

    def ListBots(
        self, request: ladder_pb2.ListBotsRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListBotsResponse:
        """List the bots."""
        with self._database.read() as session:
            page = bots.list_bots(session, limit=request.page_size, token=request.page_token)
        return ladder_pb2.ListBotsResponse(
            bots=[encode_bot(bot) for bot in page.items], next_page_token=page.next_token
        )

    def CreateTournament(
        self, request: ladder_pb2.CreateTournamentRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.CreateTournamentResponse:
        """Create a tournament, which a worker will plan."""
        now = self._now()
        control = request.time_control if request.HasField("time_control") else None
        new = plan_tournament(
            name=request.name,
            bots=tuple(request.bots),
            edition=request.edition,
            variants=tuple(request.variants),
            table_size=request.table_size,
            deals=request.deals,
            time_control=None if control is None else decode_time_control(control),
            seed=request.seed,
            is_unrated=request.unrated,
            now=now,
        )
        with self._database.write() as session:
            tournament = tournaments.create_tournament(session, new_tournament_id(), new, now)
        return ladder_pb2.CreateTournamentResponse(tournament=encode_tournament(tournament))

    def GetTournament(
        self, request: ladder_pb2.GetTournamentRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetTournamentResponse:
        """Return a tournament with its progress and crosstable."""
        with self._database.read() as session:
            tournament = tournaments.get_tournament(session, request.id)
            table = crosstable.get_crosstable(session, request.id)
            groups = deals.list_deal_groups(session, request.id) if request.measure_deals else ()
            obstacle = aborts.find_obstacle(session, request.id)
        measured = measure_deals(groups)
        return ladder_pb2.GetTournamentResponse(
            tournament=encode_tournament(tournament),
            crosstable=encode_crosstable(table),
            deals=None if measured is None else encode_deal_statistics(measured),
            obstacle=obstacle,
        )

    def ListTournaments(
        self, request: ladder_pb2.ListTournamentsRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListTournamentsResponse:
        """List the tournaments."""
        with self._database.read() as session:
            page = tournaments.list_tournaments(
                session, limit=request.page_size, token=request.page_token
            )
        return ladder_pb2.ListTournamentsResponse(
            tournaments=[encode_tournament(item) for item in page.items],
            next_page_token=page.next_token,
        )

    def ListGames(
        self, request: ladder_pb2.ListGamesRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListGamesResponse:
        """List games."""
        if request.status and request.status not in _STATUS_OF_MESSAGE:
            raise InvalidError(f"{request.status} is not a status of a game.")
        with self._database.read() as session:
            page = games.list_games(
                session,
                tournament=request.tournament_id or None,
                bot=request.bot or None,
                status=_STATUS_OF_MESSAGE.get(request.status),
                limit=request.page_size,
                token=request.page_token,
            )
        return ladder_pb2.ListGamesResponse(
            games=[encode_game(game) for game in page.items], next_page_token=page.next_token
        )

    def GetGame(
        self, request: ladder_pb2.GetGameRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetGameResponse:
        """Return a game."""
        with self._database.read() as session:
            game = games.get_game(session, request.game_id)
        return ladder_pb2.GetGameResponse(game=encode_game(game))

    def GetLog(
        self, request: ladder_pb2.GetLogRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetLogResponse:
        """Return the log of a game, once its deal group has ended."""
        with self._database.read() as session:
            return ladder_pb2.GetLogResponse(log=logs.get_log(session, request.game_id))

    def ListEvidence(
        self, request: ladder_pb2.ListEvidenceRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListEvidenceResponse:
        """Return the evidence against the caller's own bots."""
        owner = owner_of(request.owner_key)
        with self._database.read() as session:
            reports = evidence.list_evidence(session, request.game_id, owner)
        return ladder_pb2.ListEvidenceResponse(
            forfeits=[encode_evidence(report) for report in reports]
        )

    def GetLeaderboard(
        self, request: ladder_pb2.GetLeaderboardRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.GetLeaderboardResponse:
        """Return the leaderboard of a board."""
        board = request.pool or ratings.DEFAULT_POOL
        with self._database.read() as session:
            rows = leaderboard.get_leaderboard(session, board)
            fit = fits.get_fit(session, board)
            _, chances = fits.list_superiorities(
                session, board, range(min(request.pairs, _MAX_PAIRS))
            )
            return ladder_pb2.GetLeaderboardResponse(
                pool=board,
                rows=[encode_leaderboard_row(row) for row in rows],
                pools=ratings.list_pools(session),
                boards=fits.list_boards(session),
                fit=None if fit is None else encode_fit(fit),
                last_game=fits.last_recorded(session),
                superiority=[chance for row in chances for chance in row],
            )

    def ExplainRating(
        self, request: ladder_pb2.ExplainRatingRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ExplainRatingResponse:
        """Explain the live Elo of a bot."""
        pool = request.pool or ratings.DEFAULT_POOL
        with self._database.read() as session:
            found = explanation.explain_rating(
                session, pool, request.bot, game_id=request.game_id or None, limit=request.limit
            )
            without = (
                explanation.rate_without(session, pool, request.bot, request.without_game_id)
                if request.without_game_id
                else None
            )
        return ladder_pb2.ExplainRatingResponse(
            pool=pool,
            rating=found.rating,
            games=found.games,
            steps=[encode_rating_step(step) for step in found.steps],
            without=None if without is None else encode_without_game(without),
        )

    def ListAlarms(
        self, request: ladder_pb2.ListAlarmsRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.ListAlarmsResponse:
        """Look for results that the model of the ratings does not allow."""
        pool = request.pool or ratings.DEFAULT_POOL
        with self._database.read() as session:
            games = alarms.list_watched_games(session, pool)
        return ladder_pb2.ListAlarmsResponse(
            pool=pool,
            alarms=[encode_alarm(one) for one in find_alarms(games, anchors_with(self._anchor))],
            groups=len({game.group for game in games}),
        )

    def RecordGame(
        self, request: ladder_pb2.RecordGameRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.RecordGameResponse:
        """Record a game that ended."""
        result = read_result(request.log)
        reports = [read_report(forfeit) for forfeit in request.forfeits]
        with self._database.write() as session:
            is_known = recording.record_game(session, result, request.log, reports, self._now())
        return ladder_pb2.RecordGameResponse(already_recorded=is_known)

    def RecordAbort(
        self, request: ladder_pb2.RecordAbortRequest, context: grpc.ServicerContext
    ) -> ladder_pb2.RecordAbortResponse:
        """Note that a game could not be played."""
        reason = verdict_pb2.AbortReason.Name(request.reason).removeprefix("ABORT_REASON_")
        with self._database.write() as session:
            aborts.record_abort(session, request.game_id, reason, request.sentence, self._now())
        return ladder_pb2.RecordAbortResponse()
