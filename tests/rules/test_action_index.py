from __future__ import annotations

from contextlib import suppress

import pytest

from roundhouse.rules import (
    ACTION_COUNT,
    Action,
    Board,
    Card,
    ChooseTicket,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ExchangeTicket,
    KeepTickets,
    Pass,
    RulesError,
    TakeCard,
    action_count,
    action_from_index,
    action_index,
    load_board,
)


class Offered:
    """What an index depends on."""

    def __init__(self, *offer: int, board: str = "usa", tickets: tuple[int, ...] = ()) -> None:
        self.board: Board = load_board(board)
        self.offer = offer
        self.tickets = tickets


@pytest.mark.parametrize(
    ("action", "index"),
    [
        (TakeCard(0), 0),
        (TakeCard(4), 4),
        (DrawCard(), 5),
        (DrawTickets(), 6),
        (Pass(), 7),
        (KeepTickets((3, 7, 9), ()), 8),
        (KeepTickets((3, 7), (9,)), 9),
        (KeepTickets((7, 9), (3,)), 10),
        (KeepTickets((7,), (9, 3)), 14),
        (ClaimRoute(1, Card.PURPLE, 0), 214),
        (ClaimRoute(1, Card.PURPLE, 1), 215),
        (ClaimRoute(1, Card.BLUE, 0), 216),
        (ClaimRoute(1, None, 2), 230),
        (ClaimRoute(2, Card.BLUE, 0), 231),
        (ClaimRoute(2, None, 5), 236),
        (ClaimRoute(100, None, 1), 1273),
        (ChooseTicket(0), 1274),
        (ChooseTicket(2), 1276),
        (ChooseTicket(None), 1277),
        (ExchangeTicket(None), 1278),
        (ExchangeTicket(8), 1279),
        (ExchangeTicket(5), ACTION_COUNT - 1),
    ],
)
def test_indices_are_those_of_the_page(action: Action, index: int) -> None:
    seen = Offered(9, 3, 7, tickets=(8, 1, 2, 4, 5))
    if action == ClaimRoute(100, None, 1):
        action = ClaimRoute(100, None, seen.board.route(100).length)
    assert action_index(action, seen) == index
    assert action_from_index(index, seen) == action


@pytest.mark.parametrize("offer", [(), (4,), (9, 4), (9, 4, 7), (9, 4, 7, 1), (9, 4, 7, 1, 2)])
@pytest.mark.parametrize("board", ["usa", "tiny"])
def test_every_index_is_an_action_of_its_own_or_no_action(
    offer: tuple[int, ...], board: str
) -> None:
    seen = Offered(*offer, board=board, tickets=(21, 5, 13))
    actions = {}
    for index in range(action_count(seen.board)):
        # An index of a larger offer is no action here.
        with suppress(RulesError):
            actions[index] = action_from_index(index, seen)
    for index, action in actions.items():
        assert action_index(action, seen) == index
    assert len(set(actions.values())) == len(actions)
    answers = [1, 1, 3, 10, 41, 206]  # the ways to give back some of an offer, in order
    expected = answers[len(offer)] if offer else 0
    assert sum(isinstance(action, KeepTickets) for action in actions.values()) == expected


def test_the_number_of_indices_is_a_constant_of_the_usa_board() -> None:
    assert action_count(load_board("usa")) == ACTION_COUNT


@pytest.mark.parametrize("index", [-1, ACTION_COUNT, 10**9])
def test_an_index_out_of_range_is_refused(index: int) -> None:
    with pytest.raises(RulesError, match=f"no action {index}"):
        action_from_index(index, Offered())


@pytest.mark.parametrize(
    "action",
    [
        TakeCard(5),
        TakeCard(-1),
        KeepTickets((1,), ()),
        ClaimRoute(2, Card.RED, 0),
        ChooseTicket(3),
        ExchangeTicket(9),
    ],
)
def test_an_action_that_can_never_be_legal_has_no_index(action: Action) -> None:
    with pytest.raises(RulesError, match="has no index"):
        action_index(action, Offered(9, 3, 7))
