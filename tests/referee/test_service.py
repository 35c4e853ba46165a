"""The service itself: what it refuses, how it ends, and that it leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import grpc
import pytest

from referee.verdict import AbortReason
from roundhouse.api.game.v1.clock_pb2 import TIME_MEASURE_CPU
from roundhouse.api.referee.v1.match_pb2 import DescribeHostRequest, LaneGame, PlayLaneRequest
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from tests.referee.serving import EXAMPLES, Referee, bots_alive, finished, lane, wait_until
from tests.referee.test_misbehaving import folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from roundhouse.api.referee.v1.match_pb2 import PlayLaneResponse

RANDOM, GREEDY = EXAMPLES / "random", EXAMPLES / "greedy"


def good() -> PlayLaneRequest:
    return lane(RANDOM, GREEDY)


def changed(**fields: object) -> PlayLaneRequest:
    request = good()
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def with_(change: Callable[[PlayLaneRequest], object]) -> PlayLaneRequest:
    request = good()
    change(request)
    return request


UNREADABLE = {
    "unknown edition": (changed(edition="monopoly"), "There is no edition 'monopoly'"),
    "unknown variant": (with_(lambda r: r.variants.append("chess")), "There is no variant 'chess'"),
    "one seat": (with_(lambda r: r.seats.pop()), "2 to 3 players, not 1"),
    "six seats": (with_(lambda r: r.seats.extend(list(r.seats) * 2)), "2 to 3 players, not 6"),
    "no games": (with_(lambda r: r.ClearField("games")), "The lane has 0 games"),
    "same game twice": (with_(lambda r: r.games.append(r.games[0])), "names a game twice"),
    "game id": (
        with_(lambda r: r.games.append(LaneGame(game_id="../x", seed=bytes(32)))),
        "The game id '../x' must be",
    ),
    "short seed": (
        with_(lambda r: r.games.append(LaneGame(game_id="x", seed=bytes(31)))),
        "The seed of game x has 31 bytes; it must have 32",
    ),
    "no time control": (with_(lambda r: r.ClearField("time_control")), "time control"),
    "endless bank": (
        with_(lambda r: r.time_control.bank.FromSeconds(10**6)),
        "The bank of the time control is longer than 1 day",
    ),
    "archive": (
        with_(lambda r: setattr(r.seats[1], "archive", b"not a tar.gz")),
        "The bot in seat 1 cannot be unpacked: The archive",
    ),
    "version": (
        with_(lambda r: setattr(r.seats[1], "version", "0" * 64)),
        "The archive in seat 1 has the hash",
    ),
}


@pytest.mark.parametrize(("request_", "sentence"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_lane_that_cannot_be_played_is_refused_with_a_sentence(
    trusted_referee: Referee, request_: PlayLaneRequest, sentence: str
) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        trusted_referee.play(request_)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert sentence in str(refused.value.details())


def test_a_clock_by_processor_time_that_nobody_counts_is_refused(
    trusted_referee: Referee,
) -> None:
    request = changed()
    request.time_control.measure = TIME_MEASURE_CPU
    with pytest.raises(grpc.RpcError) as refused:
        trusted_referee.play(request)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "cannot count the processor time" in str(refused.value.details())


def test_rated_games_without_isolation_are_refused(trusted_referee: Referee) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        trusted_referee.play(changed(rated=True))
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "install bubblewrap and start it without --trusted" in str(refused.value.details())


def test_a_referee_describes_its_machine(trusted_referee: Referee) -> None:
    with trusted_referee.channel() as channel:
        answer = MatchServiceStub(channel).DescribeHost(DescribeHostRequest(), timeout=10)
    assert (answer.host.driver, answer.host.isolated) == ("trusted", False)
    assert (answer.lanes, answer.busy) == (2, 0)
    assert answer.up.ToTimedelta().total_seconds() > 0


def hang(tmp_path: Path) -> PlayLaneRequest:
    """A lane that goes on until somebody ends it."""
    request = lane(folder_of("ignores_sigterm", tmp_path), RANDOM)
    for part in ("bank", "decision_cap"):
        getattr(request.time_control, part).FromSeconds(3600)
    return request


def started(call: Iterator[PlayLaneResponse], referee: Referee) -> None:
    """Wait until a lane has its bots."""
    assert next(call).HasField("lane_started")
    wait_until(lambda: len(bots_alive(referee)) >= 2, seconds=20)


def test_cancelling_a_call_ends_its_lane_and_its_bots(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    with trusted_referee.channel() as channel:
        call = MatchServiceStub(channel).PlayLane(hang(tmp_path))
        started(call, trusted_referee)
        assert trusted_referee.busy() == 1
        call.cancel()
        wait_until(lambda: not bots_alive(trusted_referee))
        wait_until(lambda: trusted_referee.busy() == 0)


def test_more_lanes_than_the_machine_referees_at_once_are_refused(
    short_folder: Path, tmp_path: Path
) -> None:
    referee = Referee.start(short_folder, "--trusted", ROUNDHOUSE_REFEREE_LANES="1")
    with referee.channel() as channel:
        call = MatchServiceStub(channel).PlayLane(hang(tmp_path))
        started(call, referee)
        with pytest.raises(grpc.RpcError) as refused:
            referee.play(good())
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refused.value.details() == ("All 1 lanes of this referee are busy; ask again later.")
        assert referee.stop() == 0
    assert bots_alive(referee) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda n: n.name)
def test_a_signal_ends_the_referee_its_lanes_and_its_bots(
    short_folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    referee = Referee.start(short_folder, "--trusted")
    with referee.channel() as channel:
        call = MatchServiceStub(channel).PlayLane(hang(tmp_path))
        started(call, referee)
        referee.process.send_signal(number)
        assert referee.process.wait(timeout=10) == 0
    assert bots_alive(referee) == []
    assert sorted(path.name for path in short_folder.iterdir()) == ["referee.log", "sandbox"]
    assert list((short_folder / "sandbox" / "run").iterdir()) == []
    assert "Traceback" not in referee.output


def test_a_killed_referee_leaves_no_bot_alive(short_folder: Path, tmp_path: Path) -> None:
    referee = Referee.start(short_folder, "--trusted")
    with referee.channel() as channel:
        call = MatchServiceStub(channel).PlayLane(hang(tmp_path))
        started(call, referee)
        referee.process.kill()
        referee.process.wait()
    wait_until(lambda: not bots_alive(referee))
    # Its socket lies there still, and does not keep the next one from starting.
    again = Referee.start(short_folder, "--trusted")
    assert again.stop() == 0


def test_a_killed_lane_aborts_its_games_and_leaves_no_bot_alive(
    trusted_referee: Referee, tmp_path: Path
) -> None:
    request = hang(tmp_path)
    request.games.append(LaneGame(game_id="another", seed=bytes(32)))
    with trusted_referee.channel() as channel:
        call = MatchServiceStub(channel).PlayLane(request)
        started(call, trusted_referee)
        (lane_pid,) = trusted_referee.children()
        os.kill(lane_pid, signal.SIGKILL)
        aborted = [response.game_aborted for response in call if response.HasField("game_aborted")]
    assert [game.game_id for game in aborted] == ["game-0", "another"]
    assert {game.reason for game in aborted} == {AbortReason.INTERNAL.value}
    assert "The lane's process ended by signal 9" in aborted[0].sentence
    wait_until(lambda: not bots_alive(trusted_referee))


@pytest.mark.parametrize("is_told_first", ["referee", "lane"])
def test_a_referee_that_is_stopped_aborts_what_is_left_of_its_lanes_as_stopped(
    short_folder: Path, tmp_path: Path, is_told_first: str
) -> None:
    referee = Referee.start(short_folder, "--trusted")
    request = hang(tmp_path)
    request.games.append(LaneGame(game_id="another", seed=bytes(32)))
    with referee.channel() as channel:
        call = MatchServiceStub(channel).PlayLane(request)
        started(call, referee)
        (lane_pid,) = referee.children()
        # A supervisor that tells a whole group of processes tells them in any order.
        os.kill(referee.process.pid if is_told_first == "referee" else lane_pid, signal.SIGTERM)
        aborted = [response.game_aborted for response in call if response.HasField("game_aborted")]
        assert call.code() is grpc.StatusCode.OK
    assert [game.game_id for game in aborted] == ["game-0", "another"]
    assert {game.reason for game in aborted} == {AbortReason.STOPPED.value}
    assert {game.sentence for game in aborted} == {
        "The referee was stopped before this game ended."
    }
    if is_told_first == "lane":
        referee.process.terminate()
    assert referee.process.wait(timeout=20) == 0
    assert bots_alive(referee) == []


def test_calls_without_the_service_token_are_turned_away(short_folder: Path) -> None:
    # Listening to other machines is what makes the token a must; the lanes, which are not told it,
    # play all the same.
    everywhere = f"unix:{short_folder / 'r.sock'},0.0.0.0:0"
    referee = Referee.start(
        short_folder,
        "--trusted",
        ROUNDHOUSE_SERVICE_TOKEN="open sesame",
        ROUNDHOUSE_REFEREE_LISTEN=everywhere,
    )
    with referee.channel() as channel:
        stub = MatchServiceStub(channel)
        for metadata in (None, (("authorization", "Bearer open barley"),)):
            with pytest.raises(grpc.RpcError) as refused:
                list(stub.PlayLane(good(), metadata=metadata))
            assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
            assert "ROUNDHOUSE_SERVICE_TOKEN" in str(refused.value.details())
        with_token = (("authorization", "Bearer open sesame"),)
        assert len(finished(list(stub.PlayLane(good(), metadata=with_token)))) == 1
    assert referee.stop() == 0


def serve(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "referee", "serve", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_a_port_in_use_is_one_sentence(short_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        address = f"127.0.0.1:{busy.getsockname()[1]}"
        ended = serve(
            "--trusted",
            ROUNDHOUSE_REFEREE_LISTEN=address,
            ROUNDHOUSE_SANDBOX_STATE=str(short_folder),
        )
    assert ended.returncode == 1
    assert ended.stderr == (
        f"The referee cannot listen on {address} (Address already in use); free it, or set"
        " ROUNDHOUSE_REFEREE_LISTEN to another address.\n"
    )


def test_a_folder_that_cannot_be_made_is_one_sentence(short_folder: Path) -> None:
    (short_folder / "file").touch()
    ended = serve("--trusted", ROUNDHOUSE_REFEREE_LISTEN=f"unix:{short_folder}/file/r.sock")
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"The referee cannot listen on unix:{short_folder}/file/r.sock")
    assert ended.stderr.count("\n") == 1


def test_a_socket_in_use_is_one_sentence_and_stays_in_use(trusted_referee: Referee) -> None:
    ended = serve("--trusted", ROUNDHOUSE_REFEREE_LISTEN=trusted_referee.target)
    assert ended.returncode == 1
    assert ended.stderr.startswith(
        f"The referee cannot listen on {trusted_referee.target} (Address already in use);"
    )
    assert trusted_referee.busy() == 0


def test_a_malformed_setting_is_one_sentence() -> None:
    ended = serve(ROUNDHOUSE_REFEREE_LANES="many")
    assert ended.returncode == 1
    assert ended.stderr == (
        "ROUNDHOUSE_REFEREE_LANES is 'many'; it must be a whole number, 1 to 1024.\n"
    )
