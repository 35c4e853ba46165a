"""V-7 teams and V-8 solo, and R-26."""

from __future__ import annotations

import pytest

from roundhouse.rules import (
    Card,
    CardDiscarded,
    CardTaken,
    ClaimRoute,
    DisplayFilled,
    DrawCard,
    DrawTickets,
    ErrorCode,
    FinalRound,
    GameEnded,
    Position,
    State,
    TakeCard,
    TurnPassed,
    edition,
    start_game,
)
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult, Standing
from tests.rules.games import cards, refused, seed_of

RED, BLUE, GREEN, LOCO = Card.RED, Card.BLUE, Card.GREEN, Card.LOCOMOTIVE
TEAMS = edition("classic", ["teams"])
SHARED = edition("classic", ["teams", "shared_network"])
SOLO = edition("classic", ["solo"])
BOARD = TEAMS.board


def route(name: str) -> int:
    """Return the number of a route."""
    return BOARD.route_named(name).id


def results(*points: int, left: tuple[int, ...] = (0, 0, 0, 0)) -> list[SeatResult]:
    """Return seats with these route points and nothing else."""
    return [SeatResult((), (), p, 0, order) for p, order in zip(points, left, strict=True)]


def placements(standings: tuple[Standing, ...]) -> list[int]:
    """Return the placements by seat."""
    return [standing.placement for standing in standings]


def test_v7_the_score_of_a_team_is_the_sum_and_ranks_are_by_team() -> None:
    standings = score(TEAMS, results(10, 40, 50, 15))
    assert [standing.total for standing in standings] == [10, 40, 50, 15]
    assert [standing.team_total for standing in standings] == [60, 55, 60, 55]
    assert placements(standings) == [1, 3, 1, 3]
    assert placements(score(TEAMS, results(1, 2, 3, 2))) == [1, 1, 1, 1]


def test_v7_ties_are_broken_by_the_numbers_of_the_team() -> None:
    everything = tuple(r.id for r in BOARD.routes)
    done = SeatResult(everything, (1,), 0, 0, 0)
    failed = SeatResult((), (), 0, 0, 0)
    standings = score(TEAMS, [done, failed, failed, failed])
    gap = standings[0].total
    level = [done, SeatResult((), (), gap, 0, 0), failed, failed]
    standings = score(TEAMS, level)
    assert len({standing.team_total for standing in standings}) == 1
    assert placements(standings) == [1, 3, 1, 3]  # completed tickets


def test_v7_partners_routes_count_together_for_tickets_only_with_a_shared_network() -> None:
    # Ticket Dallas to New York: half of the way is the partner's.
    ticket = next(t for t in TEAMS.tickets if (t.city_a, t.city_b) == ("Dallas", "New York"))
    way = ["Dallas-Little Rock", "Little Rock-Nashville", "Nashville-Pittsburgh"]
    own = tuple(route(name) for name in way[:2])
    partners = (route(way[2]), route("New York-Pittsburgh/1"))
    table = [
        SeatResult(own, (ticket.id,), 0, 0, 0),
        SeatResult((), (), 0, 0, 0),
        SeatResult(partners, (), 0, 0, 0),
        SeatResult((), (), 0, 0, 0),
    ]
    assert score(TEAMS, table)[0].ticket_points == -ticket.value
    shared = score(SHARED, table)
    assert shared[0].ticket_points == ticket.value
    assert shared[0].routes_claimed == len(own)
    # the longest path is each seat's own, and its bonus counts for the team.
    assert [s.longest_path for s in shared] == [s.longest_path for s in score(TEAMS, table)]
    assert [s.longest_bonus for s in shared] == [0, 0, 10, 0]
    assert shared[0].team_total == shared[2].team_total == ticket.value + 10


def test_v7_hands_trains_and_tickets_are_separate_and_secret_from_the_partner() -> None:
    state, _ = start_game(TEAMS, 4, seed_of(1))
    for seat in range(4):
        state.apply(state.legal_actions(seat)[0], seat)
    seen = state.observe(0)
    assert seen.players[2].tickets == ()
    assert seen.players[2].known_hand == cards()
    assert state.trains == [45] * 4


def test_v7_a_forfeit_loses_the_game_for_the_team_at_once() -> None:
    # R-24 with a team in place of a player.
    for seat in range(4):
        state, _ = start_game(TEAMS, 4, seed_of(1))
        for other in range(4):
            state.apply(state.legal_actions(other)[0], other)
        assert isinstance(state.forfeit(seat)[-1], GameEnded)
        losers = {seat, (seat + 2) % 4}
        expected = [3 if other in losers else 1 for other in range(4)]
        assert placements(state.standings()) == expected


def test_v7_a_forfeit_in_the_opening_ends_the_game_too() -> None:
    state, _ = start_game(TEAMS, 4, seed_of(1))
    state.apply(state.legal_actions(1)[0], 1)
    state.forfeit(3)
    assert placements(state.standings()) == [1, 3, 1, 3]
    assert state.is_over()


def test_v7_the_other_lane_is_open_to_the_partner() -> None:
    # R-13 with four players.
    state = Position(
        rules=TEAMS, hands=(cards(red=2),) * 4, routes=((), (), (route("Dallas-Houston/1"),), ())
    ).state()
    assert ClaimRoute(route("Dallas-Houston/2"), RED, 0) in state.legal_actions()


def solo(
    *,
    display: tuple[Card | None, ...] = (RED,) * 5,
    deck: tuple[Card, ...] | None = None,
    hand: tuple[int, ...] = cards(),
    routes: tuple[int, ...] = (),
    tickets: tuple[int, ...] = (1, 2, 3, 4, 5),
) -> State:
    """Set up a turn of the one player."""
    return Position(
        rules=SOLO, hands=(hand,), display=display, deck=deck, routes=(routes,), tickets=(tickets,)
    ).state()


def test_v8_all_five_tickets_are_kept() -> None:
    state, _ = start_game(SOLO, 1, seed_of(1))
    assert len(state.offers[0]) == 5
    [answer] = state.legal_actions()
    state.apply(answer)
    assert len(state.tickets[0]) == 5
    assert (state.turn_seat, state.turn_number) == (0, 1)


def test_r26_no_further_tickets_are_drawn_in_solo() -> None:
    state = solo()
    assert state.ticket_deck
    assert DrawTickets() not in state.legal_actions()
    assert state.observe(0).legal_actions() == state.legal_actions()
    assert refused(state, DrawTickets()) is ErrorCode.NO_TICKETS


def test_v8_the_leftmost_card_is_discarded_after_each_turn() -> None:
    state = solo(display=(RED, GREEN, GREEN, GREEN, GREEN), deck=(BLUE, BLUE, GREEN, BLUE))
    before = state.discard[RED]
    assert CardDiscarded not in [type(event) for event in state.apply(DrawCard())]
    events = state.apply(DrawCard())
    assert events[1:] == [CardDiscarded(0, RED), DisplayFilled(0, GREEN)]
    assert state.discard[RED] == before + 1
    assert state.turn_number == 2


def test_r25_the_leftmost_card_lies_in_the_lowest_filled_slot() -> None:
    hand = tuple(total - (card == GREEN) * 3 for card, total in enumerate(SOLO.card_counts))
    state = solo(display=(None, None, GREEN, GREEN, GREEN), deck=(), hand=hand)
    claim = ClaimRoute(route("Los Angeles-San Francisco/1"), Card.YELLOW, 0)
    events = state.apply(claim)
    slots = [event.slot for event in events if isinstance(event, CardDiscarded)]
    assert slots == [0]  # the claim's cards have filled the display before the turn ended


def test_v8_the_game_ends_when_all_five_are_completed() -> None:
    near = next(t for t in SOLO.tickets if (t.city_a, t.city_b) == ("Seattle", "Los Angeles"))
    way = ["Portland-Seattle/1", "Portland-San Francisco/1"]
    last = route("Los Angeles-San Francisco/1")
    yellow = cards(yellow=3)
    owned = tuple(route(name) for name in way)
    ended = solo(hand=yellow, routes=owned, tickets=(near.id,))
    events = ended.apply(ClaimRoute(last, Card.YELLOW, 0))
    assert isinstance(events[-1], GameEnded)
    goes_on = solo(hand=yellow, routes=owned, tickets=(near.id, 1))
    goes_on.apply(ClaimRoute(last, Card.YELLOW, 0))
    assert not goes_on.is_over()


def test_v8_r16_applies_without_opponents() -> None:
    state = solo(hand=cards(red=3))
    state.trains[0] = 3
    events = state.apply(ClaimRoute(route("Dallas-Houston/1"), RED, 0))
    assert FinalRound(0) in events
    assert not state.is_over()
    assert state.observe(0).final_round is not None
    state.apply(DrawCard())
    state.apply(DrawCard())
    assert state.is_over()


def test_v8_a_forced_pass_ends_the_game() -> None:
    # all cards are in the hand, and no trains are left to use them.
    hand = tuple(total - (card == RED) for card, total in enumerate(SOLO.card_counts))
    state = solo(display=(RED, None, None, None, None), deck=(), hand=hand)
    state.trains[0] = 0
    kinds = [type(event) for event in state.apply(TakeCard(0))]
    assert kinds == [CardTaken, FinalRound, TurnPassed, GameEnded]


def test_v8_the_score_is_the_normal_one() -> None:
    state = solo(routes=(route("Dallas-Houston/1"),))
    [standing] = state.standings()
    failed = sum(ticket.value for ticket in SOLO.tickets[:5])
    assert (standing.placement, standing.total) == (1, 1 - failed + 10)


def test_r24_the_one_player_of_solo_may_forfeit() -> None:
    for answers in (0, 1):
        state, _ = start_game(SOLO, 1, seed_of(1))
        for _ in range(answers):
            state.apply(state.legal_actions()[0])
        assert isinstance(state.forfeit(0)[-1], GameEnded)
        [standing] = state.standings()
        assert (standing.placement, standing.forfeited) == (1, True)


@pytest.mark.parametrize("name", ["refresh-2025", "mega", "tiny"])
def test_v8_goes_with_every_box(name: str) -> None:
    state, _ = start_game(edition(name, ["solo"]), 1, seed_of(1))
    assert len(state.offers[0]) == 5
