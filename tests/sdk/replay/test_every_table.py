"""The log of a game of every edition and variant: file, verification, document and text."""

import pytest
from jsonschema import Draft202012Validator

from roundhouse.arena import play_game
from roundhouse.replay import dump_log, load_log, load_schema, to_json, to_text, verify
from roundhouse.rules import describe_title
from roundhouse.testing import RandomBot
from tests.rules.tables import ALONE, ON_CLASSIC, TOGETHER, named

VALIDATOR = Draft202012Validator(load_schema())

# One table of each edition and of each variant: the first of its sizes.
FIRST = dict(reversed(ALONE + ON_CLASSIC))


@pytest.mark.parametrize(("label", "seats"), [*sorted(FIRST.items()), *TOGETHER])
def test_a_log_of_every_edition_and_variant_is_whole(label: str, seats: int) -> None:
    rules = named(label)
    bots = [RandomBot() for _ in range(seats)]
    for number, bot in enumerate(bots):
        bot.rng.seed(number)

    log = load_log(dump_log(play_game(bots, seed=bytes([seats]) * 32, rules=rules)))

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
