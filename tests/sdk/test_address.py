"""Addresses: what they are, who can dial them, and whether a server can listen there."""

from __future__ import annotations

import socket
import stat
from typing import TYPE_CHECKING

import pytest

from roundhouse.address import Address, reason_of
from roundhouse.statefolder import state_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "is_local"),
    [
        ("unix:/run/r.sock", True),
        ("127.0.0.1:1", True),
        ("127.8.8.8:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("[::]:1", False),
        ("0.0.0.0:1", False),
        ("referee.example:1", False),
    ],
)
def test_an_address_knows_whether_other_machines_can_dial_it(text: str, *, is_local: bool) -> None:
    assert Address.parse(text).is_local is is_local


@pytest.mark.parametrize(
    "text", ["", "localhost", ":7431", "localhost:", "localhost:x", "localhost:65536", "h:\u0663"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither HOST:PORT nor unix:PATH"):
        Address.parse(text)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "referee.example"])
def test_host_and_port_go_into_an_address_and_come_back(host: str) -> None:
    address = Address.at(host, 7431)
    assert Address.parse(str(address)) == address
    assert (address.host, address.port, address.path) == (host, 7431, None)


def test_the_longest_path_of_a_socket_is_the_kernels(tmp_path: Path) -> None:
    room = 107 - len(str(tmp_path)) - 1
    longest = Address.parse(f"unix:{tmp_path}/{'x' * room}")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(longest.path))
    with pytest.raises(ValueError, match="has at most 107 bytes"):
        Address.parse(f"{longest}x")


def test_something_else_at_a_sockets_path_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("precious", encoding="utf-8")
    with pytest.raises(OSError, match="it exists and is not a socket") as refused:
        Address(f"unix:{file}").clear()
    assert reason_of(refused.value) == "it exists and is not a socket"
    assert file.read_text(encoding="utf-8") == "precious"


def test_a_dead_socket_is_removed_and_a_live_one_stays(tmp_path: Path) -> None:
    address = Address(f"unix:{tmp_path}/new/x.sock")
    address.clear()
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(address.path))
        server.listen()
        with pytest.raises(OSError, match="in use") as refused:
            address.clear()
    assert reason_of(refused.value) == "Address already in use"
    address.clear()
    assert not (tmp_path / "new" / "x.sock").exists()


def test_a_port_in_use_is_refused_in_the_systems_words() -> None:
    with Address("127.0.0.1:0").listen() as server:
        with pytest.raises(OSError, match="in use") as refused:
            Address.at(*server.getsockname()).clear()
        assert reason_of(refused.value) == "Address already in use"


def test_a_host_that_nobody_knows_is_refused_in_the_resolvers_words() -> None:
    with pytest.raises(OSError, match=r"not known|resolution") as refused:
        Address("nobody.invalid:1").clear()
    assert "Errno" not in reason_of(refused.value)


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_state_folder_is_none(tmp_path: Path, blank: str) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    assert state_folder({**environment, "ROUNDHOUSE_STATE_DIR": blank}) == tmp_path / "roundhouse"


def test_a_relative_state_folder_is_below_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert state_folder({"ROUNDHOUSE_STATE_DIR": "state"}) == tmp_path / "state"
