"""The state of a game: everything, the referee's own. A bot gets an `Observation` of it instead."""

from roundhouse.rules import turns
from roundhouse.rules.actions import Action
from roundhouse.rules.checking import check_action, check_forfeit, check_seat
from roundhouse.rules.draws import has_deck
from roundhouse.rules.encoding import digest_of
from roundhouse.rules.events import Event
from roundhouse.rules.layout import Layout
from roundhouse.rules.legal import (
    keep_actions,
    open_routes,
    protected_routes,
    second_card_actions,
    special_actions,
    turn_actions,
)
from roundhouse.rules.observation import Observation
from roundhouse.rules.observing import observe
from roundhouse.rules.offers import has_tickets
from roundhouse.rules.phase import OPENING, OVER, SECOND_CARD, TICKET_OFFER, TURN
from roundhouse.rules.play import perform
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult, Standing


class State(Layout):
    """Hold one game and play it.

    Start one with `start_game`, or set one up exactly with `Position`. `Layout` has the attributes.
    """

    __slots__ = ()

    def copy(self) -> "State":
        """Return an independent state: playing one never changes the other."""
        twin = State.__new__(State)
        twin.rules = self.rules
        twin.tables = self.tables
        twin.seats = self.seats
        twin.seed = self.seed
        twin.phase = self.phase
        twin.turn_seat = self.turn_seat
        twin.turn_number = self.turn_number
        twin.passes = self.passes
        twin.final_seat = self.final_seat
        twin.shuffles = self.shuffles
        twin.leaving = self.leaving
        # A slice is the cheapest copy of a list. What the lists hold is immutable, hands excepted.
        twin.hands = [hand[:] for hand in self.hands]
        twin.known = self.known[:]
        twin.blind = self.blind[:]
        twin.pool = self.pool[:]
        twin.deck = self.deck[:]
        twin.discard = self.discard[:]
        twin.display = self.display[:]
        twin.ticket_deck = self.ticket_deck[:]
        twin.returned_by = self.returned_by[:]
        twin.tickets = self.tickets[:]
        twin.offers = self.offers[:]
        twin.answers = self.answers[:]
        twin.trains = self.trains[:]
        twin.points = self.points[:]
        twin.owners = self.owners[:]
        twin.open_routes = self.open_routes[:]
        twin.forfeits = self.forfeits[:]
        twin.market = self.market
        twin.shown = self.shown
        twin.mixed = self.mixed
        twin.turns = self.turns
        return twin

    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return self.phase is OVER

    def seats_to_act(self) -> tuple[int, ...]:
        """Return the seats that must act now: several in the opening (R-02), none after the end."""
        if self.phase is OPENING:
            return tuple(
                seat
                for seat in range(self.seats)
                if self.answers[seat] is None and not self.leaving >> seat & 1
            )
        return () if self.phase is OVER else (self.turn_seat,)

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """List the legal actions of a seat in a fixed order; none if the seat need not act.

        Without `seat`, those of the seat that must act, the lowest of several in the opening.
        Raise `RulesError` when the game has no such seat.
        """
        if self.phase is OPENING:
            waiting = self.seats_to_act()
            seat = waiting[0] if seat is None else check_seat(self, seat)
            return (
                keep_actions(self.offers[seat], self.rules.opening_keep) if seat in waiting else []
            )
        if (seat is not None and check_seat(self, seat) != self.turn_seat) or self.phase is OVER:
            return []
        seat = self.turn_seat
        if self.phase is TURN:
            found = turn_actions(
                self.display, has_deck=has_deck(self), has_tickets=has_tickets(self)
            )
            self.add_claims(found, seat)
            return found
        if self.phase is SECOND_CARD:
            return second_card_actions(self.tables, self.display, has_deck=has_deck(self))
        if self.phase is TICKET_OFFER:
            return keep_actions(self.offers[seat], self.rules.later_keep)
        return special_actions(
            self.phase, self.market, self.tickets[seat], has_deck=bool(self.ticket_deck)
        )

    def add_claims(self, found: list[Action], seat: int) -> None:
        """Add to a list the claims that a seat can pay at the start of its turn (R-11)."""
        payments = self.tables.payments
        first = seat * payments.groups
        routes = self.open_routes
        if self.turns:  # V-4
            first = 0
            routes = open_routes(self.tables, self.owners, seat, self.seats, self.protected(seat))
        payments.add_claims(found, self.hands[seat], self.trains[seat], routes, first)

    def is_open(self, seat: int, route_id: int) -> bool:
        """Tell whether R-13 leaves a route open to a seat."""
        payments = self.tables.payments
        group = seat * payments.groups + payments.group[route_id]
        return self.open_routes[group] & payments.bit[route_id] != 0

    def protected(self, seat: int) -> int:
        """Return the routes that V-4 keeps from a seat now, as a bit mask; without V-4 none."""
        if not self.turns:
            return 0
        playing = [order == 0 for order in self.forfeits]
        return protected_routes(self.tables, self.owners, seat, turns=self.turns, playing=playing)

    def apply(self, action: Action, seat: int | None = None) -> list[Event]:
        """Check an action, carry it out, and return what happened, with nothing left out.

        Without `seat`, the seat that must act does, the lowest of several in the opening.
        Raise `RulesError`, with the state untouched, when the action is not legal.
        """
        seat = check_action(self, action, seat)
        events: list[Event] = []
        perform(self, seat, action, events)
        return events

    def push(self, action: Action, seat: int | None = None) -> None:
        """Carry out an action that the caller knows to be legal: unchecked, and without events.

        The effect is that of `apply`. An illegal action leaves a state that means nothing.
        """
        if seat is None:
            seat = self.seats_to_act()[0] if self.phase is OPENING else self.turn_seat
        perform(self, seat, action, None)

    def forfeit(self, seat: int) -> list[Event]:
        """Take a seat out of the game through its own fault (R-24), and return what happened.

        In the opening nothing happens until the other seats have answered (R-02), unless one seat
        only is left. Raise `RulesError` when the seat has left already or the game is over.
        """
        check_forfeit(self, seat)
        events: list[Event] = []
        turns.forfeit(self, seat, events)
        return events

    def standings(self) -> tuple[Standing, ...]:
        """Return the standings by seat; before the end, as if the game ended now."""
        routes: list[list[int]] = [[] for _ in range(self.seats)]
        for route_id, owner in enumerate(self.owners):
            if owner is not None:
                routes[owner].append(route_id)
        return score(
            self.rules,
            [
                SeatResult(
                    tuple(routes[seat]),
                    self.tickets[seat],
                    self.points[seat],
                    self.trains[seat],
                    self.forfeits[seat],
                )
                for seat in range(self.seats)
            ],
        )

    def observe(self, seat: int) -> Observation:
        """Return what a seat may know now. Raise `RulesError` when the game has no such seat."""
        return observe(self, check_seat(self, seat))

    def digest(self) -> bytes:
        """Return SHA-256 over the canonical encoding of the whole state (`docs/notation.md`)."""
        return digest_of(self)
