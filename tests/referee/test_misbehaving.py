"""Bots that misbehave, each played through the real service, and what must become of it.

The table is the promise: reason, and what the sentence says. Whatever the bot does, the game ends
in time, the other seats are not touched, and nothing of the bot is left.
"""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.verdict import ForfeitReason
from roundhouse.api.game.v1.observation_pb2 import PHASE_UNSPECIFIED
from roundhouse.api.referee.v1.play_pb2 import PlayResponse
from tests.referee.serving import HURRIED, PATIENT, Referee, bots_alive, finished, lane, wait_until

if TYPE_CHECKING:
    from roundhouse.api.game.v1.verdict_pb2 import Forfeit

BOTS = Path(__file__).parents[1] / "bots" / "misbehaving"
LONGEST = timedelta(seconds=60)
"""Start-up, a game of fast bots, one decision cap, and the load of other tests."""
NEVER_IN = ("never_connects", "wrong_token")
IMPATIENT = replace(PATIENT, start_up=timedelta(seconds=5))
"""Enough for the other seats' Python to start on a busy machine; the bot waits it out."""
TIME, ILLEGAL, CRASH, DISCONNECT, PROTOCOL, RESOURCE = ForfeitReason


@dataclass(frozen=True, slots=True)
class Case:
    """A bot and what must become of it; no reason means that it may play on."""

    bot: str
    reason: ForfeitReason | None
    part: str = ""
    exit_code: int | None = None
    seats: tuple[int, ...] = (2,)


CASES = [
    Case("never_connects", DISCONNECT, "did not connect within 5 s of its start"),
    Case("exits_at_once", CRASH, "exit code 7", 7, seats=(2, 3)),
    Case("crashes_in_mid_game", CRASH, "exit code 1", 1, seats=(2, 3)),
    Case("exits_politely", CRASH, "exit code 0", 0),
    Case("dies_of_a_signal", CRASH, "killed by signal 11", -11),
    Case("no_such_command", CRASH, "exit code 127", 127),
    Case("hangs", TIME, "did not answer within 2 s, which is its decision cap", seats=(2, 3)),
    Case("ignores_sigterm", TIME, "did not answer within 2 s, which is its decision cap"),
    Case("trickles", TIME, "did not answer within 2 s, which is its decision cap"),
    Case("no_window", TIME, "did not answer within 2 s, which is its decision cap", seats=(2, 3)),
    Case("reads_no_more", TIME, "did not answer within 2 s, which is its decision cap"),
    Case("knocks_again", TIME, "did not answer within 2 s, which is its decision cap"),
    Case("illegal_action", ILLEGAL, "not legal", seats=(2, 3)),
    Case("empty_action", PROTOCOL, "action is empty"),
    Case("unknown_action", PROTOCOL, "action is empty, or of a kind that"),
    Case("unknown_card", PROTOCOL, "77"),
    Case("unknown_kind", PROTOCOL, "a message that is empty or of an unknown kind"),
    Case("old_decision", PROTOCOL, "It answered decision"),
    Case("two_answers", PROTOCOL, "It answered decision", seats=(2, 3)),
    Case("unasked", PROTOCOL, "It answered decision 1000000000 while"),
    Case("second_hello", PROTOCOL, "a second Hello"),
    Case("not_a_message", PROTOCOL, "not a PlayRequest"),
    Case("nested", PROTOCOL, "not a PlayRequest"),
    Case("oversized", PROTOCOL, "bytes; the most is 65536"),
    Case("enormous", DISCONNECT, "closed its stream"),
    Case("flood", PROTOCOL, "It answered decision"),
    Case("no_greeting", PROTOCOL, "send Hello with the value of ROUNDHOUSE_TOKEN"),
    Case("wrong_token", PROTOCOL, "send Hello with the value of ROUNDHOUSE_TOKEN"),
    Case("hammers_at_the_door", PROTOCOL, "send Hello with the value of ROUNDHOUSE_TOKEN"),
    Case("floods_connections", PROTOCOL, "It made more than 8 connections."),
    Case("floods_bytes", None),
    Case("other_major", PROTOCOL, "Install 'roundhouse-sdk>=1,<2'."),
    Case("half_closes", DISCONNECT, "closed its stream", seats=(2, 3)),
    Case("disconnects", DISCONNECT, "closed its stream"),
    Case("connects_twice", None),
    Case("newer_minor", None),
    Case("prints_garbage", None),
    Case("floods_stderr", None),
    Case("answers_after_the_end", None),
]


def folder_of(bot: str, at: Path) -> Path:
    """Make a bot's folder: its script, the stream that it uses, and a manifest."""
    folder = at / bot.replace("_", "-")
    folder.mkdir()
    script = BOTS / f"{bot}.py"
    entry = '["python3", "bot.py"]'
    if script.exists():
        (folder / "bot.py").write_bytes(script.read_bytes())
        for shared in ("stream.py", "http2.py"):
            (folder / shared).write_bytes((BOTS / shared).read_bytes())
    else:
        entry = f'["{bot}"]'
    (folder / "roundhouse.toml").write_text(
        f'name = "{folder.name}"\nlanguage = "python"\nentry = {entry}\n', encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize(
    ("case", "seats"),
    [pytest.param(case, seats, id=f"{case.bot}-{seats}") for case in CASES for seats in case.seats],
)
def test_every_misbehaving_bot_gets_its_verdict_and_touches_nobody_else(
    trusted_referee: Referee, tmp_path: Path, case: Case, seats: int
) -> None:
    steady = folder_of("steady", tmp_path)
    bots = [folder_of(case.bot, tmp_path), *[steady] * (seats - 1)]
    control = IMPATIENT if case.bot in NEVER_IN else HURRIED if case.reason is TIME else PATIENT
    began = time.monotonic()
    (game,) = finished(trusted_referee.play(lane(*bots, control=control)))
    assert time.monotonic() - began < LONGEST.total_seconds()
    if case.reason is None:
        assert game.forfeits == []
    else:
        (forfeit,) = game.forfeits
        check(forfeit, case)
        assert game.placements[0] == seats
        assert [standing.forfeited for standing in game.log.standings] == [True] + [False] * (
            seats - 1
        )
    for entry in game.log.entries:  # which others may read
        assert not entry.forfeit.output_tail
        assert not entry.forfeit.last_request
        assert not entry.forfeit.HasField("usage")
    wait_until(lambda: not bots_alive(trusted_referee))


def check(forfeit: Forfeit, case: Case) -> None:
    assert case.reason is not None
    assert (forfeit.seat, forfeit.reason) == (0, case.reason.value), forfeit
    assert case.part in forfeit.sentence
    if case.exit_code is not None:
        assert forfeit.exit_code == case.exit_code
    if case.reason is TIME:
        assert forfeit.decision_id > 0
        assert forfeit.used.ToTimedelta() >= forfeit.limit.ToTimedelta() + HURRIED.margin
        assert forfeit.margin.ToTimedelta() == HURRIED.margin
        assert forfeit.passed == forfeit.used  # by the wall clock
    assert forfeit.phase != PHASE_UNSPECIFIED
    if forfeit.decision_id:
        request = PlayResponse.FromString(forfeit.last_request)
        assert request.decision.decision_id == forfeit.decision_id
        assert request.decision.observation.seat == forfeit.seat


def test_the_output_of_a_bot_is_its_owners_evidence(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    bots = [folder_of("crashes_in_mid_game", tmp_path), folder_of("steady", tmp_path)]
    (game,) = finished(trusted_referee.play(lane(*bots)))
    assert b"RuntimeError: the bot's own trouble" in game.forfeits[0].output_tail


def test_after_a_forfeit_a_fresh_process_plays_the_next_game(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    bots = [folder_of("crashes_in_mid_game", tmp_path), folder_of("steady", tmp_path)]
    games = finished(trusted_referee.play(lane(*bots, games=3)))
    assert [game.forfeits[0].reason for game in games] == [CRASH.value] * 3
    assert all(game.forfeits[0].decision_id for game in games)  # it was there each time


def test_a_verdict_falls_on_a_seat_and_not_on_a_name(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    bots = [folder_of("steady", tmp_path), folder_of("crashes_in_mid_game", tmp_path)]
    request = lane(*bots)
    for seat in request.seats:
        seat.bot = "steady"
    (game,) = finished(trusted_referee.play(request))
    assert [forfeit.seat for forfeit in game.forfeits] == [1]
    assert game.placements == [1, 2]


def test_a_bot_that_talks_between_games_forfeits_none_of_them(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    bots = [folder_of("answers_after_the_end", tmp_path), folder_of("steady", tmp_path)]
    for game in finished(trusted_referee.play(lane(*bots, games=2))):
        # Whether its word comes between the games or into the next one is a matter of speed.
        assert {forfeit.reason for forfeit in game.forfeits} <= {PROTOCOL.value}


def test_no_clock_starts_on_a_bot_that_still_thinks_about_a_game_that_ended(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    bots = [folder_of("crashes_at_the_opening", tmp_path), folder_of("thinks", tmp_path)]
    # Two openings in a row take longer than a decision may.
    games = finished(trusted_referee.play(lane(*bots, games=3, control=HURRIED)))
    assert [[f.seat for f in game.forfeits] for game in games] == [[0], [0], [0]]
    assert [game.placements for game in games] == [[2, 1]] * 3


def test_when_no_bot_starts_the_game_still_ends_in_a_verdict(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    bot = folder_of("exits_at_once", tmp_path)
    (game,) = finished(trusted_referee.play(lane(bot, bot, bot)))
    assert [forfeit.reason for forfeit in game.forfeits] == [CRASH.value] * 2  # one is left
    assert game.log.standings[game.placements.index(1)].forfeited is False


def test_a_flood_of_connections_takes_few_descriptors_of_the_lane(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    bots = [folder_of("floods_connections", tmp_path), folder_of("steady", tmp_path)]
    most = 0
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(trusted_referee.play, lane(*bots, games=3))
        while not playing.done():
            for child in trusted_referee.children():
                with contextlib.suppress(OSError):  # it has ended meanwhile
                    most = max(most, len(list(Path(f"/proc/{child}/fd").iterdir())))
            time.sleep(0.005)
    for game in finished(playing.result()):
        (forfeit,) = game.forfeits
        assert "more than 8 connections" in forfeit.sentence
    assert 0 < most < 80  # without the gate 5,000 were seen
