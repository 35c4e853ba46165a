import json
import re

import pytest
from fastapi.testclient import TestClient

from ladder.settings import Settings
from ladder.web.app import create_app
from roundhouse.replay import load_log, verify
from tests.ladder.web.conftest import Site


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("/", ["Leaderboard", "greedy", "random", "The table", "running"]),
        (
            "/",
            [">anchor<", "After game 12", "against greedy, who stands at 1500", "Bot against bot"],
        ),
        ("/?pool=classic/multi", ["hoarder", "3 to 5 players"]),
        ("/?pool=classic/3", ["hoarder", "seat 2 of classic/3 is worth"]),
        ("/?pool=all", ["hoarder", "all games"]),
        ("/bots/random", ["Rating (95 %)", "± against the mean", "Stronger than", "likelihood"]),
        ("/bots", ["greedy", "hoarder", "random", "python"]),
        ("/bots/greedy/rating", ["Why greedy stands at", "after 6 rated games", "random"]),
        ("/bots/hoarder/rating?pool=classic/multi", ["classic/multi", "after 4 rated games"]),
        (
            "/bots/greedy/rating?without=duel-d0-r0",
            ["Without game", "5 later games were rated again"],
        ),
        ("/bots/greedy", ["every change explained"]),
        ("/bots/greedy", ["Live Elo", "<polyline", "Versions", "Last games"]),
        ("/tournaments", ["The duel", "The table", "finished", "running"]),
        ("/tournaments/duel", ["Crosstable", "6 of 6 games", "Finished", "3 deals per pairing"]),
        ("/tournaments/duel", ["Deals and seats", "Over 3 deal groups (6 games)", "Mean margin"]),
        ("/tournaments/table", ["4 of 6 games", "Running", "live.js"]),
        ("/tournaments/table/live", ["4 of 6 games"]),
        ("/games", ["Replay", "Planned", "Result"]),
        ("/games?bot=hoarder", ["Games of hoarder"]),
        ("/alarms", ["No alarms.", "last 6 rated games (3 deal groups)", "classic/multi"]),
        ("/alarms?pool=classic/multi", ["No alarms.", "last 4 rated games"]),
        ("/games/duel-d0-r0", ["Margin without luck", "Luck of the others"]),
        ("/games/duel-d0-r0", ["Ratings", "Expected", "without it"]),
        ("/games/table-d1-r0", ["Ratings", "greedy", "hoarder"]),
        ("/games/duel-d0-r0", ["Final standings", "Longest path", "Denver", "<script"]),
        ("/games/table-d1-r0", ["log", "deal"]),
        ("/games/table-d1-r1", ["greedy"]),
        ("/static/style.css", [".map"]),
    ],
)
def test_pages_show_what_they_promise(client: TestClient, path: str, texts: list[str]) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    for text in texts:
        assert text in answer.text


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/bots/nobody", 404, "nobody"),
        ("/tournaments/none", 404, "none"),
        ("/tournaments/none/live", 404, "none"),
        ("/games/none", 404, "none"),
        ("/alarms?pool=nonsense", 400, "nonsense"),
        ("/bots/nobody/rating", 404, "nobody"),
        ("/bots/hoarder/rating", 404, "has not played a rated game in classic/2"),
        ("/bots/greedy/rating?without=none", 404, "no game &#39;none&#39;"),
        ("/bots/greedy/rating?without=table-d0-r0", 404, "was not rated in classic/2"),
        ("/nowhere", 404, "There is no page at /nowhere."),
        ("/?pool=nonsense", 400, "nonsense"),
        ("/games?page=nonsense", 400, "page token"),
        ("/games/duel-d0-r0?step=-1", 400, "step"),
        ("/games/duel-d0-r0?step=x", 400, "step"),
        ("/games/table-d1-r0/log", 409, "deal"),
        ("/games/table-d1-r1/log.json", 409, "played"),
        ("/games/none/log", 404, "none"),
    ],
)
def test_bad_requests_get_a_page_with_a_sentence(
    client: TestClient, path: str, status: int, sentence: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert sentence in answer.text
    assert "Traceback" not in answer.text
    assert 'class="site"' in answer.text


def test_an_empty_ladder_says_how_to_begin(empty_site: Site) -> None:
    client = TestClient(create_app(empty_site.database, Settings.from_environment({})))
    assert "roundhouse submit" in client.get("/").text
    assert "roundhouse new" in client.get("/bots").text
    assert "No tournaments yet." in client.get("/tournaments").text
    assert "No games yet." in client.get("/games").text


def test_every_link_on_every_page_leads_somewhere(client: TestClient) -> None:
    seen, open_links = set[str](), ["/"]
    while open_links:
        path = open_links.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        # A log that is closed answers 409, and only its own page links to it once it is open.
        assert answer.status_code == 200, path
        if answer.headers["content-type"].startswith("text/html"):
            links = re.findall(r'href="(?:http://testserver)?(/[^"#]*)"', answer.text)
            open_links += [link.replace("&amp;", "&") for link in links]
    assert {"/bots/hoarder", "/tournaments/table", "/games/duel-d2-r1"} <= seen


def test_the_log_is_the_one_that_the_command_line_verifies(client: TestClient) -> None:
    answer = client.get("/games/duel-d1-r0/log")
    assert answer.headers["content-disposition"] == 'attachment; filename="duel-d1-r0.rhlog"'
    assert verify(load_log(answer.content)).ok
    document = client.get("/games/duel-d1-r0/log.json").json()
    assert document["game_id"] == "duel-d1-r0"


def test_a_replay_at_any_step_shows_the_frame_that_the_script_shows(client: TestClient) -> None:
    page = client.get("/games/duel-d0-r0").text
    data = json.loads(re.findall(r'id="frames">(.*?)</script>', page)[0])
    last = len(data["frames"]) - 1
    for step in (0, 17, last // 2, last, last + 100):
        shown = client.get(f"/games/duel-d0-r0?step={step}").text
        frame = data["frames"][min(step, last)]
        assert f'id="caption">{frame["caption"]}<' in shown
        assert shown.count("track claimed") == sum(at <= step for _, _, at in data["claims"])
        for seat, player in enumerate(frame["players"]):
            assert f'id="points-{seat}">{player["points"]}<' in shown
            assert f'id="trains-{seat}">{player["trains"]}<' in shown


def test_nothing_can_be_put_into_a_page_from_outside(client: TestClient) -> None:
    answer = client.get("/nowhere/%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_turn_steps_lead_from_turn_to_turn(client: TestClient) -> None:
    page = client.get("/games/duel-d0-r0").text
    data = json.loads(re.findall(r'id="frames">(.*?)</script>', page)[0])
    turns = [frame["turn"] for frame in data["frames"]]
    step = 0
    firsts = [0]
    while step < len(turns) - 1:
        shown = client.get(f"/games/duel-d0-r0?step={step}").text
        (target,) = re.findall(r'id="next-turn" href="\?step=(\d+)"', shown)
        step = int(target)
        firsts.append(step)
        if len(firsts) > 12:
            break
    # Not every log entry causes an event: the first answer of the opening waits for the others.
    assert [turns[step] for step in firsts] == sorted(set(turns))[: len(firsts)]
    assert all(turns[step - 1] < turns[step] for step in firsts[1:])


@pytest.mark.parametrize("path", ["/", "/bots", "/tournaments/duel", "/static/style.css"])
def test_every_page_answers_head_as_it_answers_get(client: TestClient, path: str) -> None:
    head, got = client.head(path), client.get(path)
    assert head.status_code == got.status_code == 200
    assert head.headers["content-type"] == got.headers["content-type"]


def test_no_page_takes_anything_else(client: TestClient) -> None:
    assert client.post("/bots").status_code == 405
