"""Where in the game a seat finds itself."""

from enum import IntEnum
from typing import Final


class Phase(IntEnum):
    """Name the kinds of moment. The numbers are those of the wire and of the digest."""

    OPENING = 1
    """All seats choose from their opening offers, each on its own (R-02)."""
    TURN = 2
    """A turn begins."""
    SECOND_CARD = 3
    """One card was drawn, and a second is due (R-05)."""
    TICKET_OFFER = 4
    """The seat was offered tickets and must keep some (R-14)."""
    OVER = 5
    """The game has ended."""
    TICKET_CHOICE = 6
    """The seat chooses the tickets of its offer one by one, from the market or the deck (V-3)."""
    EXCHANGE = 7
    """Before the first turn the seat may exchange one ticket (V-5)."""
    BLIND_CARD = 8
    """A face-up locomotive was taken, and a second card must be drawn blind (R-23)."""


# The same under names of their own. Where every decision passes they spare the look-up in the enum,
# which takes several times as long as reading a global.
OPENING: Final = Phase.OPENING
TURN: Final = Phase.TURN
SECOND_CARD: Final = Phase.SECOND_CARD
TICKET_OFFER: Final = Phase.TICKET_OFFER
OVER: Final = Phase.OVER
TICKET_CHOICE: Final = Phase.TICKET_CHOICE
BLIND_CARD: Final = Phase.BLIND_CARD
