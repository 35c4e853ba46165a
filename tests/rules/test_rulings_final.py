"""R-16 and R-17: the final round and forced passes."""

from __future__ import annotations

import pytest

from roundhouse.rules import (
    Card,
    ClaimRoute,
    DrawCard,
    ErrorCode,
    FinalRound,
    FinalRoundStatus,
    GameEnded,
    Pass,
    Phase,
    Position,
    State,
    TakeCard,
    TurnPassed,
    load_board,
)
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult
from tests.rules.games import CLASSIC, cards, refused

USA = load_board("usa")


SIX = [route.id for route in USA.routes if route.length == 6 and route.lane != 2]


BLACK_4 = USA.route_named("Denver-Kansas City/1").id


GRAY_1 = USA.route_named("Atlanta-Nashville").id


def network_of_41() -> tuple[int, ...]:
    """Return routes that leave 4 trains."""
    return (*SIX[:6], next(route.id for route in USA.routes if route.length == 5))


def last_turns(state: State) -> list[int]:
    """Play blind draws to the end; return the seats in the order of their turns."""
    turns: list[int] = []
    while not state.is_over():
        if state.phase is Phase.TURN:
            turns.append(state.turn_seat)
        state.apply(DrawCard())
    return turns


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r16_everybody_has_one_more_turn_and_the_trigger_is_last(seats: int) -> None:
    state = Position(
        rules=CLASSIC,
        hands=(cards(), cards(black=4), *[cards()] * (seats - 2)),
        routes=((), network_of_41(), *[()] * (seats - 2)),
        turn_seat=1,
    ).state()
    events = state.apply(ClaimRoute(BLACK_4, Card.BLACK, 0))
    assert events[-1] == FinalRound(1)
    assert state.observe(0).final_round == FinalRoundStatus(1, seats)
    assert last_turns(state) == [*range(2, seats), 0, 1]
    assert state.observe(0).final_round == FinalRoundStatus(1, 0)


@pytest.mark.parametrize(("left", "triggers"), [(3, False), (2, True), (1, True), (0, True)])
def test_r16_two_trains_or_fewer_trigger_the_final_round(*, left: int, triggers: bool) -> None:
    length = 4 - left  # the seat has 4 trains and claims a route that leaves it with `left`
    route = next(r for r in USA.routes if r.length == length and r.id not in network_of_41())
    state = Position(
        rules=CLASSIC, hands=(cards(locomotive=4), cards()), routes=(network_of_41(), ())
    ).state()
    events = state.apply(ClaimRoute(route.id, None, length))
    assert (FinalRound(0) in events) == triggers


def test_r16_another_seat_that_runs_out_changes_nothing() -> None:
    state = Position(
        rules=CLASSIC,
        hands=(cards(), cards(black=4)),
        routes=((), network_of_41()),
        turn_seat=1,
        final_seat=0,
    ).state()
    events = state.apply(ClaimRoute(BLACK_4, Card.BLACK, 0))
    assert state.trains[1] == 0
    assert not any(isinstance(event, FinalRound) for event in events)
    assert state.observe(1).final_round == FinalRoundStatus(0, 1)
    assert last_turns(state) == [0]


def test_r16_the_last_turn_may_be_two_cards() -> None:
    state = Position(
        rules=CLASSIC, hands=(cards(), cards()), routes=(network_of_41(), ()), final_seat=0
    ).state()
    state.apply(DrawCard())
    assert not state.is_over()
    events = state.apply(DrawCard())
    assert state.is_over()
    assert isinstance(events[-1], GameEnded)


def dried_up(seats: int, *, closed: tuple[int, ...] = ()) -> State:
    """Set up a table with nothing to draw: seat 0 holds one red card, and the last seat the rest.

    The last seat has forfeited, so that its cards are out of play; it owns the routes in `closed`.
    """
    hands = [cards(red=1), *[cards()] * (seats - 2)]
    rest = tuple(total - hands[0][card] for card, total in enumerate(CLASSIC.card_counts))
    nothing: list[tuple[int, ...]] = [()] * (seats - 1)
    return Position(
        rules=CLASSIC,
        hands=(*hands, rest),
        deck=(),
        routes=(*nothing, closed),
        tickets=(*nothing, tuple(ticket.id for ticket in CLASSIC.tickets)),
        forfeits=(*[0] * (seats - 1), 1),
    ).state()


def test_r17_a_seat_without_any_action_passes_by_itself() -> None:
    state = dried_up(4)
    state.apply(ClaimRoute(GRAY_1, Card.RED, 0))  # the red card comes back into the display
    events = state.apply(TakeCard(0))  # seat 1 takes it, and nothing is left
    assert events[1:] == [TurnPassed(2), TurnPassed(0)]
    assert (state.turn_seat, state.turn_number) == (1, 5)  # it can claim with the red card
    assert state.observe(2).passes_in_a_row == 2
    assert not state.is_over()
    state.apply(state.legal_actions()[0])
    assert state.observe(2).passes_in_a_row == 0


def test_r17_a_whole_round_of_passes_ends_the_game() -> None:
    short = [route.id for route in USA.routes if route.length == 1 and route.lane != 2]
    state = dried_up(3, closed=tuple(route_id for route_id in short if route_id != GRAY_1))
    state.apply(ClaimRoute(GRAY_1, Card.RED, 0))
    events = state.apply(TakeCard(0))
    assert events[1:3] == [TurnPassed(0), TurnPassed(1)]
    assert isinstance(events[3], GameEnded)
    assert state.is_over()
    assert state.standings()[0].total == 11  # scored as it stands: 1 point and the bonus


def test_r17_a_pass_is_never_chosen() -> None:
    state = Position(rules=CLASSIC, hands=(cards(), cards())).state()
    assert Pass() not in state.legal_actions()
    assert refused(state, Pass()) is ErrorCode.NOT_FORCED


@pytest.mark.parametrize(
    ("points", "placements"),
    [
        ((5, 9, 7), (3, 1, 2)),
        ((9, 9, 7), (1, 1, 3)),
        ((9, 7, 7, 5), (1, 2, 2, 4)),
        ((0, 0, 0, 0, 0), (1, 1, 1, 1, 1)),
    ],
)
def test_r21_equal_placements_share_and_the_next_is_skipped(
    points: tuple[int, ...], placements: tuple[int, ...]
) -> None:
    results = [SeatResult((), (), count, 0, 0) for count in points]
    assert tuple(standing.placement for standing in score(CLASSIC, results)) == placements
