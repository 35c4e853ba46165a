"""The commands that call a ladder: what they send and print, and what its refusals become."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.game.v1.verdict_pb2 import FORFEIT_REASON_TIME
from roundhouse.api.ladder.v1.ladder_pb2 import (
    CreateTournamentRequest,
    GetLeaderboardRequest,
    GetLeaderboardResponse,
    ListGamesRequest,
)
from roundhouse.api.ladder.v1.record_pb2 import (
    BoardFit,
    GameRecord,
    GameSeat,
    GameStatus,
    Headline,
    LeaderboardRow,
)
from roundhouse.api.ladder.v1.tournament_pb2 import Crosstable, CrosstableCell
from roundhouse.cli import tournament
from roundhouse.cli.failure import ExitCode
from roundhouse.codec import decode_time_control
from roundhouse.replay import dump_log, read_log
from roundhouse.testing import RandomBot, play_one_game
from roundhouse.timecontrol import Measure, TimeControl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sdk.cli.conftest import Outcome
    from tests.sdk.cli.fake_ladder import FakeLadder

CALLS = [
    ["leaderboard"],
    ["tournament", "list"],
    ["tournament", "show", "t-1"],
    ["tournament", "create", "a", "b"],
    ["games"],
    ["log", "abc"],
    ["evidence", "abc"],
    ["submit", "greedy"],
]


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
@pytest.mark.usefixtures("here")
def test_no_ladder_is_one_sentence_that_says_how_to_start_one(
    roundhouse: Callable[..., Outcome], words: list[str]
) -> None:
    with socket.socket() as taken:  # bound and not listening: nobody answers there
        taken.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{taken.getsockname()[1]}"
        outcome = roundhouse(*words, "--ladder", target)
    assert outcome.code == 1
    assert outcome.err == (
        f"roundhouse: No ladder answers at {target}: start one with `python -m ladder up`.\n"
    )


@pytest.mark.parametrize(
    ("code", "details", "part"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, "The archive has a link.", "The archive has a link."),
        (grpc.StatusCode.NOT_FOUND, "There is no bot 'x'.", "There is no bot 'x'."),
        (grpc.StatusCode.FAILED_PRECONDITION, "Wait\nfor it.", "Wait for it."),
        (grpc.StatusCode.UNAVAILABLE, "No referee is free.", "No referee is free."),
        (grpc.StatusCode.UNAVAILABLE, "Socket closed", "No ladder answers"),
        (grpc.StatusCode.UNAUTHENTICATED, "wrong token", "refused the call: wrong token"),
        (grpc.StatusCode.INTERNAL, "boom", "failed: boom; its log says more"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, "", "did not answer in time"),
        (grpc.StatusCode.UNIMPLEMENTED, "no such call", "is not a ladder of this version"),
    ],
    ids=lambda value: value.name if isinstance(value, grpc.StatusCode) else "",
)
@pytest.mark.usefixtures("here")
def test_a_refusal_keeps_the_sentence_of_the_ladder(
    roundhouse: Callable[..., Outcome],
    ladder: FakeLadder,
    code: grpc.StatusCode,
    details: str,
    part: str,
) -> None:
    ladder.refusal = (code, details)
    outcome = roundhouse("leaderboard")
    assert outcome.code == 1
    assert part in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.usefixtures("here")
def test_what_a_refused_bot_printed_stands_below_the_sentence(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    output = 'Traceback (most recent call last):\n  File "bot.py", line 3\nKeyError: \x1b[2J'
    sentence = "greedy was not accepted: it forfeited its smoke game (CRASH)."
    ladder.refusal = (
        grpc.StatusCode.INVALID_ARGUMENT,
        f"{sentence}\nThe end of its output:\n{output}",
    )
    outcome = roundhouse("submit", "greedy")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == (
        f"roundhouse: {sentence}\nThe end of its output:\n{output.replace(chr(27), '?')}\n"
    )


@pytest.mark.usefixtures("here", "ladder")
def test_submitting_twice_says_so(roundhouse: Callable[..., Outcome]) -> None:
    first, second = roundhouse("submit", "greedy"), roundhouse("submit", "greedy")
    assert first.code == second.code == 0
    assert first.out.startswith("greedy, version 1 (")
    assert first.out.endswith(") is accepted.\n")
    assert "had been submitted before; nothing changed" in second.out


@pytest.mark.usefixtures("here")
def test_the_leaderboard_is_a_table(roundhouse: Callable[..., Outcome], ladder: FakeLadder) -> None:
    row = LeaderboardRow(
        rank=1, bot="planner", rating=1612.4, games=9, wins=7, draws=1, losses=1, mean_score=101.25
    )
    ladder.rows.append(GetLeaderboardResponse(pool="classic/2", rows=[row]))
    ladder.rows[0].last_game = 9
    *_, line, note = roundhouse("leaderboard").out.splitlines()
    assert line.split() == ["1", "planner", "-", "1612", "9", "7/1/1", "101.2"]
    assert note.startswith("The ratings have not been fitted yet")


def fitted_board() -> GetLeaderboardResponse:
    rows = [
        LeaderboardRow(
            rank=1,
            bot="planner",
            rating=1612.4,
            games=9,
            wins=9,
            mean_score=101.25,
            headline=Headline(elo=1690.6, margin=81.4, best_rank=1, worst_rank=2, superiority=0.9),
        ),
        LeaderboardRow(
            bot="alone",
            rating=1500,
            games=2,
            wins=1,
            losses=1,
            mean_score=50,
            headline=Headline(elo=1500, margin=300, provisional=True),
        ),
    ]
    fit = BoardFit(last_game=30, games=11, deal_groups=5, anchor="greedy", doubtful=["planner"])
    return GetLeaderboardResponse(
        pool="classic/2", rows=rows, fit=fit, last_game=32, superiority=[0.5, 0.904, 0.096, 0.5]
    )


@pytest.mark.usefixtures("here")
def test_the_leaderboard_says_how_sure_it_is(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.rows.append(fitted_board())
    *_, first, second, note = roundhouse("leaderboard").out.splitlines()
    assert " ".join(first.split()) == "1 (1-2) planner 1691 ± 81 1612 9 9/0/0 101.2"
    assert " ".join(second.split()) == "- alone 1500 ± 300 provisional 1500 2 1/0/1 50.0"
    assert note == (
        "After game 30: 11 games in 5 deal groups; ± is half a 95 % interval against greedy, who "
        "stands at 1500. 2 later games are not in it yet. In doubt: the intervals of planner; "
        "estimates that assume less differ by over a quarter."
    )
    assert ladder.requests[-1] == GetLeaderboardRequest(pool="classic/2")


@pytest.mark.usefixtures("here")
def test_pairs_show_the_likelihood_of_superiority(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.rows.append(fitted_board())
    printed = roundhouse("leaderboard", "--pairs").out.splitlines()
    assert [line.split() for line in printed[-2:]] == [["planner", "0.904"], ["alone", "0.096"]]
    assert ladder.requests[-1] == GetLeaderboardRequest(pool="classic/2", pairs=12)


@pytest.mark.usefixtures("here")
def test_the_joint_board_has_no_live_elo(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.rows.append(fitted_board())
    ladder.rows[0].pool = "all"
    ladder.rows[0].ClearField("superiority")
    outcome = roundhouse("leaderboard", "all", "--pairs").out
    assert "1691 ± 81          -" in outcome
    assert "not kept for this board" in outcome


@pytest.mark.usefixtures("here", "ladder")
def test_an_empty_pool_names_the_others(roundhouse: Callable[..., Outcome]) -> None:
    outcome = roundhouse("leaderboard", "tiny/2")
    assert outcome.out == (
        "No bot has played a rated game in tiny/2 yet; there are ratings in classic/multi.\n"
    )


@pytest.mark.usefixtures("here")
def test_why_games_wait_is_said_once_while_they_do(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "WATCH_SECONDS", 0)
    roundhouse("tournament", "create", "a", "b")
    ladder.obstacle = "This referee runs\nbots as plain processes."
    sentence = "Games wait: This referee runs bots as plain processes."
    ladder.polls = 3
    assert roundhouse("tournament", "show", "t-1").out.count(sentence) == 1
    assert roundhouse("tournament", "show", "t-1", "--watch").out.count(sentence) == 1
    assert sentence not in roundhouse("tournament", "show", "t-1").out


@pytest.mark.usefixtures("here")
def test_create_sends_what_was_asked_and_watch_follows_to_the_end(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "WATCH_SECONDS", 0)
    ladder.polls = 2
    ladder.crosstable = Crosstable(
        bots=["a", "b"],
        cells=[
            CrosstableCell(bot="a", opponent="b", games=4, wins=3, losses=1, mean_margin=12),
            CrosstableCell(bot="b", opponent="a", games=4, wins=1, losses=3, mean_margin=-12),
        ],
    )
    words = ("--deals", 2, "--name", "Cup", "--seed", "ab" * 32, "--unrated", "--watch")
    outcome = roundhouse("tournament", "create", "a", "b", *words)
    assert (outcome.code, outcome.err) == (0, "")
    assert ladder.requests[0] == CreateTournamentRequest(
        name="Cup",
        bots=["a", "b"],
        edition="classic",
        table_size=2,
        deals=2,
        seed=b"\xab" * 32,
        unrated=True,
    )
    assert len(ladder.requests) == 5, "asked until it had finished, and once for the results"
    lines = outcome.out.splitlines()
    assert lines[0] == "Tournament t-1 (Cup) is created: classic, unrated."
    assert "finished, 4 of 4 games" in lines[1]
    assert lines[-2].split() == ["a", "-", "3/0/1", "+12"]
    assert lines[-1].split() == ["b", "1/0/3", "-12", "-"]


@pytest.mark.usefixtures("here")
def test_create_sends_the_variants_and_names_them_and_the_stand_ins(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    words = ("--edition", "refresh-2025", "--variant", "quick", "--variant", "open_tickets")
    outcome = roundhouse("tournament", "create", "a", "b", *words)
    assert (outcome.code, outcome.err) == (0, "")
    (request,) = ladder.requests
    assert isinstance(request, CreateTournamentRequest)
    assert list(request.variants) == ["quick", "open_tickets"]
    title = "refresh-2025 + open_tickets + quick"
    assert f"is created: {title}, unrated." in outcome.out
    assert "Three of the 33 tickets are stand-ins" in outcome.out
    listed = roundhouse("tournament", "list").out
    assert f"{title}, 2 seats" in listed
    assert f"games, {title}, tables of 2" in roundhouse("tournament", "show", "t-1").out


@pytest.mark.usefixtures("here")
def test_create_sends_the_time_control_that_was_asked_for(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    words = ("--bank", "20", "--increment", "0", "--decision-cap", "2.5", "--measure", "cpu")
    assert roundhouse("tournament", "create", "a", "b", *words).code == 0
    (request,) = ladder.requests
    assert isinstance(request, CreateTournamentRequest)
    assert decode_time_control(request.time_control) == TimeControl(
        bank=timedelta(seconds=20),
        increment=timedelta(0),
        decision_cap=timedelta(seconds=2.5),
        measure=Measure.CPU,
    )


@pytest.mark.usefixtures("here", "ladder")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--bank", "soon"), "'soon' is not a number of seconds"),
        (("--bank", "1e300"), "'1e300' is not a number of seconds"),
        (("--bank", "0"), "The bank of a time control must be longer than zero"),
        (("--increment", "-1"), "The increment of a time control cannot be negative"),
        (("--measure", "moon"), "moon"),
    ],
)
def test_a_time_control_that_makes_no_sense_is_one_sentence(
    roundhouse: Callable[..., Outcome], words: tuple[str, str], sentence: str
) -> None:
    outcome = roundhouse("tournament", "create", "a", "b", *words)
    assert outcome.code == ExitCode.USAGE
    assert sentence in outcome.err


@pytest.mark.usefixtures("here", "ladder")
def test_tournaments_are_listed_and_an_empty_list_says_so(
    roundhouse: Callable[..., Outcome],
) -> None:
    assert "There is no tournament yet" in roundhouse("tournament", "list").out
    roundhouse("tournament", "create", "a", "b")
    line = roundhouse("tournament", "list").out.splitlines()[-1]
    assert line.split() == ["t-1", "Monday", "classic,", "2", "seats", "2", "running", "0/4"]
    missing = roundhouse("tournament", "show", "t-9")
    assert (missing.code, missing.err) == (1, "roundhouse: There is no tournament 't-9'.\n")


@pytest.mark.usefixtures("here")
def test_games_are_listed_with_what_became_of_each_seat(
    roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    assert roundhouse("games").out == "There is no such game.\n"
    ladder.games += [
        GameRecord(
            game_id="g1",
            tournament_id="t-1",
            status=GameStatus.GAME_STATUS_FINISHED,
            seats=[
                GameSeat(bot="a", placement=1, score=90),
                GameSeat(bot="b", placement=2, score=3, forfeit=FORFEIT_REASON_TIME),
            ],
            log_open=True,
        ),
        GameRecord(
            game_id="g2",
            tournament_id="t-1",
            status=GameStatus.GAME_STATUS_PLANNED,
            seats=[GameSeat(bot="b"), GameSeat(bot="a")],
        ),
    ]
    lines = roundhouse("games", "--tournament", "t-1", "--bot", "a").out.splitlines()
    assert lines[-2].split(maxsplit=2)[2] == "a 1. 90, b 2. forfeit TIME   open"
    assert lines[-1].split() == ["g2", "t-1", "b,", "a", "(to", "be", "played)", "-"]
    assert ladder.requests[-1] == ListGamesRequest(tournament_id="t-1", bot="a", page_size=20)


def test_a_log_is_fetched_once_and_never_over_another_file(
    here: Path, roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    log = play_one_game(RandomBot(), rules="tiny")
    ladder.log = dump_log(log)
    fetched = roundhouse("log", "game-1")
    assert fetched.code == 0
    assert read_log(here / "game-1.log.gz") == log
    again = roundhouse("log", "game-1")
    assert again.code == 1
    assert "game-1.log.gz exists already" in again.err


def test_a_log_that_nobody_can_read_makes_no_file(
    here: Path, roundhouse: Callable[..., Outcome], ladder: FakeLadder
) -> None:
    ladder.log = b"garbage"
    outcome = roundhouse("log", "game-1", "-o", "x.log.gz")
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    assert list(here.iterdir()) == []
