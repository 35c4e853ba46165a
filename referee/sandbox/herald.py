"""Where in a container's output the runtime's words end and the bot's begin."""

from __future__ import annotations

from referee.sandbox.tail import Tail


class HeraldedTail(Tail):
    r"""A tail that notices a line and forgets what stood before it.

    Without that line, all that came is kept: it says why the container was not made.

    >>> tail = HeraldedTail(64, b"now")
    >>> tail.feed(b"warning: old kernel")
    >>> tail.is_heralded, tail.read()
    (False, b'warning: old kernel')
    >>> tail.feed(b"\nnow")
    >>> tail.feed(b"\nhello")
    >>> tail.is_heralded, tail.read()
    (True, b'hello')
    """

    __slots__ = ("_line", "is_heralded")

    def __init__(self, size: int, line: bytes) -> None:
        super().__init__(size)
        self._line = line + b"\n"
        self.is_heralded = False

    def feed(self, chunk: bytes) -> None:
        """Add bytes."""
        super().feed(chunk)
        if not self.is_heralded:
            _, found, rest = self._kept.partition(self._line)
            if found:
                self.is_heralded = True
                self._kept = rest
