"""Messages one after another on a pipe, each with its length in front (a protobuf varint).

It is the form of `google.protobuf.proto.serialize_length_prefixed`, which cannot be awaited.
"""

from __future__ import annotations

import asyncio

MOST_BYTES = 256 * 1024 * 1024
"""No frame of a lane comes near; more means that the pipe holds something else."""


class FrameError(Exception):
    """What was read is not a sequence of frames."""


def frame(message: bytes) -> bytes:
    r"""Return the message with its length in front.

    >>> frame(b"x" * 300)[:3]
    b'\xac\x02x'
    """
    length, head = len(message), bytearray()
    while length > 0x7F:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    head.append(length)
    return bytes(head) + message


async def read_frame(stream: asyncio.StreamReader) -> bytes | None:
    """Read the next message; None at the end of the stream.

    Raises:
        FrameError: the stream ends within a frame, or holds no frames.
    """
    length = shift = 0
    while True:
        byte = await stream.read(1)
        if not byte:
            if shift:
                raise FrameError("the stream ends within a length")
            return None
        length |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            break
        shift += 7
        if shift > 28:
            raise FrameError("a length has more than five bytes")
    if length > MOST_BYTES:
        raise FrameError(f"a frame of {length} bytes is too long")
    try:
        return await stream.readexactly(length)
    except asyncio.IncompleteReadError as error:
        raise FrameError(
            f"the stream ends after {len(error.partial)} of {length} bytes of a frame"
        ) from error
