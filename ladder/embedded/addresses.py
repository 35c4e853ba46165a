"""Where the embedded set-up listens."""

from __future__ import annotations

import socket
from contextlib import closing

from ladder.errors import SettingsError
from roundhouse.address import Address, reason_of

LOOPBACK = "127.0.0.1"


def require_free(address: Address, option: str) -> Address:
    """Return the address, with a free port in the place of port 0.

    Raises `SettingsError` when somebody else listens there; `option` is what would change it.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with closing(socket.socket(family)) as probe:
        # As servers do: a port whose last connections are still closing is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.host, address.port))
        except OSError as error:
            raise SettingsError(
                f"Nobody can listen on {address} now ({reason_of(error)}): choose another port "
                f"with {option}; 0 takes a free one."
            ) from error
        return Address.at(address.host, probe.getsockname()[1])


def prefer(port: int) -> Address:
    """Return the port on the loopback, or a free one when somebody else listens there."""
    try:
        return require_free(Address.at(LOOPBACK, port), "")
    except SettingsError:
        return require_free(Address.at(LOOPBACK, 0), "")
