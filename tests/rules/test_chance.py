from __future__ import annotations

import hashlib
import hmac
import json
import math
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.rules import commitment, edition, format_event, shuffle, start_game, stream
from roundhouse.rules.chance import order_by
from tests.rules.games import seed_of

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "docs" / "chance.json").read_text(encoding="utf-8")
)


def shuffle_by_the_page(seed: bytes, label: bytes, counter: int, length: int) -> list[int]:
    """Shuffle 0 to length - 1 as docs/chance.md says, with nothing of the engine's code."""

    def mac(key: bytes, message: bytes) -> bytes:
        return hmac.new(key, message, hashlib.sha256).digest()

    key = mac(seed, label + counter.to_bytes(8, "big"))
    data = b"".join(mac(key, block.to_bytes(8, "big")) for block in range(length // 4 + 2))
    items, place = list(range(length)), 0
    for last in reversed(range(1, length)):
        while True:
            word = int.from_bytes(data[place : place + 4], "big")
            place += 4
            if word < 2**32 - 2**32 % (last + 1):
                break
        other = word % (last + 1)
        items[last], items[other] = items[other], items[last]
    return items


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitments_are_as_published(vector: dict[str, Any]) -> None:
    assert commitment(bytes.fromhex(vector["seed"])).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["streams"])
def test_streams_are_as_published(vector: dict[str, Any]) -> None:
    words = stream(bytes.fromhex(vector["seed"]), vector["label"].encode(), vector["counter"])
    assert [f"{word:08x}" for word in islice(words, 10)] == vector["words"]


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_shuffles_are_as_published(vector: dict[str, Any]) -> None:
    seed, label = bytes.fromhex(vector["seed"]), vector["label"].encode()
    items = range(vector["items"])
    assert shuffle(seed, label, vector["counter"], items) == vector["order"]


@pytest.mark.parametrize("vector", VECTORS["deals"])
def test_deals_are_as_published(vector: dict[str, Any]) -> None:
    rules = edition(vector["edition"])
    state, events = start_game(rules, vector["seats"], bytes.fromhex(vector["seed"]))
    assert [format_event(event, rules.board) for event in events] == vector["events"]
    assert state.digest().hex() == vector["digest"]


@given(
    seed=st.binary(min_size=32, max_size=32),
    label=st.sampled_from([b"train-deck", b"ticket-deck"]),
    counter=st.integers(0, 2**64 - 1),
    length=st.integers(0, 120),
)
def test_a_second_implementation_from_the_page_agrees(
    seed: bytes, label: bytes, counter: int, length: int
) -> None:
    expected = shuffle_by_the_page(seed, label, counter, length)
    assert shuffle(seed, label, counter, range(length)) == expected


def test_words_that_favour_low_places_are_skipped() -> None:
    # A real stream rejects once in 2**25 words; this one always offers an unfair word first.
    words = [2**32 - 1, 5, 2**32 - 1, 1]
    assert order_by(iter(words), "abc") == ["a", "b", "c"]  # 5 % 3 = 2, then 2**32-1 is fair


def test_a_shuffle_that_skips_words_goes_on_in_its_stream() -> None:
    # So many items use up whole blocks, and at least one of their words is skipped.
    length = 200_001
    words = islice(stream(seed_of(1), b"train-deck", 0), length)
    assert any(
        word >= 2**32 - 2**32 % places
        for word, places in zip(words, range(length, 1, -1), strict=False)
    )
    expected = shuffle_by_the_page(seed_of(1), b"train-deck", 0, length)
    assert shuffle(seed_of(1), b"train-deck", 0, range(length)) == expected


def test_all_orders_are_equally_likely() -> None:
    orders = Counter(tuple(shuffle(seed_of(n), b"train-deck", 0, "abcd")) for n in range(4800))
    assert len(orders) == math.factorial(4)
    chi_square = sum((count - 200) ** 2 / 200 for count in orders.values())
    assert chi_square < 49.7  # 23 degrees of freedom, 1 in 1000; the seeds are fixed


def test_labels_counters_and_seeds_give_different_orders() -> None:
    orders = {
        tuple(shuffle(seed, label, counter, range(30)))
        for seed in (seed_of(1), seed_of(2))
        for label in (b"train-deck", b"ticket-deck")
        for counter in range(5)
    }
    assert len(orders) == 20
