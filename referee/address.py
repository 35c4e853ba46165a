"""Where a referee listens: a Unix socket, or a host and a port."""

from __future__ import annotations

import errno
import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Self

LONGEST_SOCKET_PATH = 107
"""Bytes that `sockaddr_un` holds, without the closing zero."""


class AddressError(Exception):
    """Nobody can listen there; the message is a sentence for whoever started us."""


@dataclass(frozen=True, slots=True)
class Address:
    """One address, as gRPC writes it: ``unix:PATH`` or ``HOST:PORT``."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an address.

        >>> Address.parse("127.0.0.1:7432").path is None
        True

        Raises:
            ValueError: a clause that says what is wrong with it.
        """
        if text.startswith("unix:"):
            path = text.removeprefix("unix:")
            if not path:
                raise ValueError("unix: needs a path")
            if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
                raise ValueError(
                    f"the path of a Unix socket has at most {LONGEST_SOCKET_PATH} bytes"
                )
            return cls(text)
        host, colon, port = text.rpartition(":")
        if not (colon and host and port.isascii() and port.isdecimal() and int(port) < 2**16):
            raise ValueError(f"{text!r} is neither HOST:PORT nor unix:PATH")
        return cls(text)

    def __str__(self) -> str:
        return self.text

    @property
    def path(self) -> Path | None:
        """Return the path of a Unix socket; None for a host and a port."""
        return Path(self.text.removeprefix("unix:")) if self.text.startswith("unix:") else None

    @property
    def is_local(self) -> bool:
        """Say whether only this machine can dial it."""
        host = self.text.rpartition(":")[0].strip("[]")
        return self.path is not None or host in {"localhost", "::1"} or host.startswith("127.")

    def clear(self) -> None:
        """Make sure that a server can listen here, as far as that can be known beforehand.

        A socket that a dead process left is removed, and the folder for a new one is made.

        Raises:
            AddressError: a live process listens there, something else lies at the path, or this
                machine does not have the address.
        """
        try:
            if self.path is None:
                self._try_port()
            else:
                self._clear_path(self.path)
        except OSError as error:
            raise not_to_be_had(self, reason_of(error)) from error

    def _try_port(self) -> None:
        """Listen with a plain socket: gRPC would print its own report of a failure."""
        name, _, port = self.text.rpartition(":")
        host = name.strip("[]")
        family = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0][0]
        socket.create_server((host, int(port)), family=family).close()

    def _clear_path(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISSOCK(mode):
            raise AddressError(
                f"{path} exists and is not a socket; remove it, or listen elsewhere."
            )
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()
                return
        raise OSError(errno.EADDRINUSE, "in use")


def not_to_be_had(address: Address, reason: str) -> AddressError:
    """Return the refusal for an address at which nobody can listen now."""
    return AddressError(
        f"The referee cannot listen on {address} ({reason}); stop what does, or set"
        " ROUNDHOUSE_REFEREE_LISTEN to another address."
    )


def reason_of(error: OSError) -> str:
    """Return the system's words for an error, without the details that Python adds."""
    is_resolver = isinstance(error, socket.gaierror)  # its numbers are of another table
    return str(error.strerror) if is_resolver or not error.errno else os.strerror(error.errno)
