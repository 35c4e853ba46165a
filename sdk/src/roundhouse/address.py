"""Where a service listens: a Unix socket, or a host and a port."""

from __future__ import annotations

import errno
import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Self

LADDER = "127.0.0.1:7431"
"""Where a ladder listens, and where it is dialled, when nothing else is said."""
REFEREE = "127.0.0.1:7432"
"""The same of a referee."""
LONGEST_SOCKET_PATH = 107
"""Bytes that `sockaddr_un` holds, without the closing zero."""


@dataclass(frozen=True, slots=True)
class Address:
    """One address, as gRPC writes it: ``unix:PATH`` or ``HOST:PORT``."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an address. An IPv6 host stands in brackets.

        >>> Address.parse("[::1]:7432").host
        '::1'

        Raises:
            ValueError: a clause that says what is wrong with it.
        """
        if text.startswith("unix:"):
            path = text.removeprefix("unix:")
            if not path:
                raise ValueError("unix: needs a path")
            if not is_socket_path(path):
                raise ValueError(
                    f"the path of a Unix socket has at most {LONGEST_SOCKET_PATH} bytes"
                )
            return cls(text)
        host, colon, port = text.rpartition(":")
        if not (colon and host and port.isascii() and port.isdecimal() and int(port) < 2**16):
            raise ValueError(f"{text!r} is neither HOST:PORT nor unix:PATH")
        return cls(text)

    @classmethod
    def at(cls, host: str, port: int) -> Self:
        """Return the address of a port.

        >>> str(Address.at("::1", 7432))
        '[::1]:7432'
        """
        return cls(f"[{host}]:{port}" if ":" in host else f"{host}:{port}")

    def __str__(self) -> str:
        return self.text

    @property
    def path(self) -> Path | None:
        """The path of a Unix socket; None of a host and a port."""
        return Path(self.text.removeprefix("unix:")) if self.text.startswith("unix:") else None

    @property
    def host(self) -> str:
        """The host, without brackets."""
        return self.text.rpartition(":")[0].removeprefix("[").removesuffix("]")

    @property
    def port(self) -> int:
        """The port. A Unix socket has none, and must not be asked."""
        return int(self.text.rpartition(":")[2])

    @property
    def is_local(self) -> bool:
        """Whether only this machine can dial it."""
        host = self.host
        return self.path is not None or host in {"localhost", "::1"} or host.startswith("127.")

    def listen(self, backlog: int | None = None) -> socket.socket:
        """Return a listening socket on the host and the port. Raises `OSError`."""
        family = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((self.host, self.port), family=family, backlog=backlog)

    def clear(self) -> None:
        """Make sure that a server can listen here, as far as that can be known beforehand.

        A socket that a dead process left is removed, and the folder for a new one is made. A port
        is tried with a plain socket: gRPC would print its own report of a failure.

        Raises:
            OSError: a live process listens there, something else lies at the path, or this machine
                does not have the address; `reason_of` words it.
        """
        if self.path is None:
            self.listen().close()
        else:
            _clear_path(self.path)


def is_socket_path(path: str | Path) -> bool:
    """Say whether a path is short enough for a Unix socket."""
    return len(os.fsencode(path)) <= LONGEST_SOCKET_PATH


def reason_of(error: OSError) -> str:
    """Return the system's words for an error, without the details that Python adds."""
    is_resolver = isinstance(error, socket.gaierror)  # its numbers are of another table
    if error.errno and not is_resolver:
        return os.strerror(error.errno)
    return str(error.strerror or error)


def _clear_path(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise OSError("it exists and is not a socket")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
    raise OSError(errno.EADDRINUSE, "in use")
