"""The kit for bot authors' tests."""

import pytest

from roundhouse.testing import RandomBot, play_one_game
from tests.sdk.bots import ClaimingBot, FailingBot, WitnessBot


def test_a_bot_that_plays_by_the_rules_passes() -> None:
    log = play_one_game(ClaimingBot(), rules="tiny")

    assert [seat.bot for seat in log.seats] == ["ClaimingBot", "RandomBot"]


def test_the_bot_can_sit_anywhere_at_a_table_of_any_size() -> None:
    witness = WitnessBot()

    log = play_one_game(witness, seats=4, seat=2)

    assert witness.games[0].seat == 2
    assert len(log.seats) == 4


def test_opponents_can_be_chosen() -> None:
    log = play_one_game(RandomBot(), opponents=[ClaimingBot(), WitnessBot()], seat=1, rules="tiny")

    assert [seat.bot for seat in log.seats] == ["ClaimingBot", "RandomBot", "WitnessBot"]


def test_the_same_seed_gives_the_same_game() -> None:
    first, again, other = (
        play_one_game(RandomBot(), seed=seed, rules="tiny") for seed in (3, 3, 4)
    )

    assert first.final_digest == again.final_digest != other.final_digest


def test_a_bot_that_fails_is_shown_with_its_trace() -> None:
    with pytest.raises(
        AssertionError, match=r"(?s)^CRASH: It raised KeyError.*Traceback.*KeyError"
    ):
        play_one_game(FailingBot(KeyError("x")), rules="tiny")


def test_an_opponent_that_fails_is_no_fault_of_the_bot() -> None:
    play_one_game(ClaimingBot(), opponents=[FailingBot(KeyError("x"))], rules="tiny")
