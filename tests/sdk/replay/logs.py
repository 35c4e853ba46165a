"""Logs of whole games, for tests that read or spoil them."""

import json
from functools import cache

from roundhouse.api.game.v1 import log_pb2
from roundhouse.arena import play_game
from roundhouse.replay import to_json
from roundhouse.testing import RandomBot
from tests.rules.tables import named
from tests.sdk.bots import ClaimingBot, FailingBot
from tests.sdk.games import seed_of
from tests.sdk.replay.independent_checker import Json


@cache
def _played(seats: int, seed: int, rules: str) -> bytes:
    bots = [ClaimingBot() if seat % 2 else RandomBot() for seat in range(seats)]
    for seat, bot in enumerate(bots):
        bot.rng.seed(seed * 10 + seat)
    log = play_game(bots, seed=seed_of(seed), rules=named(rules))
    return log.SerializeToString()


def log_of(seats: int = 2, seed: int = 1, rules: str = "tiny") -> log_pb2.GameLog:
    """Return a log of one's own to spoil; the game behind it is played once."""
    return log_pb2.GameLog.FromString(_played(seats, seed, rules))


def log_with_forfeits(seats: int = 4, seed: int = 1) -> log_pb2.GameLog:
    bots = [ClaimingBot() for _ in range(seats - 2)]
    failing = [FailingBot(ValueError("lost"), after=1), FailingBot(None, after=12)]
    return play_game([failing[0], *bots, failing[1]], seed=seed_of(seed))


def document_of(log: log_pb2.GameLog) -> Json:
    """Return the document as a reader in another language would get it."""
    document: Json = json.loads(json.dumps(to_json(log)))
    return document


def first(document: Json, kind: str) -> Json:
    """Return the first event of a kind after the set-up."""
    events = [event for entry in document["entries"] for event in entry["events"]]
    found: Json = next(event for event in events if event["event"] == kind)
    return found
