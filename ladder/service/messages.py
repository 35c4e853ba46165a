"""The ladder's values as messages, and back."""

from types import MappingProxyType

from ladder.domain.bot import Bot, BotVersion
from ladder.domain.game import (
    ForfeitReason,
    ForfeitReport,
    Game,
    GameSeat,
    GameStatus,
    PlannedGame,
)
from ladder.domain.leaderboard import FitSummary, Headline, LeaderboardRow
from ladder.domain.tournament import Crosstable, Tournament, TournamentStatus
from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.api.ladder.v1 import bot_pb2, dispatch_pb2, record_pb2, tournament_pb2
from roundhouse.codec import encode_time_control, encode_timestamp

_TOURNAMENT_STATUS = MappingProxyType(
    {
        TournamentStatus.CREATED: tournament_pb2.TOURNAMENT_STATUS_CREATED,
        TournamentStatus.RUNNING: tournament_pb2.TOURNAMENT_STATUS_RUNNING,
        TournamentStatus.FINISHED: tournament_pb2.TOURNAMENT_STATUS_FINISHED,
    }
)
GAME_STATUS = MappingProxyType(
    {
        GameStatus.PLANNED: record_pb2.GAME_STATUS_PLANNED,
        GameStatus.FINISHED: record_pb2.GAME_STATUS_FINISHED,
    }
)
_MAX_REQUEST_BYTES = 64 * 1024
"""Of what a bot was asked last; a decision has about a hundredth of that."""


def encode_version(version: BotVersion) -> bot_pb2.BotVersion:
    """Return the message for a bot version."""
    return bot_pb2.BotVersion(
        bot=version.bot,
        hash=version.hash,
        number=version.number,
        language=version.language,
        size=version.size,
        submitted_at=encode_timestamp(version.submitted_at),
    )


def encode_bot(bot: Bot) -> bot_pb2.Bot:
    """Return the message for a bot."""
    return bot_pb2.Bot(
        name=bot.name,
        latest=encode_version(bot.latest),
        versions=bot.versions,
        created_at=encode_timestamp(bot.created_at),
    )


def encode_tournament(tournament: Tournament) -> tournament_pb2.Tournament:
    """Return the message for a tournament."""
    finished_at = tournament.finished_at
    return tournament_pb2.Tournament(
        id=tournament.id,
        name=tournament.name,
        edition=tournament.edition,
        variants=tournament.variants,
        table_size=tournament.table_size,
        deals=tournament.deals,
        time_control=encode_time_control(tournament.time_control),
        rated=tournament.is_rated,
        versions=[entrant.version for entrant in tournament.entrants],
        bots=[entrant.bot for entrant in tournament.entrants],
        status=_TOURNAMENT_STATUS[tournament.status],
        games=tournament.games,
        finished_games=tournament.finished_games,
        seed_commitment=tournament.seed_commitment,
        created_at=encode_timestamp(tournament.created_at),
        finished_at=None if finished_at is None else encode_timestamp(finished_at),
    )


def encode_crosstable(crosstable: Crosstable) -> tournament_pb2.Crosstable:
    """Return the message for a crosstable."""
    return tournament_pb2.Crosstable(
        bots=crosstable.bots,
        cells=[
            tournament_pb2.CrosstableCell(
                bot=cell.bot,
                opponent=cell.opponent,
                games=cell.games,
                wins=cell.wins,
                draws=cell.draws,
                losses=cell.losses,
                mean_margin=cell.mean_margin,
            )
            for cell in crosstable.cells
        ],
    )


def encode_game(game: Game) -> record_pb2.GameRecord:
    """Return the message for a game."""
    return record_pb2.GameRecord(
        game_id=game.id,
        tournament_id=game.tournament,
        pairing=game.pairing,
        deal=game.deal,
        rotation=game.rotation,
        status=GAME_STATUS[game.status],
        seats=[_seat(seat) for seat in game.seats],
        finished_at=None if game.finished_at is None else encode_timestamp(game.finished_at),
        log_open=game.is_log_open,
    )


def _seat(seat: GameSeat) -> record_pb2.GameSeat:
    return record_pb2.GameSeat(
        bot=seat.bot,
        version=seat.version,
        placement=seat.placement or 0,
        score=seat.score or 0,
        forfeit=encode_forfeit_reason(seat.forfeit),
        rating_change=seat.rating_change or 0,
    )


def read_report(forfeit: verdict_pb2.Forfeit) -> ForfeitReport:
    """Return what is kept of a forfeit: all of it, each part within its bounds."""
    kept = verdict_pb2.Forfeit()
    kept.CopyFrom(forfeit)
    for apart in ("sentence", "output_tail"):  # where they are cut and made fit to be stored
        kept.ClearField(apart)
    if len(kept.last_request) > _MAX_REQUEST_BYTES:
        kept.ClearField("last_request")
    return ForfeitReport(
        forfeit.seat, forfeit.sentence, forfeit.output_tail, kept.SerializeToString()
    )


def encode_evidence(report: ForfeitReport) -> verdict_pb2.Forfeit:
    """Return the message for the owner of a bot that forfeited."""
    forfeit = verdict_pb2.Forfeit.FromString(report.evidence)
    forfeit.seat = report.seat
    forfeit.sentence = report.sentence
    forfeit.output_tail = report.output_tail
    return forfeit


def encode_forfeit_reason(reason: ForfeitReason | None) -> verdict_pb2.ForfeitReason.ValueType:
    """Return the wire's value for a reason, or for none."""
    if reason is None:
        return verdict_pb2.FORFEIT_REASON_UNSPECIFIED
    return verdict_pb2.ForfeitReason.Value(f"FORFEIT_REASON_{reason.name}")


def encode_leaderboard_row(row: LeaderboardRow) -> record_pb2.LeaderboardRow:
    """Return the message for a line of a leaderboard."""
    return record_pb2.LeaderboardRow(
        rank=row.rank,
        bot=row.bot,
        rating=row.rating or 0.0,
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        mean_score=row.mean_score,
        headline=None if row.headline is None else _encode_headline(row.headline),
    )


def _encode_headline(headline: Headline) -> record_pb2.Headline:
    return record_pb2.Headline(
        elo=headline.elo,
        margin=headline.margin,
        mean_margin=headline.mean_margin,
        best_rank=headline.best_rank,
        worst_rank=headline.worst_rank,
        superiority=headline.superiority,
        provisional=headline.is_provisional,
        deal_groups=headline.deal_groups,
    )


def encode_fit(fit: FitSummary) -> record_pb2.BoardFit:
    """Return the message for what is to be said of a fit as a whole."""
    return record_pb2.BoardFit(
        last_game=fit.recorded,
        games=fit.games,
        deal_groups=fit.deal_groups,
        anchor=fit.anchor or "",
        dispersion=fit.dispersion,
        seat_terms=[
            record_pb2.SeatTerm(
                table=one.table, seat=one.seat, elo=one.elo, standard_error=one.standard_error
            )
            for one in fit.seats
        ],
        checked=fit.checked,
        doubtful=fit.doubtful,
        fitted_at=encode_timestamp(fit.fitted_at),
    )


def encode_planned_game(game: PlannedGame) -> dispatch_pb2.PlannedGame:
    """Return the message for a planned game."""
    return dispatch_pb2.PlannedGame(
        game_id=game.id,
        chunk_id=game.chunk,
        pairing=game.pairing,
        deal=game.deal,
        rotation=game.rotation,
        seed=game.seed,
        versions=game.versions,
    )


def decode_planned_game(message: dispatch_pb2.PlannedGame) -> PlannedGame:
    """Return the planned game of a message; the plan as a whole is checked by the store."""
    return PlannedGame(
        id=message.game_id,
        chunk=message.chunk_id,
        pairing=message.pairing,
        deal=message.deal,
        rotation=message.rotation,
        seed=message.seed,
        versions=tuple(message.versions),
    )
