"""The bot's side of the stream, against a real server on a Unix socket."""

import os
import subprocess
import sys
from pathlib import Path

import grpc
import pytest

from roundhouse import API_VERSION
from roundhouse.api.referee.v1 import play_pb2
from roundhouse.client import play_lane
from roundhouse.errors import ConnectionLostError, ProtocolError
from roundhouse.timecontrol import TimeControl
from tests.sdk.bots import ClaimingBot, FailingBot, WitnessBot
from tests.sdk.client.scripted_referee import (
    TOKEN,
    Requests,
    Responses,
    Table,
    goodbye,
    referee,
    welcome,
)


def test_a_bot_plays_all_games_of_its_lane(tmp_path: Path) -> None:
    tables = [Table(1), Table(2)]
    greetings: list[play_pb2.Hello] = []

    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        greetings.append(next(requests).hello)
        yield welcome(games=2)
        for table in tables:
            yield from table.play(requests)
        yield goodbye()

    witness = WitnessBot()
    with referee(tmp_path, script) as socket:
        play_lane(witness, socket, TOKEN)

    (hello,) = greetings
    assert (hello.token, hello.api_version) == (TOKEN, API_VERSION)
    assert hello.agent.startswith("roundhouse-sdk/")
    assert [game.game_id for game in witness.games] == ["g-1", "g-1"]
    assert witness.games[0].time_control == TimeControl()
    assert witness.time_left == TimeControl().decision_cap
    assert witness.events == [event.redacted(0) for table in tables for event in table.history]
    assert [tuple(one) for one in witness.standings] == [t.state.standings() for t in tables]
    assert len(witness.observations) == sum(table.decisions for table in tables)


def test_messages_of_a_newer_kind_are_ignored(tmp_path: Path) -> None:
    newer = play_pb2.PlayResponse.FromString(b"\xba\x3e\x02ab")

    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome()
        yield newer
        yield from Table().play(requests)
        yield newer
        yield goodbye()

    with referee(tmp_path, script) as socket:
        play_lane(ClaimingBot(), socket, TOKEN)


def test_a_forfeit_is_told_and_the_lane_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome(games=2)
        yield Table().started()
        yield play_pb2.PlayResponse(forfeited=play_pb2.Forfeited(sentence="It was too slow."))
        yield from Table().play(requests)
        yield goodbye()

    witness = WitnessBot()
    with referee(tmp_path, script) as socket:
        play_lane(witness, socket, TOKEN)

    assert capsys.readouterr().err == "Forfeited: It was too slow.\n"
    assert len(witness.standings) == 1


def test_a_stream_that_ends_after_a_forfeit_was_not_lost(tmp_path: Path) -> None:
    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome()
        yield play_pb2.PlayResponse(forfeited=play_pb2.Forfeited(sentence="It was too slow."))

    with referee(tmp_path, script) as socket:
        play_lane(ClaimingBot(), socket, TOKEN)


@pytest.mark.parametrize(
    "code", [grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.UNAUTHENTICATED]
)
def test_a_refusal_is_passed_on(tmp_path: Path, code: grpc.StatusCode) -> None:
    def script(requests: Requests, context: grpc.ServicerContext) -> Responses:
        next(requests)
        context.abort(code, "Install roundhouse-sdk 2.x.")
        yield

    with referee(tmp_path, script) as socket, pytest.raises(ConnectionLostError) as caught:
        play_lane(ClaimingBot(), socket, TOKEN)

    assert str(caught.value) == "The referee refused this bot: Install roundhouse-sdk 2.x."
    assert caught.value.is_refusal


def test_a_referee_of_another_major_version_is_left(tmp_path: Path) -> None:
    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome("2.1.0")
        yield goodbye()

    with referee(tmp_path, script) as socket, pytest.raises(ConnectionLostError) as caught:
        play_lane(ClaimingBot(), socket, TOKEN)

    assert str(caught.value) == (
        f"The referee speaks version 2.1.0 of the protocol, and this SDK {API_VERSION}; "
        "install roundhouse-sdk 2.x."
    )


@pytest.mark.parametrize("version", ["1.0.0", API_VERSION, "1.99.0"])
def test_a_referee_of_another_minor_version_is_played_with(tmp_path: Path, version: str) -> None:
    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome(version)
        yield goodbye()

    with referee(tmp_path, script) as socket:
        play_lane(ClaimingBot(), socket, TOKEN)


def test_the_end_of_the_stream_before_the_goodbye_is_a_loss(tmp_path: Path) -> None:
    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome()

    with (
        referee(tmp_path, script) as socket,
        pytest.raises(ConnectionLostError, match="ended the stream before its goodbye"),
    ):
        play_lane(ClaimingBot(), socket, TOKEN)


def test_a_referee_that_fails_is_a_loss(tmp_path: Path) -> None:
    def script(requests: Requests, context: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome()
        context.abort(grpc.StatusCode.INTERNAL, "on fire")

    with referee(tmp_path, script) as socket, pytest.raises(ConnectionLostError) as caught:
        play_lane(ClaimingBot(), socket, TOKEN)

    assert "it went away (INTERNAL: on fire)." in str(caught.value)
    assert not caught.value.is_refusal


def test_a_missing_socket_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        ConnectionLostError, match=r"^No referee answers at .*gone, or it went away"
    ):
        play_lane(ClaimingBot(), str(tmp_path / "gone"), TOKEN)


def test_a_decision_before_a_game_is_a_protocol_error(tmp_path: Path) -> None:
    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome()
        yield Table().decision()
        next(requests, None)

    with (
        referee(tmp_path, script) as socket,
        pytest.raises(ProtocolError, match="asked for a decision before a game had started"),
    ):
        play_lane(ClaimingBot(), socket, TOKEN)


def test_what_the_bot_raises_is_not_caught(tmp_path: Path) -> None:
    def script(requests: Requests, _: grpc.ServicerContext) -> Responses:
        next(requests)
        yield welcome()
        yield from Table().play(requests)

    with referee(tmp_path, script) as socket, pytest.raises(ZeroDivisionError):
        play_lane(FailingBot(ZeroDivisionError()), socket, TOKEN)


BOT = """
from roundhouse import Bot, serve

class First(Bot):
    def choose(self, observation):
        return observation.legal_actions()[0]

serve(First())
"""


def run(environment: dict[str, str], source: str = BOT) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("ROUNDHOUSE_")}
    return subprocess.run(
        [sys.executable, "-c", source],
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "missing"),
    [({}, "ROUNDHOUSE_SOCKET"), ({"ROUNDHOUSE_SOCKET": "/x"}, "ROUNDHOUSE_TOKEN")],
)
def test_a_bot_without_a_referee_says_so(environment: dict[str, str], missing: str) -> None:
    ended = run(environment)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"{missing} is not set: a bot is started by the referee. "
        "Play here with `roundhouse play` instead.\n"
    )


def test_a_bot_that_reaches_nobody_says_so(tmp_path: Path) -> None:
    ended = run({"ROUNDHOUSE_SOCKET": str(tmp_path / "gone"), "ROUNDHOUSE_TOKEN": "x"})

    assert ended.returncode == 3
    assert ended.stderr.startswith("No referee answers at ")
    assert ended.stderr.count("\n") == 1


def whole_game(requests: Requests, _: grpc.ServicerContext) -> Responses:
    next(requests)
    yield welcome()
    yield from Table().play(requests)
    yield goodbye()


def test_ten_lines_make_a_bot_and_it_ends_with_zero(tmp_path: Path) -> None:
    with referee(tmp_path, whole_game) as socket:
        ended = run({"ROUNDHOUSE_SOCKET": socket, "ROUNDHOUSE_TOKEN": TOKEN})

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_bot_with_a_bug_ends_with_its_own_trace(tmp_path: Path) -> None:
    source = BOT.replace("[0]", "[0].nonsense")
    with referee(tmp_path, whole_game) as socket:
        ended = run({"ROUNDHOUSE_SOCKET": socket, "ROUNDHOUSE_TOKEN": TOKEN}, source)

    assert ended.returncode == 1
    assert "AttributeError: 'KeepTickets' object has no attribute 'nonsense'" in ended.stderr
