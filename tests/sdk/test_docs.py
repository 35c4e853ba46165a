"""What the documents show is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from roundhouse.package import Manifest
from roundhouse.testing import play_one_game
from tests.sdk.client.scripted_referee import (
    TOKEN,
    Requests,
    Responses,
    Table,
    goodbye,
    referee,
    welcome,
)

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("docs/bots.md", "sdk/README.md")


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_bot_in_the_page_plays_under_a_referee(page: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(blocks(page, "python")[0], encoding="utf-8")

    def script(requests: Requests, _: object) -> Responses:
        next(requests)
        yield welcome()
        yield from Table().play(requests)
        yield goodbye()

    with referee(tmp_path, script) as socket:
        ended = subprocess.run(
            [sys.executable, str(bot)],
            env=os.environ | {"ROUNDHOUSE_SOCKET": socket, "ROUNDHOUSE_TOKEN": TOKEN},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_test_in_the_page_passes() -> None:
    bot, test, *_ = blocks("docs/bots.md", "python")
    names: dict[str, object] = {"__name__": "page"}
    exec(bot + test, names)
    test_of_page = names["test_a_game_is_played_without_a_forfeit"]

    assert callable(test_of_page)
    test_of_page()
    assert names["play_one_game"] is play_one_game


def test_the_manifest_in_the_page_is_one() -> None:
    (text,) = blocks("docs/bots.md", "toml")

    assert Manifest.parse(text).name == "night-train"


@pytest.mark.parametrize(("page", "most"), [("docs/bots.md", 10), ("sdk/README.md", 7)])
def test_ten_lines_make_a_bot(page: str, most: int) -> None:
    lines = [line for line in blocks(page, "python")[0].splitlines() if line]

    assert len(lines) <= most


@pytest.mark.parametrize("page", ["docs/bots.md", "docs/log.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / page).parent.joinpath(target).exists(), target
