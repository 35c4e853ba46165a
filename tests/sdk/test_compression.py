"""Gzip that is always the same, and never unpacks too much."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.compression import compress, decompress
from roundhouse.errors import CompressionError


@given(st.binary(max_size=5000))
def test_data_come_back(data: bytes) -> None:
    assert decompress(compress(data), len(data)) == data
    assert gzip.decompress(compress(data)) == data


def test_the_header_says_nothing_of_the_machine_or_the_day() -> None:
    assert compress(b"x")[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"


def test_one_byte_too_many_is_refused() -> None:
    with pytest.raises(CompressionError, match=r"^unpacks to more than"):
        decompress(compress(bytes(1001)), 1000)
