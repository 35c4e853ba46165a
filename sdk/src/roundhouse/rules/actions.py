"""What a seat may want to do, as values."""

from dataclasses import dataclass
from typing import TypeAlias

from roundhouse.rules.cards import Card


@dataclass(frozen=True, slots=True)
class TakeCard:
    """Take the card in one slot of the display, 0 to 4, as the first or the second card."""

    slot: int


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Draw the top card of the train deck, unseen, as the first or the second card."""


@dataclass(frozen=True, slots=True)
class DrawTickets:
    """Ask for an offer of tickets. The turn goes on: the same seat must answer the offer."""


@dataclass(frozen=True, slots=True)
class KeepTickets:
    """Answer an offer.

    `keep` are ticket numbers in ascending order; `give_back` are the others, in the order in which
    they go under the deck (R-15), so that the last one lies lowest.
    """

    keep: tuple[int, ...]
    give_back: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimRoute:
    """Claim a route and pay with `locomotives` and, for the rest of its length, cards of a colour.

    `colour` is None exactly when nothing but locomotives is paid.
    """

    route_id: int
    colour: Card | None
    locomotives: int


@dataclass(frozen=True, slots=True)
class ChooseTicket:
    """Add a ticket to the own offer: that in a slot of the market, or, with None, the deck's top.

    In the variant `ticket_market` (V-3) only: three of them, one by one, follow `DrawTickets`.
    """

    slot: int | None


@dataclass(frozen=True, slots=True)
class ExchangeTicket:
    """Put a kept ticket under the deck and take the top one before the first turn, or None.

    With the variant `opening_exchange` (V-5) only.
    """

    ticket_id: int | None


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing. Never chosen: the engine applies it when nothing else is possible (R-17)."""


Action: TypeAlias = (
    TakeCard
    | DrawCard
    | DrawTickets
    | KeepTickets
    | ClaimRoute
    | Pass
    | ChooseTicket
    | ExchangeTicket
)
