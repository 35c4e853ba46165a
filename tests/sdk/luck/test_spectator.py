"""A spectator's guess of the next card: right while nothing is hidden, and off by what is."""

from __future__ import annotations

import pytest

from bench.spectator import Spectator
from roundhouse.luck import Term
from roundhouse.rules import (
    Card,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayFilled,
    RouteClaimed,
    edition,
)

GREEN, RED, LOCOMOTIVE = Card.GREEN, Card.RED, Card.LOCOMOTIVE


def test_what_everybody_saw_is_known_to_a_spectator_too() -> None:
    spectator = Spectator(edition("tiny"), 2)
    for event in (
        DeckShuffled(0, 37),
        DisplayFilled(0, LOCOMOTIVE),
        DisplayFilled(1, RED),
        CardTaken(0, 1, RED),
        DisplayFilled(1, RED),
    ):
        spectator.follow(event)
    assert all(off == 0 for seat in spectator.off for off in seat.values())


def test_a_hidden_card_makes_the_guess_wrong_until_it_is_paid() -> None:
    spectator = Spectator(edition("tiny"), 2)
    spectator.follow(DeckShuffled(0, 37))
    spectator.follow(CardsDealt(0, (LOCOMOTIVE,), 1))
    spectator.follow(DisplayFilled(0, RED))
    shown = spectator.off[0][Term.SHOWN_LOCOMOTIVES]
    assert shown == pytest.approx(4 / 36 - 5 / 37)
    spectator.follow(RouteClaimed(0, 1, (0, 0, 0, 0, 0, 0, 0, 0, 1), 1))
    spectator.follow(DisplayFilled(1, GREEN))
    assert sum(seat[Term.SHOWN_LOCOMOTIVES] for seat in spectator.off) == pytest.approx(shown)
