"""Everything that the README tells a reader to do works as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from roundhouse import Bot
from roundhouse.testing import play_one_game
from tests.integration.programs import running_command, short_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCRIPTS = Path(sys.executable).parent

# A make that runs the tests must not hand its own flags down.
ENVIRONMENT = {name: os.environ[name] for name in os.environ if "MAKE" not in name}
ADDRESS = re.compile(r"^The ladder: (\S+),", re.MULTILINE)
SITE = re.compile(r"^The site: +(\S+)", re.MULTILINE)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    return [line for block in blocks("sh") for line in block.splitlines()]


def run(command: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run one line of the README as a shell would; return what it printed."""
    done = subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=dict(environment),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}"
    return done.stdout


def test_the_ten_lines_are_a_bot_that_plays_without_a_forfeit() -> None:
    (source,) = blocks("python")
    names: dict[str, object] = {"__name__": "bot"}
    exec(compile(source, "README.md", "exec"), names)
    (bot,) = (
        kind
        for kind in names.values()
        if isinstance(kind, type) and issubclass(kind, Bot) and kind is not Bot
    )
    log = play_one_game(bot())
    assert sum(standing.routes_claimed for standing in log.standings) > 0
    lines = [line for line in source.splitlines() if line.strip()]
    assert len(lines) <= 10


def test_every_command_works_in_the_order_in_which_a_reader_meets_them() -> None:
    demo, test, activate, *first_bot = commands()
    assert (demo, test, activate) == ("make demo", "make test", ". .venv/bin/activate")

    # The tests run already; a second run of all of them would never end.
    printed = run(f"{test} ARGS='tests/rules/test_board.py -q'", ROOT, ENVIRONMENT)
    assert " passed" in printed.splitlines()[-1]

    few = "ARGS=--deals 1 --table-deals 1"
    with (
        short_folder() as folder,
        running_command([*shlex.split(demo), few], ROOT, TMPDIR=str(folder)) as serving,
    ):
        serving.wait_for("Serving until Ctrl-C")
        (ladder,) = ADDRESS.findall(serving.printed)
        (site,) = SITE.findall(serving.printed)
        # What `activate` does, and an address that differs only where the usual port is taken.
        environment = ENVIRONMENT | {
            "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
            "ROUNDHOUSE_LADDER_TARGET": ladder,
        }
        for command in first_bot:
            printed = run(command, folder, environment)
        assert re.search(r"\bmy-bot\b", printed), "the bot is not on the leaderboard"
        # Its page, as the browser asks for it; without a proxy, which a reader's machine may have.
        page = run(
            f'{sys.executable} -c "import urllib.request as r; print(r.build_opener('
            f"r.ProxyHandler({{}})).open('{site}bots/my-bot').read().decode())\"",
            folder,
            environment,
        )
        assert "my-bot" in page


def test_every_link_and_picture_leads_to_a_file() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert {"docs/replay.png", "docs/bots.md", "docs/cli.md", "sdk/examples"} <= set(targets)
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_documents_link_only_to_what_is_there() -> None:
    for document in [*(ROOT / "docs").glob("*.md"), ROOT / "sdk" / "README.md"]:
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
