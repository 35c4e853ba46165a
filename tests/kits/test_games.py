"""What `roundhouse new` writes plays whole games where bots are really held, in every language."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from roundhouse.cli.kit import KITS
from roundhouse.package import pack, read_package
from tests.kits.conftest import TESTS, run
from tests.referee.serving import EXAMPLES, MOST_TRIES, finished, lane

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kits.conftest import Workshop
    from tests.referee.serving import Referee

pytestmark = pytest.mark.kit


def test_the_test_of_a_new_bot_passes(bot: Path, language: str) -> None:
    run(*TESTS[language], folder=bot)  # which fails when one fails


def test_a_new_bot_would_be_accepted(bot: Path, referee: Referee) -> None:
    for _ in range(MOST_TRIES):
        checked = subprocess.run(
            [sys.executable, "-m", "roundhouse.cli", "check", bot],
            env=os.environ | {"ROUNDHOUSE_REFEREE_TARGETS": referee.target},
            capture_output=True,
            text=True,
            check=False,
        )
        if "by no fault of the bots" not in checked.stderr:
            break
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "Sandbox: bubblewrap" in checked.stdout
    assert f"{bot.name} is ready to be submitted." in checked.stdout


def test_a_new_bot_plays_a_house_bot_in_both_seats(bot: Path, referee: Referee) -> None:
    for seats in ([bot, EXAMPLES / "greedy"], [EXAMPLES / "greedy", bot]):
        (game,) = finished(referee.play(lane(*seats, edition="classic")))
        assert game.forfeits == []
        assert game.log.host.isolated
        claims = game.log.standings[seats.index(bot)].routes_claimed
        assert claims > 0 or bot.name == "python-kit"  # the Python kit plays anything legal


def test_bots_in_all_languages_and_a_house_bot_play_at_one_table(
    workshop: Workshop, referee: Referee
) -> None:
    bots = [*(workshop.bot(language) for language in KITS), EXAMPLES / "greedy"]
    games = finished(referee.play(lane(*bots, games=2, edition="classic")))
    assert [game.forfeits for game in games] == [[], []]
    assert all(len(game.log.standings) == 4 for game in games)


@pytest.mark.parametrize(
    ("language", "program"), [("node", "dist/bot.cjs"), ("cpp", "bot")], ids=["node", "cpp"]
)
def test_what_is_submitted_is_the_program_with_its_sources_and_no_more(
    workshop: Workshop, language: str, program: str
) -> None:
    folder = workshop.bot(language)
    package = read_package(pack(folder))
    names = {file.name for file in package.files}
    assert {"roundhouse.toml", "README.md", "proto/roundhouse/api/referee/v1/play.proto"} <= names
    assert program in names
    assert {name.split("/")[0] for name in names} <= {path.name for path in folder.iterdir()}
    assert not any("node_modules" in name or name.endswith(".o") for name in names)


def test_the_compiled_bot_needs_no_library_of_the_machine(workshop: Workshop) -> None:
    program = workshop.bot("cpp") / "bot"
    done = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert "not a dynamic executable" in said or "statically linked" in said
