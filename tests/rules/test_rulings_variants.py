"""V-1, V-2 and V-4 to V-6, and which variants go together."""

from __future__ import annotations

from itertools import permutations

import pytest

from roundhouse.rules import (
    EDITIONS,
    VARIANTS,
    Card,
    CardTaken,
    ClaimRoute,
    DrawCard,
    ErrorCode,
    ExchangeTicket,
    FinalRound,
    KeepTickets,
    Phase,
    Position,
    RulesError,
    State,
    TakeCard,
    TicketExchanged,
    TicketsKept,
    TicketsShown,
    edition,
    start_game,
)
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult
from tests.rules.games import CLASSIC, cards, check_conservation, refused, seed_of
from tests.rules.test_rulings_editions import display_of

RED, LOCO = Card.RED, Card.LOCOMOTIVE
OPEN = edition("classic", ["open_tickets"])
RELAXED = edition("classic", ["relaxed_locomotives"])
PROTECTED = edition("classic", ["route_protection"])
QUICK = edition("classic", ["quick"])
EXCHANGE = edition("classic", ["quick", "opening_exchange"])
LONG = edition("classic", ["long"])
EXCHANGE_OPENLY = edition("classic", ["quick", "opening_exchange", "open_tickets"])


@pytest.mark.parametrize(
    ("name", "variants", "sentence"),
    [
        ("classic", ("quick", "long"), "quick and long contradict each other"),
        ("classic", ("solo", "teams"), "solo and teams contradict each other"),
        ("classic", ("solo", "ticket_market"), "solo and ticket_market contradict each other"),
        ("classic", ("solo", "open_tickets"), "solo and open_tickets contradict"),
        ("classic", ("solo", "route_protection"), "solo and route_protection contradict"),
        ("classic", ("solo", "opening_exchange", "quick"), "solo and opening_exchange contradict"),
        ("classic", ("opening_exchange",), "opening_exchange is an option of quick; name both"),
        ("classic", ("opening_exchange", "long"), "opening_exchange is an option of quick"),
        ("classic", ("shared_network",), "shared_network is an option of teams; name both"),
        ("tiny", ("teams",), "teams is for 4 players (V-7); the edition tiny is for 3 at most"),
        ("tiny", ("quick",), "quick is for 45 trains (V-5); the edition tiny has 10"),
        ("tiny", ("long",), "long is for 45 trains (V-6); the edition tiny has 10"),
    ],
)
def test_a_contradiction_is_refused_in_any_order(
    name: str, variants: tuple[str, ...], sentence: str
) -> None:
    for order in permutations(variants):
        with pytest.raises(RulesError) as caught:
            edition(name, order)
        assert caught.value.code is ErrorCode.CONTRADICTION
        assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("variants", "seats", "sentence"),
    [
        (("teams",), 3, "The edition classic+teams is for 4 players, not 3."),
        (("teams",), 5, "for 4 players, not 5"),
        (("solo",), 2, "The edition classic+solo is for 1 player, not 2."),
        (("quick",), 1, "for 2 to 5 players, not 1"),
    ],
)
def test_a_number_of_seats_that_a_variant_is_not_for_is_refused(
    variants: tuple[str, ...], seats: int, sentence: str
) -> None:
    with pytest.raises(RulesError) as caught:
        start_game(edition("classic", variants), seats, seed_of(1))
    assert caught.value.code is ErrorCode.BAD_SET_UP
    assert sentence in str(caught.value)


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r"no variant 'Quick'; the variants are open_t") as caught:
        edition("classic", ["Quick"])
    assert caught.value.code is ErrorCode.UNKNOWN_VARIANT


def test_rules_name_edition_and_variants_whatever_their_order() -> None:
    rules = edition("mega", ["quick", "open_tickets", "quick"])
    assert rules is edition("mega", ("open_tickets", "quick"))
    assert rules.variants == ("open_tickets", "quick")
    assert rules.label == "mega+open_tickets+quick"
    assert rules != edition("mega")


def test_every_variant_goes_with_every_edition_but_for_the_tiny_one() -> None:
    for name in set(EDITIONS) - {"tiny"}:
        for variant, row in VARIANTS.items():
            rules = edition(name, [variant, *([row.needs] if row.needs else [])])
            for field, value in row.changes.items():
                assert getattr(rules, field) == value


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_state_of_a_variant_is_no_state_of_the_edition(variant: str) -> None:
    row = VARIANTS[variant]
    rules = edition("classic", [variant, *([row.needs] if row.needs else [])])
    seats = rules.min_seats
    if seats >= 2:
        plain, _ = start_game(CLASSIC, seats, seed_of(1))
        assert start_game(rules, seats, seed_of(1))[0].digest() != plain.digest()


def test_v1_open_tickets_are_seen_by_everybody_once_they_are_kept() -> None:
    state, _ = start_game(OPEN, 3, seed_of(1))
    offers = list(state.offers)
    for seat in (2, 0):
        state.apply(KeepTickets(tuple(sorted(offers[seat])), ()), seat)
    assert [player.tickets for player in state.observe(1).players] == [(), (), ()]
    back = offers[1][0]
    kept = tuple(sorted(offers[1][1:]))
    events = state.apply(KeepTickets(kept, (back,)), 1)
    shown = [event for event in events if isinstance(event, TicketsShown)]
    assert shown[1] == TicketsShown(1, kept)
    assert [event.redacted(None) for event in shown] == shown
    hidden = next(e for e in events if isinstance(e, TicketsKept) and e.seat == 1).redacted(0)
    assert (hidden.kept, hidden.given_back) == (None, None)  # what is given back stays secret
    assert [player.tickets for player in state.observe(0).players] == [
        tuple(sorted(offers[0])),
        kept,
        tuple(sorted(offers[2])),
    ]


def test_v1_without_it_nobody_sees_them() -> None:
    state, _ = start_game(CLASSIC, 2, seed_of(1))
    for seat in (0, 1):
        events = state.apply(state.legal_actions(seat)[0], seat)
    assert not any(isinstance(event, TicketsShown) for event in events)
    assert [player.tickets for player in state.observe(0).players] == [(), ()]


def test_v1_unfinished_tickets_score_zero() -> None:
    everything = tuple(route.id for route in CLASSIC.board.routes)
    results = [SeatResult(everything, (1, 2), 0, 0, 0), SeatResult((), (3, 4), 0, 0, 0)]
    values = {ticket.id: ticket.value for ticket in CLASSIC.tickets}
    kind = edition("classic", ["unfinished_tickets_score_zero"])
    done, failed = values[1] + values[2], values[3] + values[4]
    assert [s.ticket_points for s in score(CLASSIC, results)] == [done, -failed]
    assert [s.ticket_points for s in score(kind, results)] == [done, 0]
    assert [s.tickets_failed for s in score(kind, results)] == [0, 2]


def test_v2_a_face_up_locomotive_is_one_of_two_draws() -> None:
    state = display_of(RELAXED, LOCO, LOCO, RED, RED, RED, deck=(RED, RED, RED))
    assert state.apply(TakeCard(0))[0] == CardTaken(0, 0, LOCO)
    assert state.phase is Phase.SECOND_CARD
    assert TakeCard(1) in state.legal_actions()
    assert state.legal_actions() == state.observe(0).legal_actions()
    state.apply(TakeCard(1))
    assert state.hands[0][LOCO] == 2
    assert (state.phase, state.turn_seat) == (Phase.TURN, 1)


def test_v2_a_display_of_locomotives_alone_still_has_a_second_card() -> None:
    display = (RED, LOCO, LOCO, None, None)
    assert display_of(CLASSIC, *display).copy().apply(TakeCard(0))
    for rules, goes_on in ((CLASSIC, False), (RELAXED, True)):
        state = display_of(rules, *display)
        state.apply(TakeCard(0))
        assert (state.phase is Phase.SECOND_CARD) == goes_on


def test_v2_takes_the_place_of_r23_in_family_3() -> None:
    rules = edition("family-3", ["relaxed_locomotives"])
    state = display_of(rules, LOCO, RED, RED, RED, RED, deck=(RED, RED))
    state.apply(TakeCard(0))
    assert TakeCard(1) in state.legal_actions()


def protected(
    turns: tuple[int, ...], name: str, *owned: str, forfeits: tuple[int, ...] = ()
) -> bool:
    """Tell whether seat 0, which owns some routes, is kept from another one."""
    board = CLASSIC.board
    route = board.route_named(name)
    colour = route.colour or RED
    hand = [0] * 9
    hand[colour] = route.length
    seats = len(turns)
    state = Position(
        rules=PROTECTED,
        hands=(tuple(hand), *[cards()] * (seats - 1)),
        routes=(tuple(board.route_named(one).id for one in owned), *[()] * (seats - 1)),
        turns=turns,
        forfeits=forfeits,
    ).state()
    claim = ClaimRoute(route.id, colour, 0)
    is_listed = claim in state.legal_actions()
    assert state.observe(0).legal_actions() == state.legal_actions()
    if is_listed:
        return False
    assert refused(state, claim) is ErrorCode.ROUTE_PROTECTED
    return True


@pytest.mark.parametrize(
    ("turns", "name", "owned", "refused_then"),
    [
        # Vancouver has two neighbours, Calgary and Seattle.
        ((1, 1), "Calgary-Vancouver", ("Seattle-Vancouver/2",), True),
        ((1, 1), "Seattle-Vancouver/1", ("Calgary-Vancouver",), True),
        ((2, 1), "Calgary-Vancouver", ("Seattle-Vancouver/2",), True),
        ((2, 2), "Calgary-Vancouver", ("Seattle-Vancouver/2",), False),
        ((0, 0), "Calgary-Vancouver", (), False),
        # So have Boston and Las Vegas; Los Angeles has four.
        ((1, 1, 1), "Boston-Montreal/1", ("Boston-New York/1",), True),
        ((1, 1, 1), "Las Vegas-Salt Lake City", ("Las Vegas-Los Angeles",), True),
        ((1, 1, 1), "Los Angeles-Phoenix", ("Las Vegas-Los Angeles",), False),
    ],
)
def test_v4_nobody_gets_both_ways_into_a_city_in_the_first_two_rounds(
    turns: tuple[int, ...], name: str, owned: tuple[str, ...], *, refused_then: bool
) -> None:
    assert protected(turns, name, *owned) == refused_then


def test_v4_a_seat_that_has_left_is_not_waited_for() -> None:
    city = ("Calgary-Vancouver", "Seattle-Vancouver/2")
    assert protected((2, 2, 1), *city)
    assert not protected((2, 2, 1), *city, forfeits=(0, 0, 1))


def test_v4_routes_of_another_player_do_no_harm() -> None:
    board = CLASSIC.board
    state = Position(
        rules=PROTECTED,
        hands=(cards(red=6), cards()),
        routes=((), (board.route_named("Seattle-Vancouver/1").id,)),
    ).state()
    claim = ClaimRoute(board.route_named("Calgary-Vancouver").id, RED, 0)
    assert claim in state.legal_actions()


def test_v4_counts_turns_and_forced_passes_and_no_decisions() -> None:
    state, _ = start_game(PROTECTED, 2, seed_of(1))
    for seat in (0, 1):
        state.apply(state.legal_actions(seat)[0], seat)
    for turns in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]:
        assert state.turns == turns
        assert [player.turns for player in state.observe(1).players] == list(turns)
        state.apply(DrawCard())
        state.apply(DrawCard())


def ending_with(trains: int, rules_name: str) -> list[object]:
    """Claim a route of 1 so that so many trains are left, and return the final rounds."""
    rules = edition("classic", [rules_name])
    board = rules.board
    one = board.route_named("Dallas-Houston/1")
    state = Position(rules=rules, hands=(cards(red=2), cards())).state()
    state.trains[0] = trains + 1
    return [e for e in state.apply(ClaimRoute(one.id, RED, 0)) if isinstance(e, FinalRound)]


@pytest.mark.parametrize(
    ("variant", "trains", "is_final"),
    [("quick", 3, False), ("quick", 2, True), ("long", 2, False), ("long", 1, True)],
)
def test_v5_and_v6_say_when_the_final_round_begins(
    variant: str, trains: int, *, is_final: bool
) -> None:
    assert bool(ending_with(trains, variant)) == is_final


def test_v5_and_v6_say_with_how_many_trains_a_player_starts() -> None:
    assert start_game(QUICK, 2, seed_of(1))[0].trains == [30, 30]
    assert start_game(LONG, 2, seed_of(1))[0].trains == [45, 45]


def to_the_exchange(seats: int = 3) -> State:
    """Answer the opening offers: everybody keeps all but the first."""
    state, _ = start_game(EXCHANGE, seats, seed_of(2))
    for seat in range(seats):
        back, *kept = state.offers[seat]
        state.apply(KeepTickets(tuple(sorted(kept)), (back,)), seat)
    return state


def test_v5_opening_exchange_takes_the_top_ticket_for_a_kept_one() -> None:
    state = to_the_exchange()
    assert (state.phase, state.seats_to_act(), state.turn_number) == (Phase.EXCHANGE, (0,), 0)
    first, second = state.tickets[0]
    assert state.legal_actions() == [
        ExchangeTicket(None),
        ExchangeTicket(first),
        ExchangeTicket(second),
    ]
    assert state.legal_actions() == state.observe(0).legal_actions()
    top = state.ticket_deck[0]
    [event] = state.apply(ExchangeTicket(second))
    assert event == TicketExchanged(0, second, top)
    assert event.redacted(1) == TicketExchanged(0, None, None)
    assert state.tickets[0] == (first, top)
    assert state.ticket_deck[-1] == second
    assert [place.ticket_id for place in state.observe(0).known_tickets][-1] == second
    assert second not in [place.ticket_id for place in state.observe(1).known_tickets]
    check_conservation(state)


def test_v5_opening_exchange_goes_round_once_and_may_be_declined() -> None:
    state = to_the_exchange()
    for seat in range(3):
        assert state.seats_to_act() == (seat,)
        assert state.apply(ExchangeTicket(None)) == []
    assert (state.phase, state.turn_seat, state.turn_number) == (Phase.TURN, 0, 1)
    assert refused(state, ExchangeTicket(None)) is ErrorCode.WRONG_PHASE


def test_v5_only_a_kept_ticket_can_be_exchanged_and_only_before_the_first_turn() -> None:
    state = to_the_exchange()
    assert refused(state, ExchangeTicket(state.tickets[1][0])) is ErrorCode.NOT_KEPT
    assert refused(state, DrawCard()) is ErrorCode.WRONG_PHASE
    assert refused(state, ExchangeTicket(None), 1) is ErrorCode.NOT_YOUR_TURN


def test_v5_without_a_ticket_deck_there_is_nothing_to_exchange_for() -> None:
    state = to_the_exchange()
    state.tickets[2] += tuple(state.ticket_deck)
    state.ticket_deck.clear()
    assert state.legal_actions() == state.observe(0).legal_actions() == [ExchangeTicket(None)]
    assert refused(state, ExchangeTicket(state.tickets[0][0])) is ErrorCode.NO_TICKETS


def test_v5_a_seat_that_forfeits_before_its_exchange_is_passed_over() -> None:
    state = to_the_exchange()
    state.forfeit(1)
    state.forfeit(0)
    assert state.is_over()
    state = to_the_exchange(4)
    state.forfeit(0)
    assert (state.phase, state.seats_to_act()) == (Phase.EXCHANGE, (1,))
    state.forfeit(2)
    state.apply(ExchangeTicket(None))
    assert state.seats_to_act() == (3,)
    state.apply(ExchangeTicket(None))
    assert (state.phase, state.turn_seat, state.turn_number) == (Phase.TURN, 1, 1)


def test_v1_and_v5_everybody_knows_where_an_open_ticket_went() -> None:
    state, _ = start_game(EXCHANGE_OPENLY, 2, seed_of(2))
    for seat in (0, 1):
        state.apply(state.legal_actions(seat)[0], seat)
    given = state.tickets[0][1]
    events = state.apply(ExchangeTicket(given))
    assert events[-1] == TicketsShown(0, state.tickets[0])
    for seat in (0, 1):
        assert state.observe(seat).known_tickets[-1].ticket_id == given
