"""Who sees what of an event: everybody, or only the seat that it is about."""

from __future__ import annotations

from typing import get_args

import pytest

from roundhouse.rules import (
    Card,
    CardDiscarded,
    CardDrawn,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    Event,
    FinalRound,
    GameEnded,
    MarketFilled,
    RouteClaimed,
    SeatForfeited,
    TicketChosen,
    TicketExchanged,
    TicketsKept,
    TicketsOffered,
    TicketsShown,
    TurnPassed,
)
from tests.rules.games import cards

OTHERS = (0, 2, None)
"""Who is not seat 1: other seats, and a spectator."""

SECRET: list[tuple[Event, Event]] = [
    # what happens to seat 1, and what the others see of it
    (CardsDealt(1, (Card.RED,) * 4, 4), CardsDealt(1, None, 4)),
    (CardDrawn(1, Card.LOCOMOTIVE), CardDrawn(1, None)),
    (TicketsOffered(1, (3, 1, 2), 3), TicketsOffered(1, None, 3)),
    (TicketsKept(1, (1, 2), (3,), 2, 1), TicketsKept(1, None, None, 2, 1)),
    (TicketChosen(1, None, 4), TicketChosen(1, None, None)),
    (TicketExchanged(1, 4, 7), TicketExchanged(1, None, None)),
]
PUBLIC: list[Event] = [
    DeckShuffled(1, 70),
    DisplayFilled(2, Card.BLUE),
    DisplayCleared(cards(locomotive=3, red=2)),
    TicketsShown(1, (1, 2)),
    TicketChosen(1, 2, 4),
    MarketFilled(0, 9),
    CardDiscarded(1, Card.WHITE),
    CardTaken(1, 3, Card.RED),
    RouteClaimed(1, 31, cards(green=4), 7),
    TurnPassed(1),
    FinalRound(1),
    SeatForfeited(1),
    GameEnded((), (cards(),)),
]


@pytest.mark.parametrize(("event", "shown"), SECRET)
def test_what_is_secret_is_seen_by_its_seat_alone(event: Event, shown: Event) -> None:
    assert event.redacted(1) == event
    for viewer in OTHERS:
        assert event.redacted(viewer) == shown
        assert shown.redacted(viewer) == shown  # leaving out twice leaves out no more


@pytest.mark.parametrize("event", PUBLIC)
def test_what_is_public_is_seen_by_everybody(event: Event) -> None:
    for viewer in (1, *OTHERS):
        assert event.redacted(viewer) == event


def test_no_kind_of_event_is_left_out() -> None:
    assert {type(event) for event in (*PUBLIC, *(event for event, _ in SECRET))} == set(
        get_args(Event)
    )
