"""For the tests of bot authors: play whole games here and complain about what would lose there.

from roundhouse.testing import play_one_game

def test_my_bot_plays_a_game():
    play_one_game(MyBot())
"""

from collections.abc import Sequence

from roundhouse.api.game.v1 import log_pb2
from roundhouse.arena import LocalGame, deal_seed
from roundhouse.bot import Bot
from roundhouse.replay import verify
from roundhouse.rules import Action, Observation, edition
from roundhouse.verdict import REASON_NAMES


class RandomBot(Bot):
    """Choose any legal action, all equally likely."""

    def choose(self, observation: Observation) -> Action:
        """Return one of the legal actions."""
        return self.rng.choice(observation.legal_actions())


def play_one_game(
    bot: Bot,
    *,
    opponents: Sequence[Bot] | None = None,
    seats: int = 2,
    seat: int = 0,
    seed: bytes | int | str = 1,
    rules: str = "classic",
) -> log_pb2.GameLog:
    """Play a game with the bot in one seat, and return its log.

    The other seats are random bots, or `opponents` in seat order. `rules` names the edition. Raises
    `AssertionError`, with the bot's own trace, when the bot forfeits, and when the log does not
    hold.
    """
    others = [RandomBot() for _ in range(seats - 1)] if opponents is None else list(opponents)
    table = [*others[:seat], bot, *others[seat:]]
    for number, one in enumerate(table):
        one.rng.seed(deal_seed(seed, number).hex())
    game = LocalGame(
        game_id=f"test-{seed!s}",
        rules=edition(rules),
        seed=deal_seed(seed, 0),
        seats=[log_pb2.LogSeat(bot=type(one).__name__) for one in table],
    )
    log = game.play(table)
    for forfeit in game.forfeits:
        if forfeit.seat == seat:
            reason = REASON_NAMES[forfeit.reason]
            trace = forfeit.output_tail.decode(errors="replace")
            raise AssertionError(f"{reason}: {forfeit.sentence}\n{trace}".rstrip())
    verification = verify(log)
    assert verification.ok, verification.sentence
    return log
