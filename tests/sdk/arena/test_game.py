"""One game in this process: who is told what, and how a bot forfeits."""

import pytest

from roundhouse import Bot
from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.arena import play_game
from roundhouse.codec import decode_events, decode_standing
from roundhouse.errors import BotError
from roundhouse.replay import verify
from roundhouse.rules import (
    ClaimRoute,
    DrawCard,
    Pass,
    RulesError,
    TakeCard,
    commitment,
    edition,
)
from tests.sdk.bots import ClaimingBot, FailingBot, WitnessBot
from tests.sdk.games import seed_of


def test_a_game_is_played_and_its_log_holds() -> None:
    log = play_game([ClaimingBot(), ClaimingBot()], seed=seed_of(1), names=["a", "b"])

    assert verify(log).ok
    assert [seat.bot for seat in log.seats] == ["a", "b"]
    assert (log.host.driver, log.host.isolated) == ("in-process", False)
    assert not log.HasField("time_control")


def test_a_bot_is_told_what_its_seat_may_see_and_nothing_else() -> None:
    witness = WitnessBot()
    log = play_game([ClaimingBot(), witness, ClaimingBot()], seed=seed_of(2), game_id="g")
    messages = [*log.set_up, *(event for entry in log.entries for event in entry.events)]

    (game,) = witness.games

    assert (game.game_id, game.seat, game.seats, game.time_control) == ("g", 1, 3, None)
    assert game.rules == edition("classic")
    assert game.seed_commitment == commitment(seed_of(2))
    assert witness.events == [event.redacted(1) for event in decode_events(messages)]
    assert witness.standings == [tuple(decode_standing(one) for one in log.standings)]
    assert all(seen.seat == 1 and seen.legal_actions() for seen in witness.observations)


ILLEGAL = "It answered with {!r}, which is not legal: "


@pytest.mark.parametrize(
    ("failure", "reason", "sentence"),
    [
        (ValueError("no\n idea."), "CRASH", "It raised ValueError: no idea."),
        (KeyError(), "CRASH", "It raised KeyError."),
        (SystemExit(3), "CRASH", "It raised SystemExit: 3."),
        (None, "CRASH", "It raised TypeError: None is not an action."),
        ("draw", "CRASH", "It raised TypeError: 'draw' is not an action."),
        (TakeCard(-1), "CRASH", "It raised ValueError: "),
        (TakeCard(7), "ILLEGAL_ACTION", ILLEGAL.format("take 7") + "There is no slot 7; "),
        (Pass(), "ILLEGAL_ACTION", ILLEGAL.format("pass")),
        (
            ClaimRoute(999, None, 2),
            "ILLEGAL_ACTION",
            ILLEGAL.format("ClaimRoute(route_id=999, colour=None, locomotives=2)")
            + "The board usa has no route 999",
        ),
    ],
)
def test_a_failing_bot_forfeits_with_a_sentence(
    failure: object, reason: str, sentence: str
) -> None:
    log = play_game([ClaimingBot(), FailingBot(failure)], seed=seed_of(3))

    last = log.entries[-1].forfeit
    assert last.reason == verdict_pb2.ForfeitReason.Value(f"FORFEIT_REASON_{reason}")
    assert last.sentence.startswith(sentence)
    assert "\n" not in last.sentence
    assert last.seat == 1
    assert not last.output_tail, "what a bot prints is its owner's alone"
    assert [standing.placement for standing in log.standings] == [1, 2]
    assert verify(log).ok


def test_with_more_seats_the_others_play_on() -> None:
    bots = [FailingBot(DrawCard(), after=0), ClaimingBot(), ClaimingBot(), FailingBot(None)]

    log = play_game(bots, seed=seed_of(4))

    assert [standing.forfeited for standing in log.standings] == [True, False, False, True]
    assert log.standings[0].placement == 4
    assert log.standings[3].placement == 3
    assert verify(log).ok


def test_all_may_fail_at_once() -> None:
    log = play_game([FailingBot(None, after=0) for _ in range(3)], seed=seed_of(5))

    assert verify(log).ok
    assert sum(standing.forfeited for standing in log.standings) >= 2


class UnreadyBot(ClaimingBot):
    def game_started(self, game: object) -> None:
        raise RuntimeError(f"not ready for {type(game).__name__}")


def test_a_bot_that_fails_at_the_start_forfeits() -> None:
    log = play_game([UnreadyBot(), ClaimingBot(), UnreadyBot()], seed=seed_of(6))

    assert [entry.forfeit.sentence for entry in log.entries[:2]] == [
        "It raised RuntimeError: not ready for GameInfo."
    ] * 2
    assert log.standings[1].placement == 1
    assert verify(log).ok


def test_when_all_fail_at_the_start_the_game_ends_with_one_left() -> None:
    log = play_game([UnreadyBot(), UnreadyBot()], seed=seed_of(6))

    assert len(log.entries) == 1
    assert verify(log).ok


class SoreLoserBot(ClaimingBot):
    def game_over(self, standings: object) -> None:
        raise RuntimeError(f"unfair: {standings is not None}")


def test_a_bot_that_fails_after_the_end_is_named() -> None:
    with pytest.raises(BotError, match=r"^SoreLoserBot failed at the end of game g: It raised"):
        play_game([SoreLoserBot(), ClaimingBot()], seed=seed_of(7), game_id="g")


def test_too_many_seats_are_refused() -> None:
    with pytest.raises(RulesError, match="is for 2 to 5 players, not 6"):
        play_game([ClaimingBot() for _ in range(6)], seed=seed_of(1))


def test_a_bot_must_say_how_it_chooses() -> None:
    with pytest.raises(TypeError, match="choose"):
        Bot()  # type: ignore[abstract]


def test_ctrl_c_is_no_forfeit() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_game([FailingBot(KeyboardInterrupt()), ClaimingBot()], seed=seed_of(1))
