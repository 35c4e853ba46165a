"""HTTP/2 by hand, for bots that do what no library would."""

import os
import socket

from roundhouse import API_VERSION
from roundhouse.api.referee.v1.play_pb2 import Hello, PlayRequest

DATA, HEADERS, SETTINGS, PING = 0, 1, 4, 6
END_HEADERS, ACK = 4, 1
INITIAL_WINDOW_SIZE = 4
FIELDS = {
    ":method": "POST",
    ":scheme": "http",
    ":path": "/roundhouse.api.referee.v1.PlayService/Play",
    ":authority": "localhost",
    "content-type": "application/grpc",
    "te": "trailers",
}


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return one HTTP/2 frame."""
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
    return head + payload


def literal(text: str) -> bytes:
    """Return a header's name or value as HPACK writes it without its tables."""
    return bytes([len(text)]) + text.encode()


def greet(settings: bytes = b"") -> socket.socket:
    """Connect with these settings, call `Play`, and say Hello."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(os.environ["ROUNDHOUSE_SOCKET"])
    hello = PlayRequest(hello=Hello(token=os.environ["ROUNDHOUSE_TOKEN"], api_version=API_VERSION))
    greeting = hello.SerializeToString()
    fields = b"".join(b"\0" + literal(name) + literal(value) for name, value in FIELDS.items())
    line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, settings))
    line.sendall(frame(HEADERS, END_HEADERS, 1, fields))
    line.sendall(frame(DATA, 0, 1, b"\0" + len(greeting).to_bytes(4, "big") + greeting))
    return line
