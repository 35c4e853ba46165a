"""Whole random games, for tests that look at every state and event of one."""

from collections.abc import Iterator
from random import Random

from roundhouse.rules import Action, Event, RuleSet, State, edition, start_game


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def named(label: str) -> RuleSet:
    """Return the rules that a label names: an edition and variants, joined by +."""
    name, *variants = label.split("+")
    return edition(name, variants)


def new_game(seats: int, seed: int = 1, rules: str = "classic") -> tuple[State, list[Event]]:
    return start_game(named(rules), seats, seed_of(seed))


def decisions(
    seats: int, seed: int = 1, rules: str = "classic"
) -> Iterator[tuple[State, int, Action]]:
    """Yield the state, the seat to act and what it will do, before each action of a random game."""
    state, _ = new_game(seats, seed, rules)
    rng = Random(seed)
    while not state.is_over():
        seat = rng.choice(state.seats_to_act())
        action = rng.choice(state.legal_actions(seat))
        yield state, seat, action
        state.apply(action, seat)


def all_events(seats: int, seed: int = 1, rules: str = "classic") -> list[Event]:
    """Return every event of a random game."""
    state, events = new_game(seats, seed, rules)
    rng = Random(seed)
    while not state.is_over():
        seat = rng.choice(state.seats_to_act())
        events = events + state.apply(rng.choice(state.legal_actions(seat)), seat)
    return events
