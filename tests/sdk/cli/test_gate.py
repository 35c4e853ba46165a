"""`roundhouse gate`: verdicts and exit codes, early stops, and command lines that are wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from roundhouse.cli.sandboxed import split

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome

pytestmark = pytest.mark.usefixtures("here")


def groups(out: str) -> int:
    found = re.search(r"(\d+) deal groups", out)
    assert found
    return int(found[1])


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("greedy", "--against", "random"), 0, "H1 is accepted: +100 Elo rather than +0"),
        (("random", "--against", "greedy"), 1, "H0 is accepted: +0 Elo rather than +100"),
        (("greedy", "--against", "greedy", "--max-games", 17), 3, "Undecided between +0 and +100"),
    ],
    ids=["stronger", "weaker", "undecided"],
)
def test_the_exit_code_says_which_way(
    roundhouse: Callable[..., Outcome], words: tuple[object, ...], code: int, sentence: str
) -> None:
    outcome = roundhouse("gate", *words, "--pool", "tiny/2", "--elo1", 100, "--seed", 1)
    assert (outcome.code, outcome.err) == (code, "")
    assert sentence in outcome.out
    assert groups(outcome.out) <= 60


def test_it_stops_at_the_verdict_and_the_same_seed_gives_the_same_gate(
    roundhouse: Callable[..., Outcome],
) -> None:
    words = ("gate", "greedy", "--against", "random", "--pool", "tiny/2", "--elo1", 100)
    first = roundhouse(*words, "--seed", "a")
    assert groups(first.out) < 30
    assert roundhouse(*words, "--seed", "a").out == first.out
    wins = re.search(r"Pairs by points .*: ([\d, ]+)\.", first.out)
    assert wins
    assert sum(int(count) for count in wins[1].split(",")) == groups(first.out)


def test_larger_tables_sit_the_old_bot_in_all_other_seats(
    roundhouse: Callable[..., Outcome],
) -> None:
    outcome = roundhouse(
        "gate", "greedy", "--against", "random", "--pool", "tiny/3", "--elo1", 100, "--seed", 1
    )
    assert outcome.code == 0
    assert "greedy against random, tiny with 3 players" in outcome.out
    mixed = roundhouse(
        *("gate", "greedy", "--against", "random", "--against", "hoarder"),
        *("--pool", "tiny/3", "--max-games", 30, "--seed", 1),
    )
    assert "greedy against random, hoarder" in mixed.out


def test_edition_and_variants_are_those_of_play(roundhouse: Callable[..., Outcome]) -> None:
    words = ("gate", "greedy", "--against", "random", "--elo1", 100, "--seed", 1)
    found = roundhouse(*words, "--edition", "tiny", "--variant", "open_tickets", "--max-games", 16)
    assert found.err == ""
    assert "greedy against random, tiny + open_tickets with 2 players" in found.out
    pooled = roundhouse(*words, "--pool", "tiny/2", "--variant", "open_tickets", "--max-games", 16)
    assert pooled.out == found.out
    plain = roundhouse(*words, "--edition", "tiny", "--max-games", 16)
    assert plain.out == roundhouse(*words, "--pool", "tiny/2", "--max-games", 16).out
    assert "tiny with 2 players" in plain.out


def test_under_a_referee_the_gate_is_the_same(
    roundhouse: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDHOUSE_SANDBOX", "trusted")
    monkeypatch.setattr("roundhouse.cli.gate.ROUND_DEALS", 4)  # so that it takes two rounds
    words = ("gate", "greedy", "--against", "hoarder", "--pool", "tiny/2", "--max-games", 16)
    inside = roundhouse(*words, "--seed", 2)
    refereed = roundhouse(*words, "--seed", 2, "--sandbox")
    assert refereed.err == ""
    assert refereed.code == inside.code
    assert groups(refereed.out) == 8
    assert refereed.out.splitlines()[:3] == inside.out.splitlines()[:3]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--against", "greedy", "--pool", "classic/6"), "'classic/6' is not a pool"),
        (("--against", "greedy", "--pool", "tiny/multi"), "2 to 3"),
        (
            ("--against", "greedy", "--against", "random"),
            "A table of 2 has 1 other seats, and --against names 2 bots",
        ),
        (("--against", "greedy", "--max-games", "1"), "does not hold one deal group of 2 games"),
        (("--against", "greedy", "--elo0", "15"), "15 is not less than 15"),
        (("--against", "greedy", "--alpha", "0.7"), "alpha must lie between 0 and 0.5"),
        ((), "Missing option '--against'"),
        (
            ("--against", "greedy", "--pool", "tiny/2", "--edition", "mega"),
            "--pool tiny/2 is a game of tiny, and --edition says mega",
        ),
        (("--against", "greedy", "--edition", "huge"), "huge"),
        (("--against", "greedy", "--variant", "none"), "There is no variant 'none'"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(
    roundhouse: Callable[..., Outcome], words: tuple[str, ...], sentence: str
) -> None:
    outcome = roundhouse("gate", "random", *words)
    assert outcome.code in {1, 2}
    assert sentence in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


def test_a_bot_that_forfeits_every_game_is_refused_and_told_why(
    here: Path, roundhouse: Callable[..., Outcome]
) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "roundhouse.toml").write_text(
        'name = "mine"\nlanguage = "python"\nentry = "python3 bot.py"\n', encoding="utf-8"
    )
    (here / "mine" / "bot.py").write_text(
        "from roundhouse import Bot\n"
        "class Mine(Bot):\n"
        "    def choose(self, observation):\n"
        "        raise ValueError('no idea')\n",
        encoding="utf-8",
    )
    outcome = roundhouse("gate", "mine", "--against", "random", "--pool", "tiny/2", "--elo1", 200)
    assert outcome.code == 1
    assert "mine forfeited game" in outcome.out
    assert "no idea" in outcome.out


def test_rounds_go_on_where_the_last_one_ended() -> None:
    assert split(4, 2, 8) == [range(8, 12, 2), range(9, 12, 2)]
