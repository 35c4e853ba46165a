"""The state of a game: everything, the referee's own. A bot gets an `Observation` of it instead."""

from roundhouse.rules import turns
from roundhouse.rules.actions import Action, KeepTickets
from roundhouse.rules.checking import check_action, check_forfeit, check_seat
from roundhouse.rules.draws import has_deck
from roundhouse.rules.encoding import digest_of
from roundhouse.rules.events import Event
from roundhouse.rules.legal import (
    keep_actions,
    protected_routes,
    second_card_actions,
    special_actions,
    turn_actions,
)
from roundhouse.rules.observation import Observation
from roundhouse.rules.observing import observe
from roundhouse.rules.offers import has_tickets
from roundhouse.rules.phase import OPENING, OVER, SECOND_CARD, TICKET_OFFER, TURN, Phase
from roundhouse.rules.play import perform
from roundhouse.rules.ruleset import RuleSet
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult, Standing
from roundhouse.rules.tables import Tables


class State:
    """Hold one game and play it.

    Start one with `start_game`, or set one up exactly with `Position`. The attributes are laid out
    for speed and are read by the modules of this package; nobody else should write them.

    ============== ============================================================================
    `deck`         cards from the bottom to the top: the end of a list is cheap to take
    `discard`      counts by card: the order of the pile decides nothing
    `pool`         counts of the deck at its last shuffle, less what was revealed from it since
    `blind`        [seat * 9 + card] drawn blind since the last shuffle
    `known`        [seat * 9 + card] everybody knows to be in the hand
    `display`      five cards, -1 in an empty slot
    `ticket_deck`  ticket ids from the top to the bottom
    `returned_by`  by ticket id: the seat that gave it back and so knows where it lies, or -1;
                   as many as there are seats when all of them know (V-1, V-5)
    `tickets`      by seat: ids kept
    `offers`       by seat: ids offered and not settled
    `answers`      by seat: the opening answer that waits for the others (R-02)
    `leaving`      seats, as bits, whose forfeit waits for the others in the opening
    `owners`       by route id: the seat, or None
    `open_routes`  by seat: the routes that R-13 leaves open to it, as bits
    `forfeits`     by seat: 0, or the order of leaving from 1
    `final_seat`   the seat that triggered the final round, or -1
    `passes`       forced passes in a row
    `market`       V-3: tickets face up, -1 in an empty slot; empty without a market
    `shown`        V-3: tickets of the pending offer that were taken from the market
    `mixed`        where shuffled rejects lie in the ticket deck: first place, place after the last
    `turns`        V-4: turns finished, by seat; empty where nobody counts them
    ============== ============================================================================
    """

    __slots__ = (
        "answers",
        "blind",
        "deck",
        "discard",
        "display",
        "final_seat",
        "forfeits",
        "hands",
        "known",
        "leaving",
        "market",
        "mixed",
        "offers",
        "open_routes",
        "owners",
        "passes",
        "phase",
        "points",
        "pool",
        "returned_by",
        "rules",
        "seats",
        "seed",
        "shown",
        "shuffles",
        "tables",
        "ticket_deck",
        "tickets",
        "trains",
        "turn_number",
        "turn_seat",
        "turns",
    )

    rules: RuleSet
    tables: Tables
    seats: int
    seed: bytes
    phase: Phase
    turn_seat: int
    turn_number: int
    passes: int
    final_seat: int
    shuffles: int
    leaving: int
    hands: list[list[int]]
    known: list[int]
    blind: list[int]
    pool: list[int]
    deck: list[int]
    discard: list[int]
    display: list[int]
    ticket_deck: list[int]
    returned_by: list[int]
    tickets: list[tuple[int, ...]]
    offers: list[tuple[int, ...]]
    answers: list[KeepTickets | None]
    trains: list[int]
    points: list[int]
    owners: list[int | None]
    open_routes: list[int]
    forfeits: list[int]
    market: tuple[int, ...]
    shown: tuple[int, ...]
    mixed: tuple[int, int]
    turns: tuple[int, ...]

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
            return turn_actions(
                self.tables,
                self.display,
                self.hands[seat],
                self.claimable(seat),
                has_deck=has_deck(self),
                has_tickets=has_tickets(self),
            )
        if self.phase is SECOND_CARD:
            return second_card_actions(self.tables, self.display, has_deck=has_deck(self))
        if self.phase is TICKET_OFFER:
            return keep_actions(self.offers[seat], self.rules.later_keep)
        return special_actions(
            self.phase, self.market, self.tickets[seat], has_deck=bool(self.ticket_deck)
        )

    def claimable(self, seat: int) -> int:
        """Return the routes that are open to a seat and that its trains cover, as a bit mask."""
        found = self.open_routes[seat] & self.tables.within[self.trains[seat]]
        return found & ~self.protected(seat) if self.turns else found

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
