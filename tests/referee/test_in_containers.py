"""Games and verdicts where bots are held in containers of the OCI, through the real service."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from tests.referee.sandbox.conftest import driver_named, processes_with
from tests.referee.serving import EXAMPLES, Referee, finished, lane, wait_until
from tests.referee.test_misbehaving import CASES, RESOURCE, check, folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator

(CRASH,) = (case for case in CASES if case.bot == "crashes_in_mid_game")


@dataclass(frozen=True)
class Held:
    """A referee whose bots are held by one runtime."""

    referee: Referee
    runtime: str
    environment: dict[str, str]


@pytest.fixture(scope="module", params=["runc", "runsc"])
def held(request: pytest.FixtureRequest) -> Iterator[Held]:
    with tempfile.TemporaryDirectory(prefix="rh-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)  # the bots' uids must reach their folders below it
        driver_named(request.param, folder / "sandbox")  # or skip with its reason
        environment = {
            "ROUNDHOUSE_SANDBOX": "oci",
            "ROUNDHOUSE_SANDBOX_RUNTIME": request.param,
        }
        referee = Referee.start(folder, **environment)
        try:
            yield Held(referee, request.param, environment)
        finally:
            assert referee.stop() == 0, referee.output


def test_house_bots_play_a_rated_game(held: Held) -> None:
    request = lane(EXAMPLES / "random", EXAMPLES / "greedy", games=2)
    request.rated = True
    for game in finished(held.referee.play(request)):
        assert game.forfeits == []
        host = game.log.host
        assert (host.driver, host.isolated) == ("oci", True)
        assert any(line.startswith(f"{held.runtime}: ") for line in host.enforced)
        assert any(line.startswith("memory limit by cgroup") for line in host.enforced)


def test_a_bot_that_crashes_gets_the_same_verdict_in_a_container(
    held: Held, tmp_path: Path
) -> None:
    bots = [folder_of(CRASH.bot, tmp_path), folder_of("steady", tmp_path)]
    (game,) = finished(held.referee.play(lane(*bots)))
    (forfeit,) = game.forfeits
    check(forfeit, CRASH)
    assert b"RuntimeError: the bot's own trouble" in forfeit.output_tail
    assert game.placements == [2, 1]


def test_a_bot_that_takes_more_memory_than_it_may_forfeits_by_resource(
    held: Held, tmp_path: Path
) -> None:
    request = lane(folder_of("takes_memory", tmp_path), folder_of("steady", tmp_path))
    (game,) = finished(held.referee.play(request))
    (forfeit,) = game.forfeits
    assert forfeit.reason == RESOURCE.value
    assert forfeit.out_of_memory
    assert forfeit.usage.memory_kills > 0


def test_a_killed_referee_leaves_nothing_that_the_next_does_not_take_away(
    held: Held, tmp_path: Path
) -> None:
    folder = held.referee.folder / "second"
    folder.mkdir(mode=0o711)
    state = held.referee.folder / "sandbox"
    shared = {**held.environment, "ROUNDHOUSE_SANDBOX_STATE": str(state)}
    killed = Referee.start(folder, **shared)
    request = lane(folder_of("hangs", tmp_path), folder_of("steady", tmp_path))
    with killed.channel() as channel:
        playing = MatchServiceStub(channel).PlayLane(request)
        containers = state / "containers"
        wait_until(lambda: len(list(containers.iterdir())) == 2, seconds=60)
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
        with pytest.raises(grpc.RpcError):
            list(playing)
    # Every runtime and every process of gVisor names the folder that it was started in.
    wait_until(lambda: processes_with(str(containers)) == [], seconds=60)
    asyncio.run(driver_named(held.runtime, state).probe())
    assert list(containers.iterdir()) == []
    assert list((state / "run").iterdir()) == []
