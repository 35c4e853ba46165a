"""A log as text."""

from collections.abc import Callable

import pytest

from roundhouse.api.game.v1 import log_pb2
from roundhouse.errors import LogError
from roundhouse.replay import to_text
from tests.sdk.replay.logs import log_of, log_with_forfeits


def test_every_action_has_its_line_and_the_standings_stand_at_the_end() -> None:
    log = log_of(2, rules="classic")

    lines = to_text(log).splitlines()

    assert lines[0].startswith(f"Game {log.game_id}, classic, ")
    numbered = [line for line in lines if line[:4].strip().isdigit()]
    assert len(numbered) == len(log.entries)
    assert lines[-3].split()[:4] == ["bot", "place", "total", "routes"]
    assert lines[-2].split()[1] == "1"
    winner = min(log.standings, key=lambda one: one.placement)
    assert lines[-2].split()[:3] == [log.seats[winner.seat].bot, "1", str(winner.total)]


def test_seed_and_commitment_are_shown() -> None:
    log = log_of()

    text = to_text(log)

    assert f"  seed {log.seed.hex()}\n" in text
    assert f"  commitment {log.seed_commitment.hex()}\n" in text


def test_a_secret_seed_is_said_to_be_secret() -> None:
    log = log_of()
    log.seed = b""

    assert "  seed not revealed yet\n" in to_text(log)


def test_kept_tickets_are_named_by_their_cities() -> None:
    assert "        keeps " in to_text(log_of())


def test_what_others_wrote_cannot_command_the_terminal() -> None:
    log = log_with_forfeits()
    log.game_id = log.host.driver = log.seats[1].bot = log.seats[1].version = "\x1b[2J\nx"
    log.entries[0].forfeit.sentence = "\x1b]0;owned\x07"

    text = to_text(log)

    assert all(line.isprintable() for line in text.split("\n"))


def test_forfeits_are_told() -> None:
    text = to_text(log_with_forfeits())

    assert "seat 0 forfeits (CRASH): It raised ValueError: lost." in text
    assert text.splitlines()[-1].endswith("  forfeited")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda log: setattr(log.rules, "edition", "chess"),
        lambda log: log.entries[3].ClearField("action"),
        lambda log: log.standings.pop(),
        lambda log: log.entries[0].action.action.keep_tickets.keep.append(999),
    ],
)
def test_a_log_that_means_nothing_is_refused(spoil: Callable[[log_pb2.GameLog], object]) -> None:
    log = log_of()
    spoil(log)

    with pytest.raises(LogError, match=r"^The log cannot be shown: [A-Z'0-9].*"):
        to_text(log)
