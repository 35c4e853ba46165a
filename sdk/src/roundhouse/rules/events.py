"""What happened, chance included. `redacted` leaves out what a seat may not see."""

from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from roundhouse.rules.cards import Card, CardCounts
from roundhouse.rules.standing import Standing


class _Public:
    """An event that everybody sees whole."""

    __slots__ = ()

    def redacted(self, seat: int | None) -> Self:  # noqa: ARG002 - public: the seat is no matter
        """Return the event itself: everybody sees it."""
        return self


@dataclass(frozen=True, slots=True)
class DeckShuffled(_Public):
    """The train deck was shuffled: `count` counts from 0, and the deck holds `cards` cards."""

    count: int
    cards: int


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """A seat was dealt its first cards, which only that seat sees."""

    seat: int
    cards: tuple[Card, ...] | None
    count: int

    def redacted(self, seat: int | None) -> "CardsDealt":
        """Return what `seat` sees; None is a spectator."""
        return self if seat == self.seat else replace(self, cards=None)


@dataclass(frozen=True, slots=True)
class DisplayFilled(_Public):
    """A card was revealed in an empty slot of the display."""

    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class DisplayCleared(_Public):
    """The display was discarded, because three or more locomotives lay in it (R-10)."""

    cards: CardCounts


@dataclass(frozen=True, slots=True)
class TicketsOffered:
    """A seat was offered tickets, the top of the deck first; only that seat sees which."""

    seat: int
    tickets: tuple[int, ...] | None
    count: int

    def redacted(self, seat: int | None) -> "TicketsOffered":
        """Return what `seat` sees; None is a spectator."""
        return self if seat == self.seat else replace(self, tickets=None)


@dataclass(frozen=True, slots=True)
class TicketsKept:
    """A seat answered its offer; only that seat sees how, the others see how many."""

    seat: int
    kept: tuple[int, ...] | None
    given_back: tuple[int, ...] | None
    kept_count: int
    given_back_count: int

    def redacted(self, seat: int | None) -> "TicketsKept":
        """Return what `seat` sees; None is a spectator."""
        return self if seat == self.seat else replace(self, kept=None, given_back=None)


@dataclass(frozen=True, slots=True)
class TicketsShown(_Public):
    """A seat shows all the tickets that it has kept: they are public (V-1)."""

    seat: int
    tickets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TicketChosen:
    """A seat added a ticket to its offer: from a slot of the market, or the deck's top (V-3).

    Only the seat sees one from the deck, whose slot is None.
    """

    seat: int
    slot: int | None
    ticket: int | None

    def redacted(self, seat: int | None) -> "TicketChosen":
        """Return what `seat` sees; None is a spectator."""
        return self if seat == self.seat or self.slot is not None else replace(self, ticket=None)


@dataclass(frozen=True, slots=True)
class MarketFilled(_Public):
    """A ticket was revealed in an empty slot of the market (V-3)."""

    slot: int
    ticket: int


@dataclass(frozen=True, slots=True)
class TicketExchanged:
    """A seat put a ticket under the deck and took the top one, before the first turn (V-5)."""

    seat: int
    given_back: int | None
    taken: int | None

    def redacted(self, seat: int | None) -> "TicketExchanged":
        """Return what `seat` sees; None is a spectator."""
        return self if seat == self.seat else replace(self, given_back=None, taken=None)


@dataclass(frozen=True, slots=True)
class CardDiscarded(_Public):
    """The leftmost card of the display was discarded after a turn of `solo` (V-8)."""

    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardTaken(_Public):
    """A seat took a card from the display."""

    seat: int
    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card from the deck; only that seat sees which (R-09)."""

    seat: int
    card: Card | None

    def redacted(self, seat: int | None) -> "CardDrawn":
        """Return what `seat` sees; None is a spectator."""
        return self if seat == self.seat else replace(self, card=None)


@dataclass(frozen=True, slots=True)
class RouteClaimed(_Public):
    """A seat claimed a route; the payment lies face up in the discard pile."""

    seat: int
    route_id: int
    payment: CardCounts
    points: int


@dataclass(frozen=True, slots=True)
class TurnPassed(_Public):
    """A seat had no action at all (R-17)."""

    seat: int


@dataclass(frozen=True, slots=True)
class FinalRound(_Public):
    """A seat ended its turn with few trains: everybody has one more turn, this seat last (R-16)."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatForfeited(_Public):
    """A seat left the game. Its routes stay; its cards and tickets are shown at the end (R-24)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded(_Public):
    """The game ended: the standings and what was left in the hands, both by seat."""

    standings: tuple[Standing, ...]
    hands: tuple[CardCounts, ...]


Event: TypeAlias = (
    DeckShuffled
    | CardsDealt
    | DisplayFilled
    | DisplayCleared
    | TicketsOffered
    | TicketsKept
    | CardTaken
    | CardDrawn
    | RouteClaimed
    | TurnPassed
    | FinalRound
    | SeatForfeited
    | GameEnded
    | TicketsShown
    | TicketChosen
    | MarketFilled
    | TicketExchanged
    | CardDiscarded
)
