"""Folders that are made once, whole or not at all, whoever makes them first."""

from __future__ import annotations

import shutil
import stat
from typing import TYPE_CHECKING

from referee.sandbox.owner import Owner

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def make_once(folder: Path, fill: Callable[[Path], None]) -> None:
    """Make ``folder`` with what ``fill`` writes, readable by all, unless it is there already.

    It is filled aside and renamed into place, so that nobody ever sees half of it, and of
    several who make it at once one wins and the others take its work. The name must stand for
    the content.
    """
    if folder.is_dir():
        return
    folder.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
    folder.parent.chmod(0o711)  # whatever the umask says
    building = folder.with_name(Owner.this().stamp(folder.name))
    building.mkdir()
    try:
        fill(building)
        publish(building)
        building.rename(folder)
    except BaseException as error:
        shutil.rmtree(building, ignore_errors=True)
        if not isinstance(error, OSError) or not folder.is_dir():
            raise


def publish(folder: Path) -> None:
    """Let every uid read what is in ``folder``, and nobody but us write.

    Executable files stay executable, without the bits that would change who runs them; links
    are left alone.
    """
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and mode & stat.S_IXUSR):
            path.chmod(0o755)
        elif stat.S_ISREG(mode):
            path.chmod(0o644)
