"""A tournament and its crosstable."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from roundhouse.rules import edition
from roundhouse.timecontrol import TimeControl


class TournamentStatus(StrEnum):
    """Say how far a tournament is."""

    CREATED = "created"
    """It waits to be planned."""
    RUNNING = "running"
    """It is planned, and its games are being played."""
    FINISHED = "finished"
    """Every game is recorded."""


@dataclass(frozen=True, slots=True)
class NewTournament:
    """What an organiser decides; checked, and with every default filled in."""

    name: str
    bots: tuple[str, ...]
    edition: str
    table_size: int
    deals: int
    time_control: TimeControl
    seed: bytes
    """32 bytes, from which all deals follow."""
    is_rated: bool
    variants: tuple[str, ...] = ()
    """By name, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part, with the version that plays for it from the first game to the last."""

    bot: str
    version: str
    """The content hash."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A round-robin: every table of the given size meets over the same number of deals."""

    id: str
    name: str
    edition: str
    table_size: int
    deals: int
    time_control: TimeControl
    is_rated: bool
    entrants: tuple[Entrant, ...]
    status: TournamentStatus
    games: int
    """Games planned; 0 until there is a plan."""
    finished_games: int
    seed_commitment: bytes
    created_at: datetime
    finished_at: datetime | None
    variants: tuple[str, ...] = ()
    """By name, in alphabetical order. With any the games are not rated."""

    @property
    def rules_title(self) -> str:
        """Name edition and variants, as every page and screen does."""
        return " + ".join((self.edition, *self.variants))

    @property
    def rules_notice(self) -> str:
        """Return what a player must be told about the edition, mostly nothing."""
        return edition(self.edition).notice


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """How one bot did against another, over all games in which both sat."""

    bot: str
    opponent: str
    games: int
    wins: int
    draws: int
    losses: int
    mean_margin: float
    """The mean of the bot's score less the other's."""


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The results of a tournament, bot against bot."""

    bots: tuple[str, ...]
    """Best first: by the share of points (a win 1, a shared placement 1/2), then by name."""
    cells: tuple[CrosstableCell, ...]
    """One for every ordered pair of bots that met."""
