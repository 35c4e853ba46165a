"""Bad input: one sentence on standard error, the right exit code, and nothing lost."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome

USAGE, FAILED = 2, 1


@pytest.fixture
def folder(here: Path) -> Path:
    """A folder with things that are wrong in various ways."""
    (here / "file.txt").write_text("not a bot", encoding="utf-8")
    (here / "empty").mkdir()
    _bot(here / "bad-name", 'name = "Bad Name"\nlanguage = "python"\nentry = "python3 bot.py"')
    _bot(here / "no-entry", 'name = "no-entry"\nlanguage = "python"')
    _bot(here / "go", 'name = "gopher"\nlanguage = "go"\nentry = "./gopher"')
    _bot(here / "lost", 'name = "lost"\nlanguage = "python"\nentry = "python3 main.py"')
    _bot(here / "link", 'name = "link"\nlanguage = "python"\nentry = "python3 bot.py"')
    (here / "link" / "passwd").symlink_to("/etc/passwd")
    (here / "broken.log.gz").write_bytes(os.urandom(64))
    (here / "cut.log.gz").write_bytes(bytes.fromhex("1f8b0800000000000003"))
    return here


def _bot(folder: Path, manifest: str) -> None:
    folder.mkdir()
    (folder / "roundhouse.toml").write_text(manifest, encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["fly"], USAGE, "No such command 'fly'"),
        (["--fast"], USAGE, "No such option"),
        (["new"], USAGE, "Missing argument 'NAME'"),
        (["new", "../bot"], USAGE, "'name' is '../bot'"),
        (["new", "A"], USAGE, "'name' is 'A'"),
        (["new", 'x"\n[a]'], USAGE, "'name' is"),
        (["new", "planner"], USAGE, "the name of a house bot"),
        (["new", "empty"], FAILED, "empty exists already"),
        (["play"], USAGE, "at least two bots"),
        (["play", "planner"], USAGE, "at least two bots; 1 named"),
        (["play", "planner", "nobody"], FAILED, "There is no folder 'nobody'"),
        (["play", "planner", "file.txt"], FAILED, "file.txt is a file"),
        (["play", "planner", "empty"], FAILED, "empty has no roundhouse.toml"),
        (["play", "planner", "bad-name"], FAILED, "'name' is 'Bad Name'"),
        (["play", "planner", "no-entry"], FAILED, "the field 'entry' is missing"),
        (["play", "planner", "go"], FAILED, "gopher is written in go"),
        (["play", "planner", "lost"], FAILED, "names main.py, which is not in the folder"),
        (["play", *["greedy"] * 6], FAILED, "2 to 5 players, not 6"),
        (["play", "random", "random", "--games", "0"], USAGE, "'--games'"),
        (["play", "random", "random", "--games", "many"], USAGE, "'many' is not a valid integer"),
        (["play", "random", "random", "--edition", "mars"], FAILED, "no edition 'mars'"),
        (["play", "random", "--variant", "fast"], FAILED, "There is no variant 'fast'"),
        (["play", "--variant", "solo"], USAGE, "at least one bot; 0 named"),
        (["play", "random", "random", "--variant", "solo"], FAILED, "is for 1 player, not 2"),
        (["play", *["random"] * 3, "--variant", "teams"], FAILED, "is for 4 players, not 3"),
        (["play", "random", "--variant", "solo", "--variant", "teams"], FAILED, "contradict"),
        (["play", *["random"] * 2, "--tickets", "none.csv"], FAILED, "cannot be read: No such"),
        (["play", *["random"] * 2, "--tickets", "file.txt"], FAILED, "have no column city_a"),
        (["rules", "classic", "--variant", "shared_network"], FAILED, "is an option of teams"),
        (["play", "random", "random", "--log-dir", "file.txt"], USAGE, "file.txt"),
        (["check", "nobody"], FAILED, "There is no folder 'nobody'"),
        (["check", "link"], FAILED, "is a symbolic link"),
        (["submit", "empty"], FAILED, "empty has no roundhouse.toml"),
        (["verify"], USAGE, "Missing argument 'LOG...'"),
        (["verify", "none.log.gz"], FAILED, "none.log.gz cannot be read: No such file"),
        (["verify", "empty"], FAILED, "The folder empty holds no log"),
        (["verify", "broken.log.gz"], FAILED, "broken.log.gz"),
        (["verify", "cut.log.gz"], FAILED, "cut.log.gz"),
        (["verify", "broken.log.gz", "cut.log.gz"], FAILED, "2 of 2 logs failed"),
        (["show", "none.log.gz"], FAILED, "none.log.gz cannot be read: No such file"),
        (["show", "empty"], FAILED, "empty cannot be read"),
        (["show", "--json", "file.txt"], FAILED, "file.txt"),
        (["rules", "mars"], FAILED, "There is no edition 'mars'"),
        (["log", "../../etc"], USAGE, "'../../etc' is not the identity of a game"),
        (["log", "abc", "-o", "file.txt"], FAILED, "file.txt exists already"),
        (["tournament", "create", "a", "a"], USAGE, "a is named twice"),
        (["tournament", "create", "a"], USAGE, "need at least 2 bots; 1 named"),
        (["tournament", "create", "a", "b", "--table-size", "3"], USAGE, "at least 3 bots"),
        (["tournament", "create", "a", "b", "--seed", "xyz"], USAGE, "not 'xyz'"),
        (["tournament", "create", "a", "b", "--deals", "0"], USAGE, "'--deals'"),
        (["leaderboard", "--ladder", " "], USAGE, "The address of the ladder is empty"),
        (["tournament", "fly"], USAGE, "No such command 'fly'"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
@pytest.mark.usefixtures("folder")
def test_bad_input_gets_one_sentence(
    roundhouse: Callable[..., Outcome], words: list[str], code: int, part: str
) -> None:
    outcome = roundhouse(*words)
    assert outcome.code == code
    assert part in outcome.err
    assert outcome.err.startswith("roundhouse: ")
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("import nothing_of_this_name", "ModuleNotFoundError"),
        ("def (", "invalid syntax"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x = 1", "must define one subclass of Bot"),
        (
            "from roundhouse import Bot\nclass A(Bot):\n choose = 1\nclass B(A):\n choose = 2\n",
            "not 2 (A, B)",
        ),
    ],
    ids=["missing module", "syntax", "exits at once", "no bot", "two bots"],
)
def test_a_bot_that_cannot_be_loaded_is_named_with_the_reason(
    here: Path, roundhouse: Callable[..., Outcome], text: str, part: str
) -> None:
    _bot(here / "mine", 'name = "mine"\nlanguage = "python"\nentry = "python3 bot.py"')
    (here / "mine" / "bot.py").write_text(text, encoding="utf-8")
    outcome = roundhouse("play", "mine", "random")
    assert outcome.code == FAILED
    assert part in outcome.err
    assert "mine/bot.py" in outcome.err
    assert outcome.err.count("\n") == 1
