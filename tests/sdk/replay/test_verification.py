"""Verification: an honest log holds, and the first difference of any other is named."""

from collections.abc import Callable

import pytest

from roundhouse.api.game.v1 import card_pb2, event_pb2, log_pb2
from roundhouse.replay import steps, verify
from tests.sdk.replay.logs import log_of, log_with_forfeits

Spoil = Callable[[log_pb2.GameLog], object]


@pytest.mark.parametrize(("seats", "rules"), [(2, "tiny"), (2, "classic"), (5, "classic")])
def test_an_honest_log_holds(seats: int, rules: str) -> None:
    log = log_of(seats, rules=rules)

    verification = verify(log)

    assert verification.ok
    assert verification.entries == len(log.entries)
    assert verification.sentence.startswith(f"The log holds: {len(log.entries)} entries")


def test_an_honest_log_with_forfeits_holds() -> None:
    assert verify(log_with_forfeits()).ok


def first_with(log: log_pb2.GameLog, kind: str) -> tuple[int, event_pb2.Event]:
    for index, entry in enumerate(log.entries, start=1):
        for event in entry.events:
            if event.WhichOneof("kind") == kind:
                return index, event
    raise AssertionError(kind)


def change_a_card(log: log_pb2.GameLog) -> None:
    event = first_with(log, "card_drawn")[1].card_drawn
    event.card = card_pb2.CARD_RED if event.card != card_pb2.CARD_RED else card_pb2.CARD_BLUE


def steal_a_claim(log: log_pb2.GameLog) -> None:
    index, _ = first_with(log, "route_claimed")
    log.entries[index - 1].action.seat ^= 1


def swap_seeds(log: log_pb2.GameLog) -> None:
    log.seed = bytes(32)


def swap_seeds_and_commitment(log: log_pb2.GameLog) -> None:
    other = log_of(seed=2)
    log.seed, log.seed_commitment = other.seed, other.seed_commitment


TABLE: list[tuple[Spoil, str]] = [
    (swap_seeds, "The commitment "),
    (swap_seeds_and_commitment, "The set-up: event 2 in the log is 'seat 0 is dealt"),
    (lambda log: log.ClearField("seed"), "The seed of this game is not revealed yet."),
    (change_a_card, "in the log is 'seat"),
    (steal_a_claim, "cannot be played: Seat"),
    (lambda log: log.set_up.pop(), "in the log is nothing, but the seed and the actions give"),
    (lambda log: log.set_up.append(log.set_up[0]), "but the seed and the actions give nothing."),
    (lambda log: setattr(log, "set_up_digest", b"x" * 8), "The set-up: the state's digest"),
    (
        lambda log: setattr(log.entries[5], "digest", b""),
        "the state's digest in the log is missing",
    ),
    (lambda log: log.entries[5].ClearField("action"), "it is neither an action nor a forfeit"),
    (lambda log: log.entries[5].events.append(event_pb2.Event()), "is of an unknown kind, but"),
    (
        lambda log: log.entries[5].events.append(
            event_pb2.Event(route_claimed=event_pb2.RouteClaimed(route_id=999))
        ),
        "is not readable, but",
    ),
    (lambda log: log.entries.pop(), "entries, before the game is over."),
    (lambda log: log.entries.append(log.entries[5]), "cannot be played: The game is over."),
    (lambda log: setattr(log.standings[1], "total", 500), "The standing of seat 1 in the log"),
    (lambda log: log.standings.pop(), "The standing of seat 1 in the log"),
    (lambda log: log.standings.append(log.standings[0]), "The log has 3 standings for 2 seats."),
    (lambda log: setattr(log, "final_digest", b""), "The digest of the last state in the log is"),
    (lambda log: setattr(log.rules, "edition", "chess"), "The game cannot be set up: There is no"),
    (lambda log: setattr(log.rules, "trains", 9), "The game cannot be set up: The rules say"),
    (lambda log: log.seats.append(log_pb2.LogSeat()), "The set-up: event 4 in the log is 'slot"),
    (lambda log: log.seats.pop(), "The game cannot be set up: The edition tiny is for 2 to 3"),
]


@pytest.mark.parametrize(("spoil", "sentence"), TABLE)
def test_the_first_difference_is_named(spoil: Spoil, sentence: str) -> None:
    log = log_of()
    spoil(log)

    verification = verify(log)

    assert not verification.ok
    assert sentence in verification.sentence
    assert verification.sentence.endswith(".")
    assert "\n" not in verification.sentence


def test_a_changed_action_is_found_where_it_was_made() -> None:
    log = log_of()
    index, _ = first_with(log, "card_taken")
    log.entries[index - 1].action.action.take_card.slot ^= 1

    verification = verify(log)

    assert verification.sentence.startswith(f"Entry {index} (seat ")
    assert verification.entries in {index - 1, index}


def test_every_changed_byte_of_a_digest_is_found() -> None:
    for number in range(len(log_of().entries)):
        log = log_of()
        digest = log.entries[number].digest
        log.entries[number].digest = bytes((digest[0] ^ 1, *digest[1:]))
        assert verify(log).sentence.startswith(f"Entry {number + 1} (")


def test_steps_give_every_state_of_the_game() -> None:
    log = log_of()
    is_over: list[bool] = []
    for step in steps(log):
        digest = log.set_up_digest if step.entry is None else step.entry.digest
        assert step.state.digest()[:8] == digest
        assert step.index == len(is_over)
        is_over.append(step.state.is_over())

    assert is_over == [False] * len(log.entries) + [True]
