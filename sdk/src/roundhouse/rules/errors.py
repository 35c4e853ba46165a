"""What goes wrong in the rules: one exception type, with a stable code and a sentence."""

from enum import StrEnum


class ErrorCode(StrEnum):
    """Name the reason of a `RulesError`. The codes are stable: logs and bots may rely on them."""

    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    """The game has no seat of that number."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat is to act, or this one has answered already."""
    FORFEITED = "FORFEITED"
    """The seat has left the game already (R-24)."""
    GAME_OVER = "GAME_OVER"
    """The game has ended."""
    WRONG_PHASE = "WRONG_PHASE"
    """This kind of action is not possible at this moment, for instance a claim after one card."""
    NO_SUCH_SLOT = "NO_SUCH_SLOT"
    """The display has the slots 0 to 4 only."""
    EMPTY_SLOT = "EMPTY_SLOT"
    """No card lies in that slot of the display."""
    LOCOMOTIVE_SECOND = "LOCOMOTIVE_SECOND"
    """A face-up locomotive cannot be the second card (R-04)."""
    NOTHING_TO_DRAW = "NOTHING_TO_DRAW"
    """Deck and discard pile are empty (R-08)."""
    NO_TICKETS = "NO_TICKETS"
    """The ticket deck is empty (R-14)."""
    NOT_OFFERED = "NOT_OFFERED"
    """A ticket in the answer was not offered, is named twice, or is missing."""
    NOT_KEPT = "NOT_KEPT"
    """The seat does not hold the ticket that it wants to exchange (V-5)."""
    KEEP_TOO_FEW = "KEEP_TOO_FEW"
    """More tickets of the offer must be kept (R-01, R-14)."""
    NO_SUCH_ROUTE = "NO_SUCH_ROUTE"
    """The board has no route of that number."""
    ROUTE_TAKEN = "ROUTE_TAKEN"
    """The route is claimed already."""
    SIBLING_CLOSED = "SIBLING_CLOSED"
    """The other lane of the double route closes this one (R-13)."""
    ROUTE_PROTECTED = "ROUTE_PROTECTED"
    """Too early for both ways into a city (V-4)."""
    WRONG_COLOUR = "WRONG_COLOUR"
    """The route cannot be paid in that colour (R-11)."""
    WRONG_PAYMENT = "WRONG_PAYMENT"
    """The number of locomotives does not fit the length of the route (R-11)."""
    NOT_ENOUGH_CARDS = "NOT_ENOUGH_CARDS"
    """The hand does not hold the payment."""
    NOT_ENOUGH_TRAINS = "NOT_ENOUGH_TRAINS"
    """The supply does not cover the length of the route (R-11)."""
    NOT_FORCED = "NOT_FORCED"
    """A pass is never chosen; the engine records it when nothing else is possible (R-17)."""
    UNREADABLE = "UNREADABLE"
    """A text is not in the notation."""
    UNKNOWN_BOARD = "UNKNOWN_BOARD"
    """No board of that name is installed."""
    UNKNOWN_EDITION = "UNKNOWN_EDITION"
    """No edition of that name is known."""
    UNKNOWN_VARIANT = "UNKNOWN_VARIANT"
    """No variant of that name is known."""
    CONTRADICTION = "CONTRADICTION"
    """The variants contradict each other or the edition."""
    UNSUPPORTED_RULES = "UNSUPPORTED_RULES"
    """The rules are not what their name says, or not what this version plays."""
    BAD_SET_UP = "BAD_SET_UP"
    """A game or position cannot be set up like that."""


class RulesError(ValueError):
    """Report something that the rules do not allow. The state is untouched when it is raised.

    `code` is for programs; the message is one sentence for people.
    """

    def __init__(self, code: ErrorCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code

    def __reduce__(self) -> tuple[type["RulesError"], tuple[ErrorCode, str]]:
        """Let the error cross a process boundary with its code."""
        return type(self), (self.code, str(self))
