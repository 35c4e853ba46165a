"""Forfeits in words."""

import pytest

from roundhouse.rules import Action, Card, ClaimRoute, ErrorCode, RulesError, TakeCard, load_board
from roundhouse.verdict import REASON_NAMES, crash_sentence, illegal_action_sentence

USA = load_board("usa")
REFUSAL = RulesError(ErrorCode.ROUTE_TAKEN, "The route belongs to seat 1.")


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (TakeCard(7), "take 7"),
        (ClaimRoute(31, Card.GREEN, 1), "claim Denver-Helena (3 green + 1 locomotive)"),
        (ClaimRoute(999, None, 0), "ClaimRoute(route_id=999, colour=None, locomotives=0)"),
    ],
)
def test_an_illegal_action_is_named_with_the_reason(action: Action, text: str) -> None:
    assert illegal_action_sentence(action, REFUSAL, USA) == (
        f"It answered with {text!r}, which is not legal: The route belongs to seat 1."
    )


@pytest.mark.parametrize("locomotives", [0, 1, 9, 2**32 - 1])
@pytest.mark.parametrize("route_id", [0, 1, 100, 101, 2**32 - 1])
@pytest.mark.parametrize("colour", [None, *Card])
def test_every_action_that_the_wire_can_carry_has_a_sentence(
    route_id: int, colour: Card | None, locomotives: int
) -> None:
    action = ClaimRoute(route_id, colour, locomotives)

    assert illegal_action_sentence(action, REFUSAL, USA).startswith("It answered with '")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("no idea."), "It raised ValueError: no idea."),
        (KeyError(), "It raised KeyError."),
        (RuntimeError("two\nlines \x1b[2J"), "It raised RuntimeError: two lines ?[2J."),
        (RuntimeError("x" * 9999), f"It raised RuntimeError: {'x' * 297}."),
    ],
)
def test_a_crash_is_told_in_one_line(error: Exception, sentence: str) -> None:
    assert crash_sentence(error) == sentence


def test_every_reason_has_a_short_name() -> None:
    assert sorted(REASON_NAMES.values()) == [
        "CRASH",
        "DISCONNECT",
        "ILLEGAL_ACTION",
        "PROTOCOL",
        "RESOURCE",
        "TIME",
    ]
