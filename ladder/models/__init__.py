"""The tables: typed SQLAlchemy models. Nothing outside `ladder.store` and the migrations uses them.

Ratings are whole numbers of 1e-9 Elo (`ladder.ratings` says why). Times are UTC.
"""

from ladder.models.base import Base, Microseconds, UtcDateTime
from ladder.models.bots import ArchiveRow, BotRow, VersionRow
from ladder.models.fits import FitBotRow, FitRow
from ladder.models.games import AbortRow, ForfeitReportRow, GameRow, LogRow, SeatRow
from ladder.models.ratings import RatingChangeRow, RatingRow, RecordingOrderRow
from ladder.models.tournaments import ChunkRow, DealGroupRow, EntrantRow, TournamentRow

__all__ = [
    "AbortRow",
    "ArchiveRow",
    "Base",
    "BotRow",
    "ChunkRow",
    "DealGroupRow",
    "EntrantRow",
    "FitBotRow",
    "FitRow",
    "ForfeitReportRow",
    "GameRow",
    "LogRow",
    "Microseconds",
    "RatingChangeRow",
    "RatingRow",
    "RecordingOrderRow",
    "SeatRow",
    "TournamentRow",
    "UtcDateTime",
    "VersionRow",
]
