from __future__ import annotations

import asyncio
import io

import pytest
from google.protobuf.proto import serialize_length_prefixed
from hypothesis import given
from hypothesis import strategies as st

from referee.framing import FrameError, frame, read_frame
from roundhouse.api.referee.v1.match_pb2 import GameProgress


async def read_all(data: bytes) -> list[bytes]:
    stream = asyncio.StreamReader()
    stream.feed_data(data)
    stream.feed_eof()
    messages = []
    while (message := await read_frame(stream)) is not None:
        messages.append(message)
    return messages


@given(st.lists(st.binary(max_size=300) | st.integers(2**14, 2**17).map(bytes), max_size=5))
def test_what_is_framed_is_read_again(messages: list[bytes]) -> None:
    assert asyncio.run(read_all(b"".join(map(frame, messages)))) == messages


def test_a_frame_is_protobufs_own() -> None:
    message = GameProgress(game_id="x" * 200, decisions=7)
    output = io.BytesIO()
    serialize_length_prefixed(message, output)
    assert frame(message.SerializeToString()) == output.getvalue()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\x05abc", "ends after 3 of 5 bytes"),
        (b"\x80", "ends within a length"),
        (b"\xff" * 9, "more than five bytes"),
        (b"\xff\xff\xff\xff\x7f", "is too long"),
    ],
)
def test_anything_else_is_an_error(data: bytes, sentence: str) -> None:
    with pytest.raises(FrameError, match=sentence):
        asyncio.run(read_all(data))
