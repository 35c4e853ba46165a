"""The folder in which one referee process puts what its bots must reach."""

from __future__ import annotations

import os
import secrets
import shutil
from typing import TYPE_CHECKING, Self

from referee.sandbox.driver import SandboxUnavailable
from referee.sandbox.owner import Owner
from referee.sandbox.staged import publish

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType


__all__ = ["SOCKET_PATH_BYTES", "Stage", "publish", "sweep"]

SOCKET_PATH_BYTES = 107
"""`sun_path` without its closing NUL."""


class Stage:
    """A folder that any uid may pass through and nobody may list, gone when closed.

    Below it stand the unpacked bots and the sockets, under names that cannot be guessed. Use it
    as a context manager, or call `close`; what a killed referee leaves is swept by the next.
    """

    def __init__(self, state: Path) -> None:
        """Make the folder below ``state``; raises `SandboxUnavailable` if that cannot be."""
        runs = state / "run"
        try:
            runs.mkdir(mode=0o711, parents=True, exist_ok=True)
            sweep(runs)
            self.folder = runs / Owner.this().stamp(secrets.token_hex(4))
            self.folder.mkdir(mode=0o711)
            self.folder.chmod(0o711)  # whatever the umask says
        except OSError as error:
            raise SandboxUnavailable(
                f"cannot make a folder below {state} ({error.strerror}); set"
                " ROUNDHOUSE_SANDBOX_STATE to a folder that this user may write to"
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder and all in it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def socket(self) -> Path:
        """Return a new path for a socket; raises `SandboxUnavailable` if it would be too long."""
        path = self.folder / f"{secrets.token_hex(8)}.sock"
        if len(os.fsencode(path)) > SOCKET_PATH_BYTES:
            raise SandboxUnavailable(
                f"the path of a socket, {path}, is longer than the {SOCKET_PATH_BYTES} bytes that"
                " the system allows; set ROUNDHOUSE_SANDBOX_STATE to a shorter one"
            )
        return path

    def new_folder(self) -> Path:
        """Make a new empty folder for a bot's files; `publish` it once they are there."""
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir(mode=0o711)
        return folder

    def copy(self, source: Path) -> Path:
        """Copy a bot's folder as it stands and publish the copy; symbolic links stay links."""
        folder = self.new_folder()
        shutil.copytree(source, folder, symlinks=True, dirs_exist_ok=True)
        publish(folder)
        return folder


def sweep(runs: Path) -> None:
    """Remove the folders of referees that no longer run."""
    for folder in runs.iterdir():
        owner = Owner.parse(folder.name)
        if owner is not None and owner.is_dead():
            shutil.rmtree(folder, ignore_errors=True)
