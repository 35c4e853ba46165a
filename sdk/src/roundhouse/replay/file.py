"""The file of a log: a `GameLog` message under gzip."""

from pathlib import Path

from google.protobuf.message import DecodeError

from roundhouse.api.game.v1 import log_pb2
from roundhouse.compression import compress, decompress
from roundhouse.errors import CompressionError, LogError

LOG_FORMAT = 1
"""The version of the format that is written, and the newest that is read."""

MAX_LOG_BYTES = 16 * 1024 * 1024
"""An unpacked log: a hundred times the longest game's. It bounds what a hostile file can cost."""

_HASH_BYTES = 32
_MAX_SEATS = 5


def dump_log(log: log_pb2.GameLog) -> bytes:
    """Return the content of the log's file; equal logs give equal bytes."""
    return compress(log.SerializeToString(deterministic=True))


def load_log(data: bytes) -> log_pb2.GameLog:
    """Read the content of a log's file.

    Raises `LogError`, in one sentence, when it is damaged, cut short, no log, or of a newer format.
    Whether the game was played by the rules is what `verify` finds out.
    """
    return _load(data, "The log")


def read_log(path: Path) -> log_pb2.GameLog:
    """Read a log's file. Raise `LogError` as `load_log` does, and when there is no such file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LogError(f"The log {path} cannot be read: {error.strerror}.") from error
    return _load(data, f"The log {path}")


def write_log(path: Path, log: log_pb2.GameLog) -> None:
    """Write a log's file, replacing one that stood there; nobody ever sees half of it.

    Raises `LogError` when it cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(dump_log(log))
        part.replace(path)
    except OSError as error:
        raise LogError(f"The log {path} cannot be written: {error.strerror}.") from error


def _load(data: bytes, subject: str) -> log_pb2.GameLog:
    try:
        content = decompress(data, MAX_LOG_BYTES)
        log = log_pb2.GameLog.FromString(content)
    except CompressionError as error:
        raise LogError(f"{subject} {error}.") from error
    except DecodeError as error:
        raise LogError(f"{subject} is a gzip file, but not the log of a game.") from error
    if log.format > LOG_FORMAT:
        raise LogError(
            f"{subject} has format {log.format}, and this version reads format {LOG_FORMAT} at "
            "most; install a newer roundhouse-sdk."
        )
    is_whole = (
        log.format == LOG_FORMAT
        and 0 < len(log.seats) <= _MAX_SEATS
        and len(log.seed_commitment) == _HASH_BYTES
        and len(log.seed) in {0, _HASH_BYTES}  # empty while the seed is secret
    )
    if not is_whole:
        raise LogError(f"{subject} is a gzip file, but not the log of a game.")
    return log
