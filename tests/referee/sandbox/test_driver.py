"""What every driver promises, isolated or not."""

from __future__ import annotations

import asyncio
import os
import secrets
import select
import signal
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Stage
from tests.referee.sandbox.conftest import Holder, processes_with, wait_for_output

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox import Driver

ENDS = [
    (("sh", "-c", "exit 0"), 0, None),
    (("sh", "-c", "exit 3"), 3, None),
    (("sh", "-c", "kill -SEGV $$"), None, signal.SIGSEGV),
    (("no-such-program",), 127, None),
    (("./not-executable",), 126, None),
]


@pytest.mark.parametrize(("command", "code", "number"), ENDS)
def test_an_end_is_reported_as_the_bots_own(
    driver: Driver, state: Path, command: tuple[str, ...], code: int | None, number: int | None
) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            ended = await holder.run(*command, files={"not-executable": "x"})
            assert (ended.exit.code, ended.exit.signal) == (code, number)
            assert not ended.exit.is_ours
            assert not ended.exit.is_killed
            assert not ended.exit.oom

    asyncio.run(play())


def test_a_kill_ends_a_bot_that_ignores_every_signal_it_can(driver: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            bot = await holder.start(
                "sh", "-c", "trap '' TERM INT HUP QUIT; echo ready; while :; do sleep 1; done"
            )
            await wait_for_output(bot, b"ready")
            end = await bot.kill()
            assert (end.signal, end.is_killed) == (signal.SIGKILL, True)
            assert await bot.kill() == end == await bot.wait()

    asyncio.run(play())


def test_a_bot_that_had_ended_keeps_its_own_exit(driver: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            bot = await holder.start("sh", "-c", "exit 5")
            await bot.wait()
            assert (await bot.kill()).code == 5

    asyncio.run(play())


def test_a_kill_right_after_the_start_is_a_kill(driver: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            token = secrets.token_hex(8)
            for _ in range(5):
                bot = await holder.start("sh", "-c", "exec sleep 1000", token)
                end = await bot.kill()
                assert end.is_killed
                assert not end.is_ours
                assert processes_with(token) == []

    asyncio.run(play())


def test_giving_up_waiting_leaves_the_bot_alone(driver: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            bot = await holder.start("sh", "-c", "sleep 0.1; exit 4")
            waiting = asyncio.ensure_future(bot.wait())
            await asyncio.sleep(0)
            waiting.cancel()
            assert (await bot.wait()).code == 4

    asyncio.run(play())


def test_a_loop_that_goes_down_takes_its_bots_along(driver: Driver, state: Path) -> None:
    token = secrets.token_hex(8)

    async def play() -> list[int]:
        holder = Holder(driver, Stage(state))
        bot = await holder.start("sh", "-c", "echo ready; exec sleep 1000", token)
        await wait_for_output(bot, b"ready")
        holder.sockets[0].close()
        holder.stage.close()
        return [os.pidfd_open(pid) for pid in processes_with(token)]

    for bot in asyncio.run(play()):
        assert select.select([bot], [], [], 10)[0]
        os.close(bot)


def test_the_output_is_kept_up_to_a_tail(driver: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            ended = await holder.run("sh", "-c", "head -c 300000 /dev/zero; echo out; echo err >&2")
            assert len(ended.output) == 64 * 1024
            assert ended.output.endswith("out\nerr\n")

    asyncio.run(play())


def test_a_flood_of_output_can_be_killed_and_fills_no_memory(driver: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            bot = await holder.start("sh", "-c", "yes flood")
            await wait_for_output(bot, b"flood\n" * 5000)
            await bot.kill()
            assert len(bot.stderr_tail()) <= 64 * 1024

    asyncio.run(play())


def test_a_daemon_that_keeps_the_output_open_does_not_hold_up_the_end(
    driver: Driver, state: Path
) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            ended = await holder.run("sh", "-c", "sleep 1000 & exit 6")
            assert ended.exit.code == 6

    asyncio.run(play())


def test_the_bot_runs_in_its_folder_with_the_sdk_and_reaches_its_socket(
    driver: Driver, state: Path
) -> None:
    program = """
import os, socket
import grpc, google.protobuf, roundhouse
with socket.socket(socket.AF_UNIX) as client:
    client.connect(os.environ["ROUNDHOUSE_SOCKET"])
print(os.environ["ROUNDHOUSE_TOKEN"], sorted(os.listdir(".")))
"""

    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            for python in ("python", "python3"):
                ended = await holder.run(
                    python,
                    "bot.py",
                    files={"bot.py": program},
                    environment={"ROUNDHOUSE_TOKEN": "t0ken"},
                )
                assert ended.output == "t0ken ['bot.py']\n"
                assert ended.exit.code == 0

    asyncio.run(play())


def test_nothing_of_our_environment_reaches_the_bot(
    driver: Driver, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDHOUSE_DATABASE_URL", "postgresql://secret")
    monkeypatch.setenv("AWS_SECRET", "secret")

    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            assert "secret" not in (await holder.run("env")).output

    asyncio.run(play())


def test_standard_input_is_empty(driver: Driver, state: Path) -> None:
    async def play() -> None:
        async with Holder(driver, Stage(state)) as holder:
            assert (await holder.run("cat")).output == ""

    asyncio.run(play())
