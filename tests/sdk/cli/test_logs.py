"""`roundhouse verify` and `roundhouse show`: what they say about logs, whole and damaged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from roundhouse.replay import read_log, write_log

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome


@pytest.fixture
def logs(here: Path, roundhouse: Callable[..., Outcome]) -> list[Path]:
    """The logs of two games, sorted by name."""
    words = ("--games", 2, "--seed", 1, "--edition", "tiny", "--log-dir", "logs")
    assert roundhouse("play", "random", "greedy", *words).code == 0
    return sorted((here / "logs").iterdir())


def test_logs_that_hold_are_reported_one_a_line(
    roundhouse: Callable[..., Outcome], logs: list[Path]
) -> None:
    outcome = roundhouse("verify", "logs")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"logs/{log.name}" for log in logs]
    assert all("The log holds" in line for line in lines)


def test_one_log_that_holds_gets_one_sentence(
    roundhouse: Callable[..., Outcome], logs: list[Path]
) -> None:
    assert roundhouse("verify", logs[0]).out.startswith("The log holds: ")


def test_a_changed_log_fails_with_the_first_difference(
    roundhouse: Callable[..., Outcome], logs: list[Path]
) -> None:
    log = read_log(logs[0])
    log.standings[0].total += 1
    write_log(logs[0], log)
    outcome = roundhouse("verify", logs[0])
    assert outcome.code == 1
    assert "The standing of seat 0" in outcome.err
    both = roundhouse("verify", *logs)
    assert both.code == 1
    assert both.err == "roundhouse: 1 of 2 logs failed.\n"
    assert "The log holds" in both.out


@pytest.mark.parametrize("kept", [0, 1, 20, 200])
@pytest.mark.parametrize("command", ["verify", "show"])
def test_a_truncated_log_gets_one_sentence(
    roundhouse: Callable[..., Outcome], logs: list[Path], command: str, kept: int
) -> None:
    logs[0].write_bytes(logs[0].read_bytes()[:kept])
    outcome = roundhouse(command, logs[0])
    assert outcome.code == 1
    assert str(logs[0]) in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


def test_show_prints_the_game_readably_and_as_json(
    roundhouse: Callable[..., Outcome], logs: list[Path]
) -> None:
    log = read_log(logs[0])
    text = roundhouse("show", logs[0])
    assert (text.code, text.err) == (0, "")
    assert log.game_id in text.out
    document = json.loads(roundhouse("show", logs[0], "--json").out)
    assert document["game_id"] == log.game_id


def test_show_prints_the_luck_beside_the_margin_and_json_does_not(
    roundhouse: Callable[..., Outcome], logs: list[Path]
) -> None:
    totals = [standing.total for standing in read_log(logs[0]).standings]
    out = roundhouse("show", logs[0]).out
    header, _, first, second, note = out.splitlines()[-5:]
    assert header.split()[-3:] == ["margin", "without", "luck"]
    assert first.split()[1] == f"{totals[0] - totals[1]:+.1f}"
    assert second.split()[1] == f"{totals[1] - totals[0]:+.1f}"
    assert float(first.split()[-1]) == pytest.approx(-float(second.split()[-1]), abs=0.11)
    assert note.endswith("It never counts for placements or ratings.")
    assert "luck" not in roundhouse("show", logs[0], "--json").out
