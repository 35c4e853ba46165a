"""Alarms: results that an organiser should look at, and the games that they are found in."""

from dataclasses import dataclass
from enum import StrEnum


class AlarmKind(StrEnum):
    """Say what an alarm is about."""

    INTRANSITIVE = "intransitive"
    """Three bots of which each beats the next."""
    ANCHOR_DRIFT = "anchor drift"
    """A house bot whose results changed, though the versions that met did not."""
    HOST = "host"
    """A referee's host under which a bot's results differ."""
    COLLUSION = "collusion"
    """Two bots whose results at shared tables move together more than the ratings allow."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something to look at. It is no verdict."""

    kind: AlarmKind
    subjects: tuple[str, ...]
    deviations: float
    """Standard errors away from what the model says."""
    chance: float
    """How often chance alone would do that to at least one of all that were looked at."""
    groups: int
    """Deal groups that it rests on."""
    sentence: str


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A rated game, as alarms look at it. Everything is in seat order."""

    order: int
    """The place in the recording order."""
    group: int
    """Its deal group, over the whole ladder."""
    host: str
    """Where it was played; empty when the log did not say."""
    bots: tuple[str, ...]
    versions: tuple[int, ...]
    """Numbers that tell all versions of all bots apart."""
    placements: tuple[int, ...]

    def rank(self, seat: int) -> float:
        """Return the normalised rank: the share of the other seats below, a tie being half."""
        own = self.placements[seat]
        below = sum(other > own for other in self.placements)
        shared = self.placements.count(own) - 1
        return (below + shared / 2) / (len(self.placements) - 1)
