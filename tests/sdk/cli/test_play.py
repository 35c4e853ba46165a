"""`roundhouse play` in this process: the table, seeds, logs, and bots that fail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from roundhouse.arena import Entrant, play_match, summarise
from roundhouse.cli.folders import HOUSE_BOTS, find_bots, find_folder, house_folder, load_bot
from roundhouse.replay import read_log, verify
from roundhouse.rules import edition

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sdk.cli.conftest import Outcome

MANIFEST = 'name = "{name}"\nlanguage = "python"\nentry = ["python3", "bot.py"]\n'

RAISES = """
from roundhouse import Bot
class Raises(Bot):
    def choose(self, observation):
        raise ValueError("no idea")
"""

TALLER = """
from strategy import LEVEL
from roundhouse import Bot
class Levelled(Bot):
    level = LEVEL
    def choose(self, observation):
        return observation.legal_actions()[0]
"""


def write_bot(folder: Path, code: str, **others: str) -> Path:
    folder.mkdir()
    (folder / "roundhouse.toml").write_text(MANIFEST.format(name=folder.name), encoding="utf-8")
    for name, text in {"bot": code, **others}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def rows(out: str) -> dict[str, list[str]]:
    """Read the table: the words behind each bot's name."""
    lines = [line.split() for line in out.splitlines() if line.split()]
    start = next(number for number, line in enumerate(lines) if set(line[0]) == {"─"}) + 1
    return {line[0]: line[1:] for line in lines[start:] if line[-1].isdigit()}


@pytest.mark.usefixtures("here")
def test_the_table_counts_games_wins_draws_and_losses(
    roundhouse: Callable[..., Outcome],
) -> None:
    outcome = roundhouse("play", "greedy", "random", "--games", 4, "--seed", 1)
    assert (outcome.code, outcome.err) == (0, "")
    table = rows(outcome.out)
    assert table["greedy"][:4] == ["4", "4", "0", "0"]
    assert table["random"][:4] == ["4", "0", "0", "4"]
    assert table["greedy"][5:] == ["1.00", "0"]
    assert "4 games of classic, seed 1." in outcome.out


@pytest.mark.usefixtures("here")
def test_the_result_is_that_of_the_python_api(roundhouse: Callable[..., Outcome]) -> None:
    outcome = roundhouse("play", "greedy", "hoarder", "random", "--games", 4, "--seed", 7)
    entrants = [
        Entrant(bot.name, load_bot(bot)) for bot in find_bots(["greedy", "hoarder", "random"])
    ]
    table = rows(outcome.out)
    for tally in summarise(play_match(entrants, games=4, seed=7)):
        assert table[tally.name][4] == f"{tally.mean_score:.1f}"


@pytest.mark.usefixtures("here")
def test_the_same_seed_gives_the_same_games(roundhouse: Callable[..., Outcome]) -> None:
    words = ("play", "random", "random", "--games", 2, "--edition", "tiny")
    first = roundhouse(*words)
    seed = first.out.split("--seed ")[1].split()[0]
    again = roundhouse(*words, "--seed", seed)
    assert rows(again.out) == rows(first.out)
    assert set(rows(first.out)) == {"random", "random-2"}


def test_every_game_leaves_a_log_that_holds(here: Path, roundhouse: Callable[..., Outcome]) -> None:
    outcome = roundhouse(
        "play", "random", "greedy", "--games", 3, "--edition", "tiny", "--log-dir", "a/b"
    )
    assert "The logs are in a/b." in outcome.out
    logs = [read_log(path) for path in (here / "a" / "b").iterdir()]
    assert len(logs) == 3
    assert all(verify(log).ok for log in logs)


def test_a_bot_that_raises_forfeits_and_the_sentence_says_why(
    here: Path, roundhouse: Callable[..., Outcome]
) -> None:
    write_bot(here / "raises", RAISES)
    outcome = roundhouse("play", "raises", "random", "--games", 8, "--seed", 1)
    assert outcome.code == 0
    assert rows(outcome.out)["raises"][-1] == "8"
    assert "(CRASH): It raised ValueError: no idea." in outcome.out
    assert "... and 3 more forfeits." in outcome.out


def test_check_in_this_process_shows_the_trace_of_a_bot_that_raises(
    here: Path, roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(here / "raises", RAISES)
    monkeypatch.setattr("roundhouse.cli.referees.find_spec", lambda _: None)
    outcome = roundhouse("check", "raises")
    assert outcome.code == 1
    assert "raises would not be accepted" in outcome.err
    assert outcome.err.count("\n") == 1
    assert "in this process, without clock and isolation" in outcome.out
    assert 'raise ValueError("no idea")' in outcome.out


def test_check_lets_no_bot_command_the_terminal(
    here: Path, roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(here / "raises", RAISES.replace("no idea", "\\x1b[2J"))
    monkeypatch.setattr("roundhouse.cli.referees.find_spec", lambda _: None)
    outcome = roundhouse("check", "raises")
    assert outcome.code == 1
    assert "ValueError: ?[2J" in outcome.out
    assert "\x1b" not in outcome.out


@pytest.mark.usefixtures("here")
def test_check_plays_in_this_process_where_no_referee_can_be_had(
    roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundhouse.cli.referees.find_spec", lambda _: None)
    outcome = roundhouse("check", "greedy")
    assert (outcome.code, outcome.err) == (0, "")
    assert "No referee can be had" in outcome.out
    assert "greedy is ready to be submitted." in outcome.out
    refused = roundhouse("play", "greedy", "greedy", "--sandbox")
    assert refused.code == 1
    assert "No referee can be had" in refused.err


def test_modules_of_two_bots_with_one_name_are_kept_apart(here: Path) -> None:
    write_bot(here / "low", TALLER, strategy="LEVEL = 1")
    write_bot(here / "high", TALLER, strategy="LEVEL = 2")
    low, high = (load_bot(bot)() for bot in find_bots(["low", "high"]))
    assert (vars(type(low))["level"], vars(type(high))["level"]) == (1, 2)


def test_a_folder_wins_over_a_house_bot_of_its_name(here: Path) -> None:
    assert find_folder("planner") == house_folder() / "planner"
    write_bot(here / "planner", TALLER)
    assert find_folder("planner").resolve() == here / "planner"


def test_every_house_bot_is_found_by_its_name() -> None:
    assert [bot.name for bot in find_bots(HOUSE_BOTS)] == list(HOUSE_BOTS)


@pytest.mark.usefixtures("here")
def test_a_game_of_variants_names_them_and_its_log_holds(
    roundhouse: Callable[..., Outcome],
) -> None:
    played = roundhouse(
        *("play", "random", "greedy", "hoarder", "planner", "--games", 2, "--seed", 1),
        *("--edition", "usa-1910", "--variant", "teams", "--variant", "ticket_market"),
        *("--log-dir", "logs"),
    )
    assert played.code == 0
    assert "2 games of usa-1910 + teams + ticket_market, seed 1." in played.out
    assert roundhouse("verify", "logs").code == 0
    [first, _] = Path("logs").iterdir()
    assert ", usa-1910 + teams + ticket_market, " in roundhouse("show", first).out


@pytest.mark.usefixtures("here")
def test_one_bot_plays_solo(roundhouse: Callable[..., Outcome]) -> None:
    played = roundhouse("play", "planner", "--variant", "solo", "--games", 2, "--seed", 1)
    assert (played.code, played.err) == (0, "")
    assert "2 games of classic + solo" in played.out


@pytest.mark.usefixtures("here")
def test_the_stand_ins_are_named_until_the_tickets_of_an_own_box_are_loaded(
    roundhouse: Callable[..., Outcome],
) -> None:
    words = ("play", "random", "random", "--edition", "refresh-2025", "--games", 1, "--seed", 1)
    notice = "Three of the 33 tickets are stand-ins"
    assert notice in roundhouse(*words).out
    assert notice in roundhouse("rules", "refresh-2025").out
    tickets = edition("mega").tickets[:33]
    lines = [f"{t.city_a},{t.city_b},{t.value}" for t in tickets]
    Path("box.csv").write_text("\n".join(["city_a,city_b,value", *lines]), encoding="utf-8")
    played = roundhouse(*words, "--tickets", "box.csv", "--log-dir", "logs")
    assert played.code == 0
    assert notice not in played.out
    assert "refresh-2025 with tickets of an own box" in played.out
    assert roundhouse("verify", "logs").code == 0
    [log] = Path("logs").iterdir()
    shown = roundhouse("show", log, "--json").out
    assert '"own_tickets": true' in shown
