"""Start the parts on this machine, and keep them until the block ends."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ladder.embedded.children import Children
from ladder.errors import LadderError, SettingsError
from roundhouse.address import is_socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ladder.embedded.parts import Layout, Part

START_SECONDS = 60.0
"""A part that does not answer after so long is broken; a busy machine needs a few seconds."""
LOOK_AGAIN_SECONDS = 0.05


@contextmanager
def running(layout: Layout, tell: Callable[[str], object]) -> Iterator[Children]:
    """Run all parts of a set-up; they answer when the block begins and are gone when it ends.

    `tell` hears what is being waited for.

    Raises:
        SettingsError: the state folder can't be used.
        ChildEndedError: a part ended, at any time until the block ends.
        LadderError: a part does not answer.
    """
    with ExitStack() as stack:
        # First of all: from here on, a signal ends the block and not the process.
        children = stack.enter_context(Children(layout.state_dir))
        stack.enter_context(_owning(layout.state_dir))
        shutil.rmtree(layout.scratch_dir, ignore_errors=True)
        layout.scratch_dir.mkdir()
        environment = layout.environment(os.environ)
        first, *others = layout.parts()
        children.start(first.name, first.command, environment, first.stop)
        _await(first, children, tell)  # the worker gives up where there is no broker
        for part in others:
            children.start(part.name, part.command, environment, part.stop)
        for part in others:
            _await(part, children, tell)
        yield children


@contextmanager
def _owning(state_dir: Path) -> Iterator[None]:
    """Make the state folder and hold it for this process alone."""
    if not is_socket_path(state_dir / "referee.sock"):
        raise SettingsError(
            f"The state folder {state_dir} has too long a path for the sockets in it; set "
            "ROUNDHOUSE_STATE_DIR to a shorter one."
        )
    try:
        state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (state_dir / "up.lock").open("w")
    except OSError as error:
        raise SettingsError(
            f"The state folder {state_dir} can't be used ({error.strerror}); set "
            "ROUNDHOUSE_STATE_DIR to one that can."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SettingsError(
                f"Roundhouse runs already in {state_dir}; stop it, or set ROUNDHOUSE_STATE_DIR to "
                "another folder."
            ) from error
        yield


def _await(part: Part, children: Children, tell: Callable[[str], object]) -> None:
    tell(f"Waiting for the {part.name} ...")
    deadline = time.monotonic() + START_SECONDS
    while not part.is_ready():
        if time.monotonic() > deadline:
            raise LadderError(
                f"The {part.name} does not answer after {START_SECONDS:.0f} seconds; its log is "
                f"{children.log(part.name)}."
            )
        time.sleep(LOOK_AGAIN_SECONDS)
