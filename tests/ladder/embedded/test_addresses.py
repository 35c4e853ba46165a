import socket

import pytest

from ladder.embedded.addresses import LOOPBACK, prefer, require_free
from ladder.errors import SettingsError
from roundhouse.address import Address


def test_a_free_port_is_found_for_port_0() -> None:
    address = require_free(Address.at(LOOPBACK, 0), "--port")
    assert address.port > 0


def test_a_port_in_use_is_refused_with_the_option_that_changes_it() -> None:
    with socket.create_server((LOOPBACK, 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SettingsError) as refusal:
            require_free(Address.at(LOOPBACK, port), "--port")
    assert str(refusal.value) == (
        f"Nobody can listen on 127.0.0.1:{port} now (Address already in use): choose another port "
        "with --port; 0 takes a free one."
    )


def test_a_preferred_port_gives_way_to_a_free_one() -> None:
    with socket.create_server((LOOPBACK, 0)) as other:
        port = other.getsockname()[1]
        assert prefer(port).port not in {0, port}
    assert prefer(port).port == port
