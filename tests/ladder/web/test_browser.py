"""The pages in a real browser."""

from __future__ import annotations

import re
import socket
import threading
from typing import TYPE_CHECKING

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from ladder.settings import Settings
from ladder.web.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ladder.web.conftest import Site

REPLAY = "/games/duel-d0-r0"
MARKET_REPLAY = "/games/fair-d0-r0"
"""With a ticket market (V-3)."""


@pytest.fixture(scope="module")
def address(site: Site) -> Iterator[str]:
    """Serve the pages on a free port."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app(site.database, Settings.from_environment({}))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # No sandbox of its own: as root it would refuse to start, and it sees only our own pages.
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Open a page, and hold it to silence: no script error, nothing that the policy refuses."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    yield page
    context.close()
    assert complaints == []


def test_a_replay_steps_by_button_key_and_slider(page: Page) -> None:
    page.goto(f"{REPLAY}?step=0")
    count = page.locator("#count")
    expect(count).to_have_text("1 / " + (count.text_content() or "").split(" / ")[1])
    total = int((count.text_content() or "").split(" / ")[1])
    page.click("#next")
    expect(count).to_have_text(f"2 / {total}")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"3 / {total}")
    page.keyboard.press("ArrowLeft")
    page.click("#back")
    expect(count).to_have_text(f"1 / {total}")
    page.keyboard.press("End")
    expect(count).to_have_text(f"{total} / {total}")
    page.locator("#slider").fill("10")
    expect(count).to_have_text(f"11 / {total}")
    assert page.url.endswith("?step=10")
    page.keyboard.press("Home")
    expect(count).to_have_text(f"1 / {total}")


@pytest.mark.parametrize("replay", [REPLAY, MARKET_REPLAY])
def test_a_replay_in_the_browser_shows_what_the_server_renders(page: Page, replay: str) -> None:
    """The script and the template are two ways to the same picture."""
    parts = ["#caption", "#players", "#display", "#deck", "#discard", "#ticket-deck"]
    if replay == MARKET_REPLAY:
        parts.append("#market")

    def seen() -> list[str]:
        texts = [" ".join(page.locator(part).inner_text().split()) for part in parts]
        return [*texts, str(page.locator(".track.claimed").count())]

    page.goto(f"{replay}?step=0")
    for step in range(0, 160, 20):
        page.locator("#slider").fill(str(step))
        by_script = seen()
        page.goto(f"{replay}?step={step}")
        assert seen() == by_script


def test_a_ticket_leaves_the_market_when_it_is_chosen_and_another_is_revealed(page: Page) -> None:
    page.goto(f"{MARKET_REPLAY}?step=0")
    frames = page.evaluate("JSON.parse(document.getElementById('frames').textContent).frames")
    texts = page.evaluate("JSON.parse(document.getElementById('frames').textContent).tickets")
    market = page.locator("#market")
    chosen = next(i for i, frame in enumerate(frames) if "from the market" in frame["caption"])
    slot = frames[chosen]["market"].index(None)
    refilled = next(i for i in range(chosen, len(frames)) if None not in frames[i]["market"])
    page.locator("#slider").fill(str(chosen - 1))
    lying = market.locator(".ticket").all_inner_texts()
    assert lying == [texts[str(number)] for number in frames[chosen - 1]["market"]]
    page.click("#next")
    expect(market.locator(".ticket.empty")).to_have_count(1)
    assert market.locator(".ticket").nth(slot).inner_text() == ""
    page.locator("#slider").fill(str(refilled))
    expect(market.locator(".ticket.empty")).to_have_count(0)
    expect(market.locator(".ticket").nth(slot)).not_to_have_text(lying[slot])


def test_a_game_without_a_market_shows_none(page: Page) -> None:
    page.goto(REPLAY)
    expect(page.locator("#market")).to_have_count(0)


def test_turns_are_stepped_back_and_forth_alike(page: Page) -> None:
    page.goto(f"{REPLAY}?step=0")
    steps = [page.url]
    for _ in range(6):
        page.click("#next-turn")
        steps.append(page.url)
    for earlier in reversed(steps[:-1]):
        page.click("#back-turn")
        assert page.url == earlier


def test_a_replay_plays_by_itself_and_stops(page: Page) -> None:
    page.goto(f"{REPLAY}?step=0")
    page.click("#play")
    expect(page.locator("#slider")).not_to_have_value("0")
    page.click("#play")
    stopped = page.url
    expect(page.locator("#play")).to_have_text("▶")
    page.wait_for_timeout(900)  # two steps of the film, if it went on
    assert page.url == stopped


def test_a_replay_works_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{REPLAY}?step=4")
    page.click("#next")
    assert page.url.endswith("?step=5")
    expect(page.locator("#count")).to_have_text(re.compile("^6 / "))
    expect(page.locator("#play")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/bots/greedy",
        "/bots/greedy/rating",
        "/tournaments/duel",
        "/games",
        "/alarms",
        REPLAY,
        MARKET_REPLAY,
    ],
)
def test_no_page_is_wider_than_the_window(page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_running_tournament_renews_itself(page: Page) -> None:
    page.goto("/tournaments/table")
    with page.expect_response("**/tournaments/table/live"):
        pass
    expect(page.locator("#live")).to_contain_text("4 of 6 games")
