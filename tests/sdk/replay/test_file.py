"""The file of a log: the same bytes every time, and one sentence for anything else."""

import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundhouse.api.game.v1 import log_pb2
from roundhouse.errors import LogError
from roundhouse.replay import (
    MAX_LOG_BYTES,
    dump_log,
    load_log,
    read_log,
    to_json,
    to_text,
    verify,
    write_log,
)
from tests.sdk.replay.logs import log_of


def test_a_log_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "game.log.gz"

    write_log(path, log_of())

    assert read_log(path) == log_of()
    assert [file.name for file in tmp_path.iterdir()] == ["game.log.gz"]


def test_equal_logs_are_equal_files() -> None:
    assert dump_log(log_of()) == dump_log(log_of())
    assert dump_log(log_of())[4:8] == bytes(4), "no date"


def newer() -> log_pb2.GameLog:
    log = log_of()
    log.format = 2
    return log


def short_commitment() -> log_pb2.GameLog:
    log = log_of()
    log.seed_commitment = b"x"
    return log


WHOLE = dump_log(log_of())
NO_LOG = "is a gzip file, but not the log of a game."


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The log is not a gzip file."),
        (b"PK\x03\x04", "The log is not a gzip file."),
        (WHOLE[:10], "The log is cut short."),
        (WHOLE[: len(WHOLE) // 2], "The log is cut short."),
        (WHOLE[:-1], "The log is cut short."),
        (WHOLE[:100] + b"\0\0\0\0" + WHOLE[104:], "The log is corrupt"),
        (WHOLE[:-8] + bytes(8), "The log is corrupt"),
        (WHOLE + b"more", "The log goes on for 4 bytes after its end."),
        (gzip.compress(b""), f"The log {NO_LOG}"),
        (gzip.compress(b"hello, this is a text"), f"The log {NO_LOG}"),
        (gzip.compress(log_pb2.GameLog(game_id="x").SerializeToString()), f"The log {NO_LOG}"),
        (dump_log(short_commitment()), f"The log {NO_LOG}"),
        (gzip.compress(bytes(MAX_LOG_BYTES + 1)), "The log unpacks to more than 16 MiB."),
        (
            dump_log(newer()),
            "The log has format 2, and this version reads format 1 at most; install a newer ",
        ),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(LogError) as caught:
        load_log(data)

    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")


def test_the_sentence_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.log.gz"
    path.write_bytes(WHOLE[:50])

    with pytest.raises(LogError, match=r"^The log .*game\.log\.gz is cut short\.$"):
        read_log(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"gone cannot be read: No such file or directory\.$"):
        read_log(tmp_path / "gone")


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"cannot be read: Is a directory\.$"):
        read_log(tmp_path)


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"cannot be written: No such file or directory\.$"):
        write_log(tmp_path / "gone" / "game.log.gz", log_of())


def use(log: log_pb2.GameLog) -> None:
    """Do everything with a log that may be read: nothing but `LogError` may come of it."""
    verify(log)
    with contextlib.suppress(LogError):
        to_text(log)
    to_json(log)


@given(st.binary(max_size=400))
def test_no_bytes_give_anything_but_a_log_error(content: bytes) -> None:
    for data in (content, gzip.compress(content, 1)):
        with pytest.raises(LogError):
            load_log(data)


@given(st.data())
def test_a_damaged_file_gives_nothing_but_a_log_error(data: st.DataObject) -> None:
    content = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))

    with contextlib.suppress(LogError):
        use(load_log(bytes(content)))
    with contextlib.suppress(LogError):
        use(load_log(WHOLE[:cut]))


RAW = log_of().SerializeToString()


@settings(max_examples=400)
@given(st.data())
def test_a_damaged_message_gives_nothing_but_a_log_error(data: st.DataObject) -> None:
    content = bytearray(RAW)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))

    with contextlib.suppress(LogError):
        use(load_log(gzip.compress(bytes(content), 1)))
