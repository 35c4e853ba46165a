"""What a bot sees of a system: a few files of our making, and little of the host's /proc."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from referee.sandbox.spec import Limits

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

UID = 1000
"""The uid inside, in the sandbox's own user namespace; outside it is one of the pool's."""
BOT = "/bot"
SOCKET = "/run/roundhouse.sock"
EXIT = "/run/roundhouse"
SOCKET_NAME = "socket"
"""In a sandbox that is prepared ahead the socket is put into this folder, under this name, and
`SOCKET` leads there."""
RUNTIME = "/opt/roundhouse"
"""Where the interpreter with the SDK stands inside."""
BOOT = f"{RUNTIME}/boot.py"
"""The program of an interpreter that is started before its bot is known."""
HOME = "/tmp"  # noqa: S108 - the sandbox's own tmpfs

SHOWN = frozenset({"self", "thread-self", "mounts", "net", "cpuinfo", "filesystems", "version"})
"""What of /proc is as the kernel has it, beside the bot's own processes. ``net`` leads to the
bot's own empty network. A closed list: a file that a later kernel adds stays hidden."""


FILES = {
    "/etc/passwd": f"bot:x:{UID}:{UID}:bot:{HOME}:/bin/sh\n",
    "/etc/group": f"bot:x:{UID}:\n",
    "/etc/hosts": "127.0.0.1 localhost bot\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""Files of our making, by path."""

SHARED_CONFIGURATION = ("ld.so.cache", "alternatives", "localtime", "java-*", "fonts/fonts.conf")
"""What programs under /usr need of /etc, and nothing that is a secret of the host's."""

ENVIRONMENT = {
    "PATH": f"{RUNTIME}/bin:/usr/local/bin:/usr/bin:/bin",
    "HOME": HOME,
    "TMPDIR": HOME,
    "LANG": "C.UTF-8",
    "PYTHONUNBUFFERED": "1",  # the last line before a kill is the one that explains it
    "PYTHONDONTWRITEBYTECODE": "1",  # the bot's folder is read-only
    "ROUNDHOUSE_SOCKET": SOCKET,
}
"""All that a bot's environment holds beside the spec's own variables."""


@dataclass(frozen=True, slots=True)
class System:
    """What of the host is shown and covered; looked at once, since every start needs it."""

    folders: tuple[tuple[str, str | None], ...]
    configuration: tuple[Path, ...]
    masks: tuple[tuple[str, bool], ...]

    @classmethod
    def look(cls) -> Self:
        """Look at this machine."""
        replaced = proc_files(Limits())
        return cls(tuple(system_folders()), tuple(shared_configuration()), tuple(masks(replaced)))


def proc_files(limits: Limits) -> dict[str, str]:
    """Return stand-ins for files of /proc that runtimes read but that tell on other bots.

    The memory is the bot's own limit and the processors are its own share, so that a runtime
    that sizes itself by them does so rightly.
    """
    total = limits.memory_bytes // 1024
    idle = "0 0 0 0 0 0 0 0 0 0"
    cores = range(max(1, round(limits.cpu_cores)))
    processors = "".join(f"cpu{core} {idle}\n" for core in cores)
    return {
        "/proc/meminfo": f"MemTotal: {total} kB\nMemFree: {total} kB\nMemAvailable: {total} kB\n"
        "Buffers: 0 kB\nCached: 0 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n",
        "/proc/stat": f"cpu  {idle}\n{processors}btime 0\n",
        "/proc/uptime": "1.00 1.00\n",
        "/proc/loadavg": "0.00 0.00 0.00 1/1 1\n",
    }


def masks(replaced: Container[str], proc: Path = Path("/proc")) -> Iterator[tuple[str, bool]]:
    """Yield the entries of /proc that a bot could read and must not; True stands for a folder.

    ``replaced`` are those that get a stand-in. What only the host's root may read needs no
    mask: nobody inside is that root.
    """
    with os.scandir(proc) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            inside = f"/proc/{entry.name}"
            if entry.name.isdecimal() or entry.name in SHOWN or inside in replaced:
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            if mode & stat.S_IROTH:
                yield inside, stat.S_ISDIR(mode)


def shared_configuration(etc: Path = Path("/etc")) -> Iterator[Path]:
    """Yield what of the host's /etc is shown, as far as it is there."""
    for pattern in SHARED_CONFIGURATION:
        yield from sorted(etc.glob(pattern))


def system_folders(root: Path = Path("/")) -> Iterator[tuple[str, str | None]]:
    """Yield each folder of programs and libraries in the root, and where it leads if a link."""
    for name in ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = root / name
        if path.is_symlink():
            yield f"/{name}", str(path.readlink())
        elif path.is_dir():
            yield f"/{name}", None
