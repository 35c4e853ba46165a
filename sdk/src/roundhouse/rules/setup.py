"""The start of a game (R-01)."""

from roundhouse.rules.cards import CARDS, NO_CARDS, spread_cards
from roundhouse.rules.chance import TICKET_DECK, TRAIN_DECK, check_seed, shuffle
from roundhouse.rules.draws import draw_from_deck, fill_display
from roundhouse.rules.events import CardsDealt, DeckShuffled, Event
from roundhouse.rules.offers import MARKET_SLOTS, fill_market, offer_tickets
from roundhouse.rules.phase import Phase
from roundhouse.rules.ruleset import RuleSet
from roundhouse.rules.state import State
from roundhouse.rules.tables import tables_of


def start_game(rules: RuleSet, seats: int, seed: bytes) -> tuple[State, list[Event]]:
    """Deal a game (R-01) and return its state, opening offers pending, and what happened.

    Everything that chance will do follows from the seed, 32 bytes that no player may know.
    Raise `RulesError` when these rules are not played by this version or not by so many seats.
    """
    rules.require_supported()
    rules.require_seats(seats)
    check_seed(seed)
    events: list[Event] = []
    state = _empty_table(rules, seats, seed)
    cards = spread_cards(rules.card_counts)
    state.deck = shuffle(seed, TRAIN_DECK, 0, cards)
    state.deck.reverse()  # the first card is the top one, and the top is the end of the list
    state.pool = list(rules.card_counts)
    state.shuffles = 1
    events.append(DeckShuffled(0, len(cards)))
    for seat in range(seats):
        dealt = [draw_from_deck(state, seat, events) for _ in range(rules.opening_hand)]
        events.append(CardsDealt(seat, tuple(CARDS[card] for card in dealt), len(dealt)))
    fill_display(state, events)
    state.ticket_deck = shuffle(seed, TICKET_DECK, 0, state.tables.ticket_ids)
    for seat in range(seats):
        offer_tickets(state, seat, rules.opening_offer, events)
    fill_market(state, events)  # V-3
    return state, events


def _empty_table(rules: RuleSet, seats: int, seed: bytes) -> State:
    state = State.__new__(State)
    state.rules = rules
    state.tables = tables_of(rules)
    state.seats = seats
    state.seed = seed
    state.phase = Phase.OPENING
    state.turn_seat = 0
    state.turn_number = 0
    state.passes = 0
    state.final_seat = -1
    state.shuffles = 0
    state.leaving = 0
    state.hands = [list(NO_CARDS) for _ in range(seats)]
    state.known = [0] * (9 * seats)
    state.blind = [0] * (9 * seats)
    state.discard = [0] * 9
    state.display = [-1] * 5
    state.returned_by = [-1] * (max(state.tables.ticket_ids) + 1)
    state.tickets = [()] * seats
    state.offers = [()] * seats
    state.answers = [None] * seats
    state.trains = [rules.trains] * seats
    state.points = [0] * seats
    state.owners = [None] * (len(rules.board.routes) + 1)
    state.open_routes = state.tables.payments.all_routes * seats
    state.forfeits = [0] * seats
    state.market = (-1,) * MARKET_SLOTS if rules.ticket_market else ()
    state.shown = ()
    state.mixed = (0, 0)
    state.turns = (0,) * seats if rules.route_protection else ()
    return state
