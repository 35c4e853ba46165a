"""The log of a game of every edition and variant: file, verification, document and text."""

import pytest
from jsonschema import Draft202012Validator

from roundhouse import Bot
from roundhouse.api.game.v1 import log_pb2
from roundhouse.arena import play_game
from roundhouse.replay import dump_log, load_log, load_schema, to_json, to_text, verify
from roundhouse.rules import Action, DrawCard, Observation, TakeCard, describe_title
from roundhouse.testing import RandomBot
from tests.rules.tables import ALONE, ON_CLASSIC, TOGETHER, named
from tests.sdk.bots import ClaimingBot, FailingBot
from tests.sdk.replay.independent_checker import Checker
from tests.sdk.replay.logs import document_of

VALIDATOR = Draft202012Validator(load_schema())

# One table of each edition and of each variant: the first of its sizes.
FIRST = dict(reversed(ALONE + ON_CLASSIC))
EVERY = [*ALONE, *ON_CLASSIC, *TOGETHER]


class HoardingBot(Bot):
    """Draw as long as there are cards: then seats pass, and at last all of them (R-17)."""

    def choose(self, observation: Observation) -> Action:
        actions = observation.legal_actions()
        draws = [action for action in actions if isinstance(action, (TakeCard, DrawCard))]
        return self.rng.choice(draws or actions)


def play(label: str, bots: list[Bot], seed: int) -> log_pb2.GameLog:
    for number, bot in enumerate(bots):
        bot.rng.seed(f"{seed} {number}")
    return play_game(bots, seed=seed.to_bytes(32, "big"), rules=named(label))


@pytest.mark.parametrize(("label", "seats"), [*sorted(FIRST.items()), *TOGETHER])
def test_a_log_of_every_edition_and_variant_is_whole(label: str, seats: int) -> None:
    rules = named(label)
    bots: list[Bot] = [RandomBot() for _ in range(seats)]

    log = load_log(dump_log(play(label, bots, seats)))

    outcome = verify(log)
    assert outcome.ok, outcome.sentence
    document = to_json(log)
    VALIDATOR.validate(document)
    said = document["rules"]
    assert isinstance(said, dict)
    assert (said["edition"], said["variants"]) == (rules.edition, list(rules.variants))
    text = to_text(log)
    assert f", {describe_title(rules)}, " in text.splitlines()[0]
    assert (rules.notice in text) or not rules.notice
    assert ("team" in text.splitlines()[-seats - 1].split()) == rules.teams


@pytest.mark.parametrize(("label", "seats"), EVERY)
def test_a_game_of_every_table_can_be_checked_from_its_document_alone(
    label: str, seats: int
) -> None:
    bots: list[Bot] = [RandomBot() if seat == 1 else ClaimingBot() for seat in range(seats)]

    Checker(document_of(play(label, bots, 7))).check()


@pytest.mark.parametrize(("label", "seats"), [table for table in EVERY if table[1] > 1])
@pytest.mark.parametrize("after", [(0, 2), (1, 12)])
def test_a_game_that_seats_leave_can_be_checked_from_its_document_alone(
    label: str, seats: int, after: tuple[int, int]
) -> None:
    bots: list[Bot] = [ClaimingBot() for _ in range(seats)]
    bots[0], bots[-1] = (FailingBot(None, decisions) for decisions in after)

    Checker(document_of(play(label, bots, 8))).check()


@pytest.mark.parametrize("label", ["tiny", "tiny+ticket_market"])
def test_a_game_in_which_everybody_passes_can_be_checked_from_its_document_alone(
    label: str,
) -> None:
    document = document_of(play(label, [HoardingBot() for _ in range(3)], 2))

    Checker(document).check()

    events = [event["event"] for event in document["entries"][-1]["events"]]
    assert events.count("turn_passed") == 3  # a whole round: the game ends by R-17
