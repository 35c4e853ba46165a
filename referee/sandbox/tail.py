"""The end of a stream that may be endless."""

from __future__ import annotations


class Tail:
    """Keep the last ``size`` bytes of what is fed, in at most twice that memory.

    >>> tail = Tail(4)
    >>> tail.feed(b"abc"), tail.feed(b"def")
    (None, None)
    >>> tail.read()
    b'cdef'
    """

    __slots__ = ("_kept", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept = bytearray()

    def feed(self, chunk: bytes) -> None:
        """Add bytes, and forget the oldest beyond twice the size."""
        self._kept += chunk
        if len(self._kept) > 2 * self._size:
            del self._kept[: -self._size]

    def read(self) -> bytes:
        """Return the last ``size`` bytes."""
        return bytes(self._kept[-self._size :])
