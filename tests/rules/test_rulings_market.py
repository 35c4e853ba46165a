"""V-3: the ticket market."""

from __future__ import annotations

import pytest

from roundhouse.rules import (
    ChooseTicket,
    DrawTickets,
    ErrorCode,
    KeepTickets,
    MarketFilled,
    Phase,
    Position,
    RuleSet,
    State,
    TicketChosen,
    TicketsKept,
    edition,
    start_game,
)
from tests.rules.games import cards, check_conservation, refused, seed_of

MARKET = edition("classic", ["ticket_market"])


def market_of(
    market: tuple[int | None, ...], deck: tuple[int, ...], rules: RuleSet = MARKET, seats: int = 2
) -> State:
    """Set up seat 0's turn; seat 1 holds the tickets that lie neither here nor there."""
    held = tuple(t.id for t in rules.tickets if t.id not in {*market, *deck})
    return Position(
        rules=rules,
        hands=(cards(),) * seats,
        tickets=((), held, *[()] * (seats - 2)),
        ticket_deck=deck,
        market=market,
    ).state()


def choose(state: State, *slots: int | None) -> None:
    """Ask for an offer and choose its tickets."""
    state.apply(DrawTickets())
    for slot in slots:
        state.apply(ChooseTicket(slot))


def test_v3_three_tickets_lie_face_up_from_the_set_up_on() -> None:
    state, events = start_game(MARKET, 2, seed_of(1))
    plain, _ = start_game(edition("classic"), 2, seed_of(1))
    assert state.market == tuple(plain.ticket_deck[:3])
    assert state.ticket_deck == plain.ticket_deck[3:]
    assert events[-3:] == [MarketFilled(slot, state.market[slot]) for slot in range(3)]
    assert state.observe(1).market == state.market


def test_v3_an_offer_is_chosen_ticket_by_ticket_from_market_and_deck() -> None:
    state = market_of((4, 5, 6), (7, 8, 9, 10))
    assert state.apply(DrawTickets()) == []
    assert state.phase is Phase.TICKET_CHOICE
    every = [ChooseTicket(0), ChooseTicket(1), ChooseTicket(2), ChooseTicket(None)]
    assert state.legal_actions() == state.observe(0).legal_actions() == every
    assert state.apply(ChooseTicket(1)) == [TicketChosen(0, 1, 5)]
    [drawn] = state.apply(ChooseTicket(None))
    assert drawn == TicketChosen(0, None, 7)
    assert drawn.redacted(1) == TicketChosen(0, None, None)
    assert state.observe(0).offer == (5, 7)  # the seat sees it before it chooses the next
    assert state.legal_actions() == [ChooseTicket(0), ChooseTicket(2), ChooseTicket(None)]
    state.apply(ChooseTicket(None))
    assert (state.phase, state.offers[0]) == (Phase.TICKET_OFFER, (5, 7, 8))
    events = state.apply(KeepTickets((7,), (8, 5)))
    assert events == [TicketsKept(0, (7,), (8, 5), 1, 2), MarketFilled(1, 9)]
    assert (state.market, state.ticket_deck) == ((4, 9, 6), [10, 8, 5])
    check_conservation(state)


@pytest.mark.parametrize("slots", [(0, 1, 2), (None, None, None), (2, None, 0)])
def test_v3_how_many_come_from_the_market_is_the_players_choice(
    slots: tuple[int | None, ...],
) -> None:
    state = market_of((4, 5, 6), (7, 8, 9, 10))
    choose(state, *slots)
    assert state.phase is Phase.TICKET_OFFER
    assert len(state.offers[0]) == 3
    assert refused(state, KeepTickets((), state.offers[0])) is ErrorCode.KEEP_TOO_FEW


def test_v3_a_market_ticket_is_seen_in_the_offer_and_one_from_the_deck_is_not() -> None:
    state = market_of((4, 5, 6), (7, 8, 9, 10), seats=3)
    choose(state, 1, None)
    for viewer in (0, 1, 2):
        assert state.observe(viewer).shown_offer == (5,)
        assert state.observe(viewer).players[0].offer_size == 2
    twin = market_of((4, 5, 6), (9, 8, 7, 10), seats=3)
    choose(twin, 1, None)
    assert twin.observe(1) == state.observe(1)
    assert twin.observe(0) != state.observe(0)


def test_v3_a_short_market_is_refilled_after_the_action_only() -> None:
    state = market_of((4, None, None), ())
    choose(state, 0)  # nothing else is left: the offer is one ticket
    assert state.phase is Phase.TICKET_OFFER
    assert state.market == (-1, -1, -1)
    state.apply(KeepTickets((4,), ()))
    assert refused(state, DrawTickets()) is ErrorCode.NO_TICKETS


def test_v3_what_is_given_back_can_come_up_again_at_once() -> None:
    state = market_of((4, 5, None), ())
    choose(state, 0, 1)
    events = state.apply(KeepTickets((4,), (5,)))
    assert events[-1] == MarketFilled(0, 5)
    assert state.market == (5, -1, -1)


def test_v3_an_empty_slot_or_deck_or_no_slot_at_all_is_refused() -> None:
    state = market_of((4, 5, None), ())
    state.apply(DrawTickets())
    assert refused(state, ChooseTicket(2)) is ErrorCode.EMPTY_SLOT
    assert refused(state, ChooseTicket(3)) is ErrorCode.NO_SUCH_SLOT
    assert refused(state, ChooseTicket(-1)) is ErrorCode.NO_SUCH_SLOT
    assert refused(state, ChooseTicket(None)) is ErrorCode.NO_TICKETS
    assert refused(state, KeepTickets((4,), ())) is ErrorCode.WRONG_PHASE
    assert refused(market_of((4, 5, 6), (7,)), ChooseTicket(0)) is ErrorCode.WRONG_PHASE


def test_v3_a_forfeit_in_the_middle_gives_the_choice_back_and_refills() -> None:
    state = market_of((4, 5, 6), (7, 8), seats=3)
    choose(state, 1, None)
    state.forfeit(0)
    assert (state.market, state.ticket_deck) == ((4, 8, 6), [5, 7])
    assert (state.phase, state.turn_seat) == (Phase.TURN, 1)
    check_conservation(state)


def test_v3_in_mega_an_offer_is_four() -> None:
    rules = edition("mega", ["ticket_market"])
    state = market_of((4, 5, 6), tuple(range(7, 20)), rules)
    choose(state, 0, None, 1, None)
    assert (state.phase, state.offers[0]) == (Phase.TICKET_OFFER, (4, 7, 5, 8))


def test_v3_a_market_that_is_empty_after_the_set_up_is_filled_from_the_rejects() -> None:
    rules = MARKET.with_tickets(MARKET.tickets[:15])  # no more than the opening offers take
    state, _ = start_game(rules, 5, seed_of(1))
    assert (state.market, state.observe(0).market) == ((-1, -1, -1), (None, None, None))
    rejects = [offer[0] for offer in state.offers]
    for seat, offer in enumerate(state.offers):
        keep = tuple(sorted(offer[1:]))
        events = state.apply(KeepTickets(keep, offer[:1]), seat)
    filled = [(e.slot, e.ticket) for e in events if isinstance(e, MarketFilled)]
    assert filled == list(enumerate(rejects[:3]))
    assert state.observe(0).market == tuple(rejects[:3])
    assert state.ticket_deck == rejects[3:]
