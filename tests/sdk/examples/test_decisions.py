"""What the house bots do at moments that are set up on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from roundhouse.arena import deal_seed
from roundhouse.bot import GameInfo
from roundhouse.rules import (
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Phase,
    Position,
    TakeCard,
    count_cards,
    edition,
    start_game,
)
from tests.sdk.examples.test_house_bots import house_bot

if TYPE_CHECKING:
    from roundhouse.rules import Action, State

RULES = edition("classic")
DENVER_EL_PASO = 7
DULL = (Card.WHITE, Card.WHITE, Card.PURPLE, Card.PURPLE, Card.GREEN)


def decide(name: str, state: State) -> Action:
    """Let a house bot answer for the seat that is to act."""
    seat = state.seats_to_act()[0]
    bot = house_bot(name)()
    bot.game_started(
        GameInfo(
            game_id="g",
            rules=RULES,
            seat=seat,
            seats=state.seats,
            time_control=None,
            seed_commitment=bytes(32),
        )
    )
    return bot.choose(state.observe(seat))


def position(
    *hand: Card,
    tickets: tuple[int, ...] = (DENVER_EL_PASO,),
    routes: tuple[str, ...] = (),
    display: tuple[Card, ...] = DULL,
    phase: Phase = Phase.TURN,
) -> State:
    """Set up a turn of seat 0 with a hand, against a seat with an empty one."""
    return Position(
        rules=RULES,
        hands=(count_cards(hand), count_cards([])),
        display=display,
        routes=(tuple(RULES.board.route_named(name).id for name in routes), ()),
        tickets=(tickets, (1, 2)),
        phase=phase,
    ).state()


def claim(route: str, colour: Card, locomotives: int = 0) -> ClaimRoute:
    return ClaimRoute(RULES.board.route_named(route).id, colour, locomotives)


@pytest.mark.parametrize(
    ("name", "state", "action"),
    [
        (
            "greedy",  # the longest route that it can pay
            position(*[Card.BLACK] * 6, Card.RED, Card.RED),
            claim("El Paso-Los Angeles", Card.BLACK),
        ),
        (
            "greedy",  # locomotives are saved
            position(*[Card.BLACK] * 6, Card.LOCOMOTIVE),
            claim("El Paso-Los Angeles", Card.BLACK),
        ),
        (
            "greedy",  # the colour that it has most of
            position(Card.GREEN, Card.PURPLE, Card.PURPLE, phase=Phase.SECOND_CARD),
            TakeCard(2),
        ),
        ("greedy", position(display=(Card.LOCOMOTIVE, *DULL[1:])), DrawCard()),
        ("hoarder", position(*[Card.WHITE] * 6), TakeCard(0)),  # it is not full yet
        (
            "hoarder",  # it is: the longest route
            position(*[Card.BLACK] * 6, *[Card.RED] * 8),
            claim("El Paso-Los Angeles", Card.BLACK),
        ),
        (
            "planner",  # what the ticket needs, though another route is longer
            position(*[Card.BLACK] * 6, Card.RED, Card.RED, routes=("Denver-Santa Fe",)),
            claim("El Paso-Santa Fe", Card.BLACK),
        ),
        (
            "planner",  # the colour of the route that the ticket needs
            position(
                Card.GREEN,
                tickets=(11,),  # Helena to Los Angeles
                routes=("Helena-Salt Lake City", "Las Vegas-Los Angeles"),
                display=(Card.WHITE, Card.PURPLE, Card.ORANGE, Card.GREEN, Card.BLUE),
            ),
            TakeCard(2),
        ),
        (
            "planner",  # its ticket is done, and it is early
            position(routes=("Denver-Santa Fe", "El Paso-Santa Fe")),
            DrawTickets(),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bot_takes_the_action_that_its_description_promises(
    name: str, state: State, action: Action
) -> None:
    decided = decide(name, state)
    assert decided in state.legal_actions()
    assert decided == action


def test_the_planner_takes_no_tickets_once_anybody_is_short_of_trains() -> None:
    long = ("Helena-Seattle", "Duluth-Helena", "El Paso-Houston")
    state = position(routes=("Denver-Santa Fe", "El Paso-Santa Fe", *long))
    assert decide("planner", state) != DrawTickets()


@pytest.mark.parametrize("name", ["greedy", "hoarder"])
def test_bots_without_a_use_for_tickets_keep_the_two_cheapest(name: str) -> None:
    values = {ticket.id: ticket.value for ticket in RULES.tickets}
    for deal in range(5):
        state, _ = start_game(RULES, 2, deal_seed("tickets", deal))
        action = decide(name, state)
        offer = state.observe(0).offer
        assert isinstance(action, KeepTickets)
        assert len(action.keep) == 2
        assert sum(values[one] for one in action.keep) == min(
            sum(values[one] for one in offer) - values[left] for left in offer
        )


def test_the_planner_keeps_tickets_that_it_can_do_with_its_trains() -> None:
    state = Position(
        rules=RULES,
        hands=(count_cards([]), count_cards([])),
        offers=((15, 20, 2), ()),  # across the country, and two near to each other
        tickets=((), (1, 3)),
        phase=Phase.OPENING,
        turn_number=0,
        answers=(None, None),
    )
    assert decide("planner", state.assemble()) == KeepTickets((2, 20), (15,))
