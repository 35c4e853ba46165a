"""The edition table, R-23 and R-27, and what else only some editions have."""

from __future__ import annotations

from itertools import product

import pytest

from roundhouse.rules import (
    EDITIONS,
    Card,
    CardTaken,
    DisplayFilled,
    DrawCard,
    DrawTickets,
    ErrorCode,
    FaceUpLocomotive,
    KeepTickets,
    MixedTickets,
    OpeningRejects,
    Phase,
    Position,
    RuleSet,
    State,
    TakeCard,
    TieBreak,
    count_cards,
    edition,
    shuffle,
    start_game,
)
from roundhouse.rules.chance import OPENING_REJECTS
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult
from tests.rules.games import cards, refused, seed_of

RED, LOCO = Card.RED, Card.LOCOMOTIVE
COMPLETED, LONGEST, ROUTES = TieBreak
FAMILY = edition("family-3")
REFRESH = edition("refresh-2025")
# Route 1 is 2 long; these are two routes of 1, in a row.
TWO_OF_ONE = tuple(
    FAMILY.board.route_named(name).id for name in ("Portland-Seattle/1", "Seattle-Vancouver/1")
)


@pytest.mark.parametrize(
    ("name", "tickets", "opening", "later", "longest", "most", "ties"),
    [
        ("classic", 30, (3, 2), (3, 1), 10, 0, (COMPLETED, LONGEST)),
        ("refresh-2025", 33, (4, 2), (3, 1), 10, 0, (COMPLETED, LONGEST)),
        ("family-3", 30, (3, 1), (3, 1), 10, 0, (COMPLETED, LONGEST, ROUTES)),
        ("usa-1910", 35, (3, 2), (3, 1), 0, 15, (COMPLETED,)),
        ("mega", 69, (5, 3), (4, 1), 10, 15, (COMPLETED, LONGEST)),
        ("big-cities", 35, (4, 2), (4, 1), 0, 0, (COMPLETED,)),
    ],
)
def test_every_edition_is_its_column_of_the_table(
    name: str,
    tickets: int,
    opening: tuple[int, int],
    later: tuple[int, int],
    longest: int,
    most: int,
    ties: tuple[TieBreak, ...],
) -> None:
    rules = edition(name)
    assert len(rules.tickets) == tickets
    assert (rules.opening_offer, rules.opening_keep) == opening
    assert (rules.later_offer, rules.later_keep) == later
    assert (rules.longest_path_bonus, rules.most_tickets_bonus) == (longest, most)
    assert rules.tie_breaks == ties
    assert (rules.opening_rejects is OpeningRejects.SHUFFLED) == (name == "refresh-2025")
    is_blind = rules.face_up_locomotive is FaceUpLocomotive.BLIND_SECOND
    assert is_blind == (name == "family-3")
    assert (rules.trains, rules.final_round_trains) == (45, 2)
    assert (rules.min_seats, rules.max_seats) == (2, 5)


def test_the_decks_of_1910_overlap_as_the_box_says() -> None:
    numbers = {name: {t.id for t in edition(name).tickets} for name in EDITIONS}
    assert numbers["usa-1910"] == set(range(1, 36))
    assert numbers["mega"] == set(range(1, 70))
    assert numbers["big-cities"] < numbers["mega"]
    assert len(numbers["big-cities"] & numbers["usa-1910"]) == 19


def test_the_stand_ins_are_named_where_the_edition_is_offered() -> None:
    stand_ins = {ticket for ticket in REFRESH.tickets if ticket.id > 30}
    classic = {(t.city_a, t.city_b, t.value) for t in edition("classic").tickets}
    assert {(t.city_a, t.city_b, t.value) for t in REFRESH.tickets if t.id <= 30} == classic
    assert len(stand_ins) == 3
    for ticket in stand_ins:
        assert str(ticket) in REFRESH.notice
    assert [name for name in EDITIONS if edition(name).notice] == ["refresh-2025"]


def display_of(rules: RuleSet, *display: Card | None, deck: tuple[Card, ...] = ()) -> State:
    """Set up seat 0's turn; what is placed nowhere is in the other seat's hand."""
    lying = [count_cards(c for c in display if c is not None), count_cards(deck)]
    rest = tuple(
        total - sum(pile[card] for pile in lying) for card, total in enumerate(rules.card_counts)
    )
    return Position(
        rules=rules, hands=(cards(), rest), display=display, deck=deck, discard=cards()
    ).state()


def test_r23_a_blind_card_must_follow_a_face_up_locomotive() -> None:
    state = display_of(FAMILY, LOCO, RED, RED, RED, RED, deck=(RED, LOCO, RED))
    assert state.apply(TakeCard(0)) == [CardTaken(0, 0, LOCO), DisplayFilled(0, RED)]
    assert state.phase is Phase.BLIND_CARD
    assert state.legal_actions() == state.observe(0).legal_actions() == [DrawCard()]
    assert refused(state, TakeCard(1)) is ErrorCode.WRONG_PHASE
    state.apply(DrawCard())
    assert state.hands[0][LOCO] == 2  # a blind locomotive is an ordinary draw
    assert (state.phase, state.turn_seat) == (Phase.TURN, 1)


def test_r23_without_a_card_to_draw_the_turn_is_over() -> None:
    state = display_of(FAMILY, LOCO, RED, RED, RED, RED)
    state.apply(TakeCard(0))
    assert (state.phase, state.turn_seat) == (Phase.TURN, 1)


def test_r23_a_discarded_card_is_a_card_to_draw() -> None:
    state = display_of(FAMILY, LOCO, RED, RED, RED, RED)
    state.hands[1][Card.BLUE] -= 2
    state.discard[Card.BLUE] += 2
    state.apply(TakeCard(0))  # one blue card fills the display, and one is left
    assert state.phase is Phase.BLIND_CARD


@pytest.mark.parametrize("name", sorted(set(EDITIONS) - {"family-3"}))
def test_r23_elsewhere_it_is_the_whole_turn(name: str) -> None:
    state = display_of(edition(name), LOCO, RED, RED, RED, None)
    state.apply(TakeCard(0))
    assert (state.phase, state.turn_seat) == (Phase.TURN, 1)


def test_r04_a_locomotive_is_never_the_second_card_in_family_3_either() -> None:
    state = display_of(FAMILY, LOCO, RED, RED, RED, RED, deck=(RED, RED))
    state.apply(TakeCard(1))
    assert refused(state, TakeCard(0)) is ErrorCode.LOCOMOTIVE_SECOND


def bonuses(rules: RuleSet, *done: int, left: tuple[int, ...] = ()) -> list[int]:
    """Return the bonuses when each seat has completed so many tickets and failed two."""
    everything = tuple(route.id for route in rules.board.routes)
    numbers = iter([ticket.id for ticket in rules.tickets])
    results = []
    for seat, count in enumerate(done):
        tickets = tuple(next(numbers) for _ in range(count or 2))
        # A seat with the whole map completes all, one with nothing none: only the bonus counts.
        routes = everything if count else ()
        results.append(SeatResult(routes, tickets, 0, 0, int(seat in left)))
    return [standing.tickets_bonus for standing in score(rules, results)]


@pytest.mark.parametrize("name", ["usa-1910", "mega"])
def test_r27_every_seat_tied_for_most_completed_tickets_gets_the_bonus(name: str) -> None:
    rules = edition(name)
    assert bonuses(rules, 3, 1) == [15, 0]
    assert bonuses(rules, 2, 3, 3) == [0, 15, 15]
    assert bonuses(rules, 1, 1, 1, 1, 1) == [15] * 5


def test_r27_without_a_completed_ticket_nobody_gets_it() -> None:
    assert bonuses(edition("mega"), 0, 0, 0) == [0, 0, 0]


def test_r24_a_seat_that_forfeited_takes_no_part_in_the_bonus() -> None:
    assert bonuses(edition("mega"), 3, 1, 1, left=(0,)) == [0, 15, 15]


@pytest.mark.parametrize("name", ["classic", "refresh-2025", "family-3", "big-cities", "tiny"])
def test_r27_elsewhere_there_is_no_such_bonus(name: str) -> None:
    assert bonuses(edition(name), 2, 1) == [0, 0]


def test_the_bonuses_are_part_of_the_total() -> None:
    everything = tuple(route.id for route in edition("mega").board.routes)
    [standing] = score(edition("mega"), [SeatResult(everything, (1,), 100, 0, 0)])
    assert standing.total == 100 + standing.ticket_points + 10 + 15
    [standing] = score(edition("usa-1910"), [SeatResult(everything, (1,), 100, 0, 0)])
    assert (standing.total, standing.longest_bonus) == (100 + standing.ticket_points + 15, 0)
    assert standing.longest_path > 0


def test_r20_family_3_breaks_ties_by_routes_claimed_at_last() -> None:
    # Both own a longest path of 2, and so share the bonus: one route against two.
    equal = [SeatResult((1,), (), 5, 0, 0), SeatResult(TWO_OF_ONE, (), 5, 0, 0)]
    assert [s.longest_bonus for s in score(FAMILY, equal)] == [10, 10]
    assert [s.placement for s in score(FAMILY, equal)] == [2, 1]
    assert [s.placement for s in score(edition("classic"), equal)] == [1, 1]


def rejecting(order: tuple[int, ...]) -> State:
    """Play the opening of `refresh-2025`: every seat gives the same places back, in this order."""
    state, _ = start_game(REFRESH, 3, seed_of(5))
    for seat in range(3):
        offer = state.offers[seat]
        back = tuple(offer[place] for place in order)
        state.apply(KeepTickets(tuple(sorted(set(offer) - set(back))), back), seat)
    return state


def test_r01_refresh_2025_shuffles_the_rejects_together_under_the_deck() -> None:
    before, _ = start_game(REFRESH, 3, seed_of(5))
    rejects = sorted(before.offers[seat][place] for seat, place in product(range(3), (0, 2)))
    state = rejecting((0, 2))
    assert state.ticket_deck[:-6] == before.ticket_deck
    assert state.ticket_deck[-6:] == shuffle(seed_of(5), OPENING_REJECTS, 0, rejects)
    assert rejecting((2, 0)).digest() == state.digest()  # nobody's order matters
    assert rejecting(()).mixed == (0, 0)


def test_a_seat_knows_of_its_rejects_only_that_they_lie_among_them() -> None:
    state = rejecting((0, 2))
    for seat in range(3):
        seen = state.observe(seat)
        assert seen.known_tickets == ()
        assert seen.mixed_tickets is not None
        assert (seen.mixed_tickets.position, seen.mixed_tickets.count) == (21, 6)
        own = start_game(REFRESH, 3, seed_of(5))[0].offers[seat]
        assert seen.mixed_tickets.tickets == tuple(sorted((own[0], own[2])))


def test_nobody_learns_from_its_own_rejects_what_another_seat_was_offered() -> None:
    state = rejecting((0, 2))
    del state.ticket_deck[:20]  # so that the next offer takes one ticket and two of the rejects
    state.mixed = (1, 7)
    twin = state.copy()
    twin.ticket_deck[1], twin.ticket_deck[6] = twin.ticket_deck[6], twin.ticket_deck[1]
    twin.ticket_deck[2], twin.ticket_deck[5] = twin.ticket_deck[5], twin.ticket_deck[2]
    for viewer in (1, 2):
        assert twin.observe(viewer) == state.observe(viewer)
    for one in (state, twin):
        one.apply(DrawTickets())
    for viewer in (1, 2):
        seen = state.observe(viewer)
        assert twin.observe(viewer) == seen
        assert seen.mixed_tickets == MixedTickets(0, 4, ())
    own = state.observe(0).mixed_tickets
    assert own is not None
    left = {t for t in state.ticket_deck[:4] if state.returned_by[t] == 0}
    assert set(own.tickets) == left  # who saw the offer still knows what is left
