"""The two places in a prepared sandbox that are empty until its bot is known."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from referee.sandbox import guest

if TYPE_CHECKING:
    from pathlib import Path

    from referee.sandbox.stage import Stage


@dataclass(frozen=True, slots=True)
class Slot:
    """Folders of the host's that the sandbox sees read-only, so that what we put there appears.

    No mount is made in a sandbox that stands: it needs rights over the sandbox that nobody has.
    """

    folder: Path
    """Stands at `guest.BOT`."""
    exit: Path
    """Stands at `guest.EXIT`."""

    @classmethod
    def on(cls, stage: Stage) -> Self:
        """Make the folders; raises `OSError` if that cannot be."""
        folder = stage.new_folder()
        folder.chmod(0o755)
        return cls(folder, stage.new_folder())

    def fill(self, bot: Path, socket: Path) -> None:
        """Let the sandbox have a published bot and a socket; raises `OSError`.

        Files are linked, not copied: they are the very files of the bot's folder, which belong to
        us and which nobody writes to. Links to folders and the like stay what they are.
        """
        for place, folders, files in os.walk(bot):
            target = self.folder / os.path.relpath(place, bot)
            for name in folders:
                if os.path.islink(os.path.join(place, name)):  # noqa: PTH114, PTH118 - of strings
                    files.append(name)
                else:
                    (target / name).mkdir()
                    (target / name).chmod(0o755)  # whatever the umask says
            for name in files:
                os.link(f"{place}/{name}", target / name, follow_symlinks=False)
        os.link(socket, self.exit / guest.SOCKET_NAME)
