"""The root folder of a container: places to mount on, and nothing else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from referee.sandbox import guest
from referee.sandbox.command import DEVICES
from referee.sandbox.driver import SandboxUnavailable
from referee.sandbox.staged import make_once

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox.interpreter import Interpreter

OPEN = ("/dev/shm", "/tmp")  # noqa: S108 - the container's own
"""Where the bot may write; each is covered by a tmpfs, which takes over the folder's mode."""
EMPTY = (*OPEN, "/proc", "/run", "/sys", guest.BOT, guest.RUNTIME)
OWN = ("/etc/passwd", "/etc/group")
"""What differs from bot to bot, because the uid does; the rest of `guest.FILES` stands here."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A read-only folder that all containers of this machine share as their root.

    A runtime makes what it mounts on where it is missing, in the root folder itself. With all
    places made ahead nothing is ever written, and no bot finds what was mounted for another.
    """

    folders: frozenset[str]
    files: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, system: guest.System, interpreter: Interpreter) -> Self:
        """Describe the root that shows a system, by the paths inside."""
        folders = {*EMPTY, *(inside for inside, link in system.folders if link is None)}
        if interpreter.outside is not None:
            folders.add(interpreter.inside)
        files = guest.FILES | dict.fromkeys((*OWN, guest.SOCKET), "")
        files |= dict.fromkeys((f"/dev/{name}" for name in DEVICES), "")
        for path in system.configuration:
            if path.is_dir():
                folders.add(str(path))
            else:
                files[str(path)] = ""
        links = {inside: link for inside, link in system.folders if link is not None}
        links["/dev/fd"] = "/proc/self/fd"
        return cls(frozenset(folders), tuple(sorted(files.items())), tuple(sorted(links.items())))

    def stage(self, state: Path) -> Path:
        """Return the folder below ``state``, made if it is not there; `SandboxUnavailable`."""
        content = f"{sorted(self.folders)}\0{self.files}\0{self.links}"
        folder = state / "roots" / hashlib.sha256(content.encode()).hexdigest()[:24]
        try:
            make_once(folder, self._fill)
            for inside in OPEN:
                (folder / inside.lstrip("/")).chmod(0o1777)
            folder.parent.chmod(0o700)  # nobody but the runtimes need come here
        except OSError as error:
            raise SandboxUnavailable(
                f"cannot make the containers' root {folder} ({error.strerror}); set"
                " ROUNDHOUSE_SANDBOX_STATE to a folder with room that this user may write to"
            ) from error
        return folder

    def _fill(self, building: Path) -> None:
        for inside in self.folders:
            (building / inside.lstrip("/")).mkdir(parents=True, exist_ok=True)
        for inside, text in self.files:
            path = building / inside.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for inside, link in self.links:
            (building / inside.lstrip("/")).symlink_to(link)
