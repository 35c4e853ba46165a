"""What one seat may know now: nothing more is ever sent to a bot."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from roundhouse.rules.actions import Action, KeepTickets
from roundhouse.rules.board import Board
from roundhouse.rules.cards import Card, CardCounts
from roundhouse.rules.legal import (
    keep_actions,
    open_routes,
    protected_routes,
    second_card_actions,
    special_actions,
    turn_actions,
)
from roundhouse.rules.offers import has_market
from roundhouse.rules.phase import Phase
from roundhouse.rules.ruleset import RuleSet
from roundhouse.rules.tables import tables_of

if TYPE_CHECKING:
    from roundhouse.rules.state import State


@dataclass(frozen=True, slots=True)
class PublicPlayer:
    """State what everybody knows of one seat.

    `known_hand` are cards that everybody knows to be in the hand: taken face up and not spent
    since. `offer_size` is how many tickets are offered to the seat; during the opening it stays
    until all seats have answered. `forfeit_order` is 0 for a seat that plays; 1 left first.
    `tickets` are those kept, where they are public (V-1). `turns` are the turns that it has
    finished, where that matters (V-4), else 0.
    """

    trains: int
    hand_size: int
    ticket_count: int
    route_points: int
    forfeited: bool
    known_hand: CardCounts
    offer_size: int = 0
    forfeit_order: int = 0
    tickets: tuple[int, ...] = ()
    turns: int = 0


@dataclass(frozen=True, slots=True)
class KnownTicket:
    """A ticket in the ticket deck that the seat gave back: `position` tickets lie above it."""

    position: int
    ticket_id: int


@dataclass(frozen=True, slots=True)
class MixedTickets:
    """Where the rejects of the opening lie that were shuffled together (`refresh-2025`).

    They are `count` tickets of the deck, with `position` tickets above them. Among them lie
    `tickets`, which this seat gave back, anywhere. Once another seat was offered some of them, no
    ticket is known to be there any more.
    """

    position: int
    count: int
    tickets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FinalRoundStatus:
    """The final round (R-16): who triggered it, and how many turns are left, this one included."""

    trigger_seat: int
    turns_left: int


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one seat may know now. Equal for states that differ in what the seat cannot know.

    `turn_seat` and `turn_number` are 0 during the opening; turns count from 1, passes included.
    `offer` are the tickets that this seat must answer now, the top of the deck first; `answer` is
    its own opening answer while others are still to answer (R-02). `route_owner` is indexed by
    route id. `deck_pool` counts the cards that lay in the deck at its last shuffle and that this
    seat has not seen leave it: the deck is part of it, and all of it unless others drew blind.
    `market` are the tickets face up, None in an empty slot, and `shown_offer` those that the seat
    whose turn it is took from there into its offer (V-3).
    """

    rules: RuleSet
    seat: int
    seats: int
    phase: Phase
    turn_seat: int
    turn_number: int
    hand: CardCounts
    tickets: tuple[int, ...]
    offer: tuple[int, ...]
    display: tuple[Card | None, ...]
    deck_size: int
    discard: CardCounts
    ticket_deck_size: int
    route_owner: tuple[int | None, ...]
    players: tuple[PublicPlayer, ...]
    known_tickets: tuple[KnownTicket, ...]
    final_round: FinalRoundStatus | None
    shuffles: int
    passes_in_a_row: int
    deck_pool: CardCounts
    answer: KeepTickets | None = None
    market: tuple[int | None, ...] = ()
    shown_offer: tuple[int, ...] = ()
    mixed_tickets: MixedTickets | None = None

    @property
    def board(self) -> Board:
        """Return the map."""
        return self.rules.board

    def legal_actions(self) -> list[Action]:
        """List this seat's legal actions, which follow from the observation alone.

        The order is that of the state's list; there are none when the seat need not act.
        """
        if self.phase in {Phase.OPENING, Phase.TICKET_OFFER}:
            opening = self.phase is Phase.OPENING
            keep = self.rules.opening_keep if opening else self.rules.later_keep
            return keep_actions(self.offer, keep)
        if self.phase is Phase.OVER or self.seat != self.turn_seat:
            return []
        tables = tables_of(self.rules)
        display = [-1 if card is None else card for card in self.display]
        has_deck = self.deck_size > 0 or any(self.discard)
        if self.phase is Phase.SECOND_CARD:
            return second_card_actions(tables, display, has_deck=has_deck)
        has_ticket_deck = self.ticket_deck_size > 0
        market = tuple(-1 if ticket is None else ticket for ticket in self.market)
        if self.phase is not Phase.TURN:
            return special_actions(self.phase, market, self.tickets, has_deck=has_ticket_deck)
        found = turn_actions(
            display,
            has_deck=has_deck,
            has_tickets=(has_ticket_deck or has_market(market)) and self.rules.later_offer > 0,
        )
        trains = self.players[self.seat].trains
        tables.payments.add_claims(found, list(self.hand), trains, self._open_routes(), 0)
        return found

    def claimable_routes(self) -> int:
        """Return the routes that are open to this seat and that its trains cover, as a bit mask."""
        payments, lengths = tables_of(self.rules).payments, tables_of(self.rules).lengths
        groups, trains = self._open_routes(), self.players[self.seat].trains
        return sum(
            1 << route_id
            for route_id, length in enumerate(lengths)
            if length <= trains and groups[payments.group[route_id]] & payments.bit[route_id]
        )

    def _open_routes(self) -> list[int]:
        """Return the routes of each group of payments that are open to this seat, as bits."""
        tables = tables_of(self.rules)
        protected = 0
        if self.rules.route_protection:  # V-4
            protected = protected_routes(
                tables,
                self.route_owner,
                self.seat,
                turns=[player.turns for player in self.players],
                playing=[not player.forfeited for player in self.players],
            )
        return open_routes(tables, self.route_owner, self.seat, self.seats, protected)

    def sample_state(self, rng: Random) -> "State":
        """Return a state that this seat cannot tell from the real one: `observe(seat) == self`.

        What the seat does not know is drawn at random. `sampling` says how.
        """
        from roundhouse.rules.sampling import sample_state  # noqa: PLC0415 - it builds a State, which observes

        return sample_state(self, rng)
