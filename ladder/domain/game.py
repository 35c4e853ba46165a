"""A game: planned, and then recorded."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from roundhouse.timecontrol import TimeControl


class ForfeitReason(StrEnum):
    """Name a seat's own fault that ended its game."""

    TIME = "TIME"
    ILLEGAL_ACTION = "ILLEGAL_ACTION"
    CRASH = "CRASH"
    DISCONNECT = "DISCONNECT"
    PROTOCOL = "PROTOCOL"
    RESOURCE = "RESOURCE"


class GameStatus(StrEnum):
    """Say how far a game is."""

    PLANNED = "planned"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game that is to be played."""

    id: str
    chunk: str
    """The chunk of a lane in which it is dispatched."""
    pairing: int
    deal: int
    rotation: int
    seed: bytes
    """The seed of its deal, 32 bytes; the same for all rotations."""
    versions: tuple[str, ...]
    """Content hashes, in seat order."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat ended."""

    placement: int
    score: int
    forfeit: ForfeitReason | None


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a log says about its game: all that is recorded beside the log itself."""

    game_id: str
    edition: str
    time_control: TimeControl
    bots: tuple[str, ...]
    versions: tuple[str, ...]
    seed: bytes
    is_isolated: bool
    """Whether the bots were isolated; a game without that is never rated."""
    host: str
    started_at: datetime
    finished_at: datetime
    seats: tuple[SeatResult, ...]
    variants: tuple[str, ...] = ()
    """By name, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class ForfeitReport:
    """The evidence of a forfeit."""

    seat: int
    sentence: str
    """What happened; whoever may read the log may read it."""
    output_tail: bytes
    """The end of what the bot printed, for its owner alone."""
    evidence: bytes = b""
    """All else that the referee knows, a serialised `Forfeit` message, for its owner alone."""


@dataclass(frozen=True, slots=True)
class Abort:
    """A game that could not be played, by a fault of ours."""

    game_id: str
    reason: str
    sentence: str
    noted_at: datetime


@dataclass(frozen=True, slots=True)
class GameSeat:
    """One seat of a game."""

    bot: str
    version: str
    placement: int | None
    """From 1; None before the game has ended."""
    score: int | None
    forfeit: ForfeitReason | None
    rating_before: float | None
    """Elo before the game; None when the game is not rated."""
    rating_change: float | None


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a tournament."""

    id: str
    tournament: str
    pairing: int
    deal: int
    rotation: int
    status: GameStatus
    seats: tuple[GameSeat, ...]
    is_rated: bool
    """Whether it changed ratings."""
    finished_at: datetime | None
    is_log_open: bool
    """Whether its deal group has ended, so that its log can be read."""
    edition: str
    variants: tuple[str, ...]
    """By name, in alphabetical order."""

    @property
    def rules_title(self) -> str:
        """Name edition and variants, as every page and screen does."""
        return " + ".join((self.edition, *self.variants))
