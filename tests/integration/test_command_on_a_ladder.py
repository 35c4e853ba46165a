"""The `roundhouse` command on a real ladder with a real referee and worker, from end to end."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from typing import IO, TYPE_CHECKING

import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SILENT = 'print("I never connect")\n'
MANIFEST = 'name = "silent"\nlanguage = "python"\nentry = ["python3", "bot.py"]\n'
START_SECONDS = 90  # migrations, a broker and four processes, on a machine that may be busy


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run everything on this machine with plain processes, and say where the ladder is."""
    state = tmp_path_factory.mktemp("state")
    state.chmod(0o700)
    process = subprocess.Popen(
        [sys.executable, "-m", "ladder", "up", "--trusted", "--port", "0", "--web-port", "0"],
        env={**os.environ, "ROUNDHOUSE_STATE_DIR": str(state), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    children: list[psutil.Process] = []
    try:
        found = _wait_for(r"authors:\s+(\S+) \(gRPC\)", process.stdout)
        children = psutil.Process(process.pid).children(recursive=True)
        yield found
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0
        assert psutil.wait_procs(children, timeout=10)[1] == []
    finally:
        process.kill()
        process.communicate()


def _wait_for(pattern: str, stream: IO[str]) -> str:
    text = ""
    while select.select([stream], [], [], START_SECONDS)[0]:
        line = stream.readline()
        text += line
        found = re.search(pattern, line)
        if found:
            return found[1]
        if not line:
            break
    pytest.fail(f"the ladder did not start: {text}")


TIRES = """
from roundhouse import Bot, serve


class Tires(Bot):
    games = 0

    def game_started(self, game):
        self.games += 1

    def choose(self, observation):
        if self.games > 1:  # not in the smoke game
            raise RuntimeError("too many games for me")
        return observation.legal_actions()[0]


serve(Tires())
"""


def run(
    target: str, cwd: Path, *words: str, owner: str = "the owner key of the tests"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "roundhouse.cli", *words],
        cwd=cwd,
        env={**os.environ, "ROUNDHOUSE_LADDER_TARGET": target, "ROUNDHOUSE_OWNER_KEY": owner},
        capture_output=True,
        text=True,
        check=False,
    )


def test_bots_are_submitted_play_a_tournament_and_their_games_verify(
    target: str, tmp_path: Path
) -> None:
    for name in ("greedy", "hoarder"):
        submitted = run(target, tmp_path, "submit", name)
        assert (submitted.returncode, submitted.stderr) == (0, "")
        assert submitted.stdout.startswith(f"{name}, version 1")
    words = ("greedy", "hoarder", "--deals", "1", "--unrated", "--watch")
    created = run(target, tmp_path, "tournament", "create", *words)
    assert (created.returncode, created.stderr) == (0, "")
    assert "finished, 2 of 2 games" in created.stdout
    games = run(target, tmp_path, "games", "--bot", "hoarder").stdout.splitlines()[-2:]
    assert all(line.endswith("open") for line in games)
    for line in games:
        game_id = line.split()[0]
        assert run(target, tmp_path, "log", game_id).returncode == 0
    verified = run(target, tmp_path, "verify", ".")
    assert (verified.returncode, verified.stdout.count("The log holds")) == (0, 2)


@pytest.mark.parametrize(
    ("words", "title", "bots"),
    [
        (["--variant", "solo"], "classic + solo", 1),
        (
            ["--edition", "mega", "--variant", "teams", "--variant", "ticket_market"],
            "mega + teams + ticket_market",
            4,
        ),
        (["--edition", "family-3", "--unrated"], "family-3", 2),
    ],
)
def test_editions_and_variants_are_played_and_named_from_end_to_end(
    target: str, tmp_path: Path, words: list[str], title: str, bots: int
) -> None:
    names = ["greedy", "hoarder", "planner", "random"][:bots]
    for name in names:
        assert run(target, tmp_path, "submit", name).returncode == 0
    words = [*names, *words, "--table-size", str(bots), "--deals", "1", "--watch"]
    created = run(target, tmp_path, "tournament", "create", *words)
    assert (created.returncode, created.stderr) == (0, "")
    assert f"is created: {title}, " in created.stdout
    assert f"finished, {bots} of {bots} games, {title}, tables of {bots}" in created.stdout
    tournament_id = created.stdout.split()[1]
    [first, *others] = run(
        target, tmp_path, "games", "--tournament", tournament_id
    ).stdout.splitlines()[-bots:]
    assert len(others) == bots - 1
    assert run(target, tmp_path, "log", first.split()[0], "-o", "game.log.gz").returncode == 0
    assert f", {title}, " in run(target, tmp_path, "show", "game.log.gz").stdout
    assert "The log holds" in run(target, tmp_path, "verify", "game.log.gz").stdout


def test_the_owner_of_a_bot_that_forfeits_is_shown_why_and_nobody_else(
    target: str, tmp_path: Path
) -> None:
    folder = tmp_path / "tires"
    folder.mkdir()
    (folder / "roundhouse.toml").write_text(MANIFEST.replace("silent", "tires"), encoding="utf-8")
    (folder / "bot.py").write_text(TIRES, encoding="utf-8")
    for name in ("tires", "random"):
        assert run(target, tmp_path, "submit", name).returncode == 0
    words = ("tires", "random", "--deals", "2", "--edition", "tiny", "--unrated", "--watch")
    assert run(target, tmp_path, "tournament", "create", *words).returncode == 0
    games = run(target, tmp_path, "games", "--bot", "tires").stdout.splitlines()
    game_id = next(line for line in games if "CRASH" in line).split()[0]

    shown = run(target, tmp_path, "evidence", game_id, "--request")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert f"tires forfeited game {game_id} (CRASH)" in shown.stdout
    assert "RuntimeError: too many games for me" in shown.stdout
    assert '"legal_actions"' in shown.stdout
    others = run(target, tmp_path, "evidence", game_id, owner="the owner key of another")
    assert (others.returncode, others.stdout) == (1, "")
    assert "No bot that was submitted with this owner key has forfeited" in others.stderr


def test_a_bot_that_never_connects_is_refused_with_a_sentence(target: str, tmp_path: Path) -> None:
    folder = tmp_path / "silent"
    folder.mkdir()
    (folder / "roundhouse.toml").write_text(MANIFEST, encoding="utf-8")
    (folder / "bot.py").write_text(SILENT, encoding="utf-8")
    refused = run(target, tmp_path, "submit", "silent")
    assert refused.returncode == 1
    sentence, *output = refused.stderr.splitlines()
    assert "silent was not accepted" in sentence
    assert output == ["The end of its output:", "I never connect"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["tournament", "create", "greedy", "nobody"], "nobody"),
        (["tournament", "create", "greedy", "hoarder", "--edition", "mars"], "mars"),
        (["tournament", "show", "t-none"], "t-none"),
        (["log", "none"], "none"),
        (["leaderboard", "mars"], "mars"),
        (["games", "--bot", "nobody"], "nobody"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_the_ladder_does_not_know_is_one_sentence_that_names_it(
    target: str, tmp_path: Path, words: list[str], part: str
) -> None:
    refused = run(target, tmp_path, *words)
    assert refused.returncode == 1
    assert part in refused.stderr
    assert refused.stderr.startswith("roundhouse: ")
    assert refused.stderr.count("\n") == 1
