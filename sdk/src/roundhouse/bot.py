"""What a bot is: one method to write, and a few to override."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from random import Random

from roundhouse.rules import Action, Event, Observation, RuleSet, Standing
from roundhouse.timecontrol import TimeControl


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a seat is told when a game starts.

    `time_control` is None in local play, which has no clocks. `seed_commitment` is the SHA-256 of
    the seed, which is revealed after the deal group.
    """

    game_id: str
    rules: RuleSet
    seat: int
    seats: int
    time_control: TimeControl | None
    seed_commitment: bytes


class Bot(ABC):
    """Play one seat, game after game. Subclass it, write `choose`, and hand an object to `serve`.

    All methods are called one after another, from one thread. An exception ends the bot's process,
    and so forfeits what is left of the lane.
    """

    time_left: timedelta | None = None
    """How long the answer may take, set before each call of `choose`; None where no clock runs."""

    @cached_property
    def rng(self) -> Random:
        """Return this bot's own source of random numbers. Local play seeds it by game and seat."""
        return Random()  # noqa: S311 - a bot's taste needs no secrecy

    def game_started(self, game: GameInfo) -> None:  # noqa: B027 - doing nothing is a fine answer
        """Take note that a game starts; forget what belonged to the one before."""

    def see(self, event: Event) -> None:  # noqa: B027 - the observation is complete without it
        """Take note of an event, with what this seat may not see left out of it.

        Events come in order, all of them before the next `choose` or `game_over`.
        """

    @abstractmethod
    def choose(self, observation: Observation) -> Action:
        """Return one of `observation.legal_actions()`."""

    def game_over(self, standings: Sequence[Standing]) -> None:  # noqa: B027 - as above
        """Take note that the game has ended, with the standings by seat."""
