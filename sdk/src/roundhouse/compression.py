"""Gzip that gives the same bytes every time, and that never unpacks more than is allowed."""

import gzip
import io
import zlib

from roundhouse.errors import CompressionError

_GZIP = 31  # zlib's `wbits` for a gzip header and trailer around a full window
_MIB = 1024 * 1024


def compress(data: bytes) -> bytes:
    """Return the gzip form of the data, without a name, a date or a trace of the machine."""
    # `GzipFile` and not `gzip.compress`: only it writes the same header under every Python.
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as stream:
        stream.write(data)
    return buffer.getvalue()


def decompress(data: bytes, limit: int) -> bytes:
    """Return what one gzip member holds, its checksum verified.

    Never unpacks more than `limit` bytes and one, whatever the data claim. Raises
    `CompressionError`, whose message is the end of a sentence.
    """
    if data[:2] != b"\x1f\x8b":
        raise CompressionError("is not a gzip file")
    stream = zlib.decompressobj(wbits=_GZIP)
    try:
        content = stream.decompress(data, limit + 1)
    except zlib.error as error:
        raise CompressionError("is corrupt (its gzip data cannot be unpacked)") from error
    if len(content) > limit:
        raise CompressionError(f"unpacks to more than {limit // _MIB} MiB")
    if not stream.eof:
        raise CompressionError("is cut short")
    if stream.unused_data:
        raise CompressionError(f"goes on for {len(stream.unused_data)} bytes after its end")
    return content
