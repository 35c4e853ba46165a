"""How much time a seat has."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

BACKSTOP_FACTOR = 4
"""How many times slower than the wall clock a bank measured in processor time runs down at least.
Large enough for a bot that gets a quarter of a core on a busy machine, small enough that one that
only sleeps holds its opponents up for four banks in a game and not for ever."""


class Measure(StrEnum):
    """How the time that an answer takes is measured."""

    WALL = "wall"
    """The time that passes from the request to the answer."""
    CPU = "cpu"
    """The processor time that the bot used between the two, and at least a `BACKSTOP_FACTOR`-th of
    the time that passed."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of one seat. A seat that overdraws its bank by more than the margin forfeits.

    Raises `ValueError` when a part is negative, or bank, cap or start-up is zero.
    """

    bank: timedelta = timedelta(seconds=60)
    """What a seat holds at the start of each game."""
    increment: timedelta = timedelta(milliseconds=500)
    """Added after every answer."""
    margin: timedelta = timedelta(milliseconds=250)
    """Overrun that is forgiven at each decision: the cost of the wire is nobody's fault."""
    decision_cap: timedelta = timedelta(seconds=15)
    """The longest that one decision may take, whatever the bank holds."""
    start_up: timedelta = timedelta(seconds=15)
    """The longest from a bot's start to its greeting, by the wall clock."""
    measure: Measure = Measure.WALL
    """How bank, cap and margin are measured."""

    def __post_init__(self) -> None:
        nothing = timedelta(0)
        for name in ("bank", "decision_cap", "start_up"):
            if getattr(self, name) <= nothing:
                raise ValueError(f"The {name} of a time control must be longer than zero.")
        for name in ("increment", "margin"):
            if getattr(self, name) < nothing:
                raise ValueError(f"The {name} of a time control cannot be negative.")
