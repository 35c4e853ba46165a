"""Set a state up exactly, for tests, teaching and sampling."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from roundhouse.rules.actions import KeepTickets
from roundhouse.rules.cards import CARDS, NO_CARDS, Card, CardCounts, count_cards, spread_cards
from roundhouse.rules.chance import TICKET_DECK, TRAIN_DECK, check_seed, shuffle
from roundhouse.rules.draws import fill_display, has_deck
from roundhouse.rules.errors import ErrorCode, RulesError
from roundhouse.rules.legal import SLOTS
from roundhouse.rules.offers import MARKET_SLOTS, fill_market
from roundhouse.rules.phase import Phase
from roundhouse.rules.play import close_route
from roundhouse.rules.ruleset import RuleSet
from roundhouse.rules.state import State
from roundhouse.rules.tables import ROUTE_POINTS, tables_of
from roundhouse.rules.turns import can_act

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Describe a state by what lies where. `state` builds it, and refuses what cannot be.

    By seat: `hands`, `routes` (ids owned), `tickets` (ids kept), `offers`, `answers`, `forfeits`.
    What is left out is filled in: `hands` say how many seats play; trains and points follow from
    the routes; cards that are placed nowhere make up `deck` (shuffled by the seed; give `deck`, top
    first, and they make up `discard`); `display` is filled from the deck; tickets that are placed
    nowhere make up `ticket_deck`.

    `known_hands` is what everybody knows of the hands; `deck_pool` is the deck at its last shuffle,
    less what was revealed since (all that the hands do not openly hold, if left out);
    `returned_by` says by ticket id which seat gave it back. For the rules that need them: `market`
    (filled from the ticket deck, if left out), `shown_offer` (tickets of the pending offer that
    came from there), `mixed` (where shuffled rejects lie in the ticket deck: the first place, and
    the one after the last), and `turns` finished by each seat (V-4).
    """

    rules: RuleSet
    hands: tuple[CardCounts, ...]
    display: tuple[Card | None, ...] | None = None
    deck: tuple[Card, ...] | None = None
    discard: CardCounts | None = None
    routes: tuple[tuple[int, ...], ...] = ()
    tickets: tuple[tuple[int, ...], ...] = ()
    offers: tuple[tuple[int, ...], ...] = ()
    answers: tuple[KeepTickets | None, ...] = ()
    ticket_deck: tuple[int, ...] | None = None
    phase: Phase = Phase.TURN
    turn_seat: int = 0
    turn_number: int = 1
    passes: int = 0
    final_seat: int | None = None
    forfeits: tuple[int, ...] = ()
    shuffles: int = 1
    known_hands: tuple[CardCounts, ...] = ()
    deck_pool: CardCounts | None = None
    returned_by: tuple[tuple[int, int], ...] = ()
    market: tuple[int | None, ...] | None = None
    shown_offer: tuple[int, ...] = ()
    mixed: tuple[int, int] = (0, 0)
    turns: tuple[int, ...] = ()
    seed: bytes = bytes(32)

    def state(self) -> State:
        """Build the state. Raise `RulesError` (BAD_SET_UP) when the parts contradict each other."""
        state = self.assemble()
        if not can_act(state):
            _refuse(f"Seat {state.turn_seat} has no legal action.")
        return state

    def assemble(self) -> State:
        """Build the state without asking whether its seat can act (R-17)."""
        rules = self.rules
        rules.require_supported()
        seats = len(self.hands)
        rules.require_seats(seats)
        state = State.__new__(State)
        state.rules = rules
        state.tables = tables_of(rules)
        state.seats = seats
        state.seed = check_seed(self.seed)
        state.phase = self.phase
        state.turn_seat = self.turn_seat
        state.turn_number = self.turn_number
        state.passes = self.passes
        state.final_seat = -1 if self.final_seat is None else self.final_seat
        state.shuffles = self.shuffles
        state.leaving = 0
        state.forfeits = _by_seat(self, self.forfeits, 0)
        self._place_cards(state)
        self._place_tickets(state)
        self._place_routes(state)
        return state

    def _place_cards(self, state: State) -> None:
        slots = (None,) * SLOTS if self.display is None else self.display
        if len(slots) != SLOTS:
            _refuse(f"A display has {SLOTS} slots, not {len(slots)}.")
        rest = self._cards_left(slots)
        if self.deck is None:
            discard = self.discard or NO_CARDS
            deck = shuffle(state.seed, TRAIN_DECK, 0, spread_cards(rest))
        else:
            if self.discard is not None and any(rest):
                _refuse(f"{sum(rest)} cards are placed nowhere.")
            discard = rest if self.discard is None else self.discard
            deck = [int(card) for card in self.deck]
        state.hands = [list(hand) for hand in self.hands]
        state.display = [-1 if card is None else int(card) for card in slots]
        state.deck = deck[::-1]
        state.discard = list(discard)
        self._place_knowledge(state)
        if self.display is None:
            fill_display(state, None)
        elif None in slots and has_deck(state):
            _refuse("The display is short though cards lie in the deck or the discard pile (R-07).")

    def _cards_left(self, slots: Sequence[Card | None]) -> CardCounts:
        """Count the cards of the box that are placed nowhere."""
        placed = [*self.hands, count_cards(card for card in slots if card is not None)]
        placed += [self.discard or NO_CARDS, count_cards(self.deck or ())]
        rest = tuple(
            total - sum(counts[card] for counts in placed)
            for card, total in enumerate(self.rules.card_counts)
        )
        if min(rest) < 0:
            card = CARDS[rest.index(min(rest))]
            _refuse(f"{-min(rest)} more {card.word} cards are placed than the box holds.")
        return rest

    def _place_knowledge(self, state: State) -> None:
        held = [count for hand in self.hands for count in hand]
        known = _by_seat(self, self.known_hands, NO_CARDS)
        state.known = [count for counts in known for count in counts]
        unknown = [h - k for h, k in zip(held, state.known, strict=True)]
        if min(unknown) < 0:
            _refuse("A hand is known to hold cards that it does not hold.")
        if self.deck_pool is not None:
            state.pool = list(self.deck_pool)
            state.blind = [0] * len(held)
            return
        # As if every card in a hand that is not known had been drawn blind since the last shuffle.
        state.blind = unknown
        left = count_cards(state.deck)
        state.pool = [left[card] + sum(unknown[card::9]) for card in range(9)]

    def _place_tickets(self, state: State) -> None:
        ids = [ticket.id for ticket in self.rules.tickets]
        state.tickets = _by_seat(self, self.tickets, ())
        state.offers = _by_seat(self, self.offers, ())
        state.answers = _by_seat(self, self.answers, None)
        state.market = self._market()
        state.shown = self.shown_offer
        state.mixed = self.mixed
        state.turns = tuple(_by_seat(self, self.turns, 0)) if self.rules.route_protection else ()
        held = [ticket for lot in (*state.tickets, *state.offers) for ticket in lot]
        held += [ticket for ticket in state.market if ticket >= 0]
        if self.ticket_deck is None:
            rest = [ticket for ticket in ids if ticket not in held]
            state.ticket_deck = shuffle(state.seed, TICKET_DECK, 0, rest)
        else:
            state.ticket_deck = list(self.ticket_deck)
        if sorted(held + state.ticket_deck) != sorted(ids):
            _refuse("Every ticket must lie in one place: the deck, an offer, or with one seat.")
        owed = [seat for seat in range(state.seats) if state.offers[seat]]
        due = [state.turn_seat] if state.phase is Phase.TICKET_OFFER else []
        if state.phase is Phase.TICKET_CHOICE and owed:
            due = [state.turn_seat]  # the offer grows ticket by ticket, from nothing
        if state.phase is not Phase.OPENING and owed != due:
            _refuse(f"Seats {owed} hold offers, and {due} must answer one in this phase.")
        state.returned_by = [-1] * (max(ids) + 1)
        for ticket, seat in self.returned_by:
            state.returned_by[ticket] = seat
        if self.market is None:
            fill_market(state, None)

    def _market(self) -> tuple[int, ...]:
        slots = (None,) * MARKET_SLOTS if self.market is None else self.market
        if not self.rules.ticket_market:
            slots = ()
        elif len(slots) != MARKET_SLOTS:
            _refuse(f"A market has {MARKET_SLOTS} slots, not {len(slots)}.")
        return tuple(-1 if ticket is None else ticket for ticket in slots)

    def _place_routes(self, state: State) -> None:
        board = self.rules.board
        state.owners = [None] * (len(board.routes) + 1)
        state.open_routes = state.tables.payments.all_routes * state.seats
        state.trains = [self.rules.trains] * state.seats
        state.points = [0] * state.seats
        for seat, route_ids in enumerate(_by_seat(self, self.routes, ())):
            for route_id in route_ids:
                route = board.route(route_id)
                if not state.is_open(seat, route_id):
                    _refuse(f"Seat {seat} cannot own {route}: it is taken or closed (R-13).")
                if state.trains[seat] < route.length:
                    _refuse(f"Seat {seat} has no trains left for {route}.")
                state.trains[seat] -= route.length
                state.points[seat] += ROUTE_POINTS[route.length]
                state.owners[route_id] = seat
                close_route(state, seat, route_id)


def _by_seat(position: Position, values: Sequence[T], default: T) -> list[T]:
    """Return one value for each seat; nothing given means the default for all."""
    seats = len(position.hands)
    if values and len(values) != seats:
        _refuse(f"{values} are {len(values)} values for {seats} seats.")
    return list(values) or [default] * seats


def _refuse(sentence: str) -> NoReturn:
    raise RulesError(ErrorCode.BAD_SET_UP, sentence)
