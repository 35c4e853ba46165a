"""A referee that is killed at any moment leaves no bot: `bench/kills` in a short form."""

from __future__ import annotations

import asyncio
import os
import random

import pytest

from bench.kills import kill_often
from tests.referee.serving import sandbox_folder

KILLS = 3


def test_no_bot_outlives_a_referee_that_is_killed_at_a_random_moment() -> None:
    if os.geteuid() != 0:
        pytest.skip("bots have uids of their own, by which they are found, under root alone")
    with sandbox_folder() as folder:
        killed = asyncio.run(kill_often(folder, KILLS, random.Random(7)))
    assert killed.outlived == 0
    assert len(killed.seconds) == KILLS + 1
    assert set(killed.left.values()) == {0}, killed.left
