"""The OCI runtime of this machine: gVisor's `runsc`, or `runc`."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from referee.sandbox.driver import SandboxUnavailable

KINDS = ("runsc", "runc")
"""In the order of preference: a kernel of its own for every bot, or the host's."""
PLACES = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where distributions put them, which an ordinary user's PATH lacks."""
LOST_CODE = 128
"""The exit code of `runsc` itself, where it could not start a guest or has lost it."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A runtime that runs one container in the foreground, without a daemon."""

    path: Path
    kind: str
    """``runsc`` or ``runc``."""
    version: str

    @classmethod
    def find(cls, wanted: str | None) -> Self:
        """Find the runtime that is wanted, else the best one there is.

        ``wanted`` is a name or a path whose last part is one. Raises `SandboxUnavailable`.
        """
        search = os.pathsep.join((os.environ.get("PATH", os.defpath), *PLACES))
        for name in KINDS if wanted is None else (wanted,):
            path = shutil.which(name, path=search)
            if path is not None:
                return cls(Path(path), Path(name).name, _version(path))
        missing = "no OCI runtime" if wanted is None else f"no {wanted}"
        raise SandboxUnavailable(
            f"{missing} is installed, so no bot can be held by the driver oci: install the package"
            " `runsc` (gVisor) or `runc` of your system, or unset ROUNDHOUSE_SANDBOX to use"
            " bubblewrap"
        )

    @property
    def has_own_kernel(self) -> bool:
        """Tell whether bots meet a kernel of their own and not the host's."""
        return self.kind == "runsc"

    @property
    def makes_groups(self) -> bool:
        """Tell whether it puts the bot into control groups itself and stays outside.

        `runsc` knows no hybrid machines, so it is started inside; and it must be, since its own
        processes do the bot's work.
        """
        return self.kind == "runc"

    def command(self, bundle: Path, name: str) -> tuple[str, ...]:
        """Return the command line that runs a bundle until its end.

        All that it writes stands in the bundle's own folder, so that nothing but this folder and
        the control groups has to be removed, however it ended.
        """
        state = str(bundle / "state")
        if self.kind == "runc":
            # Kept, or the counters would be gone with the control groups before they are read.
            return (str(self.path), "--root", state, "run", "--keep", "-b", str(bundle), name)
        return (
            *(str(self.path), "--root", state, "--ignore-cgroups", "--network=none"),
            # Dialling the referee's socket is all that may cross from the guest to the host.
            *("--host-uds=open", "run", "--bundle", str(bundle), name),
        )


def _version(path: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the program that we have just found
            [path, "--version"], check=True, capture_output=True, text=True, timeout=10
        )
        return done.stdout.split("\n")[0].split()[-1]
    except (OSError, IndexError, subprocess.SubprocessError) as error:
        raise SandboxUnavailable(f"{path} does not run ({error}); install it anew") from error
