"""How much time a seat has."""

from dataclasses import dataclass
from datetime import timedelta


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
    """The longest from a bot's start to its greeting."""

    def __post_init__(self) -> None:
        nothing = timedelta(0)
        for name in ("bank", "decision_cap", "start_up"):
            if getattr(self, name) <= nothing:
                raise ValueError(f"The {name} of a time control must be longer than zero.")
        for name in ("increment", "margin"):
            if getattr(self, name) < nothing:
                raise ValueError(f"The {name} of a time control cannot be negative.")
