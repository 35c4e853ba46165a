"""Where a referee listens: a Unix socket, or a host and a port."""

from __future__ import annotations

import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Self

LONGEST_SOCKET_PATH = 107
"""Bytes that `sockaddr_un` holds, without the closing zero."""


class AddressInUseError(Exception):
    """Somebody else listens there; the message is a sentence for whoever started us."""


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
        """Remove a socket that a dead process left, and make the folder for a new one.

        Raises:
            AddressInUseError: a live process listens there, or something else lies at the path.
        """
        path = self.path
        if path is None:
            return  # the kernel refuses a port that is in use
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISSOCK(mode):
            raise AddressInUseError(
                f"{path} exists and is not a socket; remove it, or listen elsewhere."
            )
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()
                return
        raise AddressInUseError(in_use(self))


def in_use(address: Address) -> str:
    """Return the sentence for an address at which somebody listens already."""
    return (
        f"Another process listens on {address}; stop it, or set ROUNDHOUSE_REFEREE_LISTEN"
        " to an address that is free."
    )
