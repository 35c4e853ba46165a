from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.referee.serving import Referee

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder for sockets: pytest's own are too deep for their 107 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="rh-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def trusted_referee() -> Iterator[Referee]:
    """A referee that runs bots as plain processes, for all tests of a module."""
    with tempfile.TemporaryDirectory(prefix="rh-") as folder:
        referee = Referee.start(Path(folder), "--trusted", ROUNDHOUSE_REFEREE_LANES="2")
        try:
            yield referee
        finally:
            assert referee.stop() == 0, referee.output
