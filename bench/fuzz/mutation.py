"""What a fuzzing bot says in place of an honest answer: changes by the grammar, and plain bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.fuzz.reading import END_GROUP, GROUP, LENGTH, VARINT
from roundhouse.api.game.v1 import action_pb2
from roundhouse.api.referee.v1.play_pb2 import Answer, Hello, PlayRequest

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from roundhouse.api.referee.v1.play_pb2 import Decision

    Mutation = Callable[[random.Random, Decision], bytes]

HONEST = 6
"""How many of ten answers are what an honest bot could say, though perhaps strangely encoded."""
ODD_NUMBERS = (0, 1, 2, 4, 5, 100, 101, 2**7, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)
UNKNOWN_FIELDS = range(20, 2**20)
SAFE_DEPTH, SURE_DEPTH = 60, 200
"""Readers differ on exactly how deep is too deep; nothing depends on it between these two."""
OVERSIZED = 64 * 1024


def honest(rng: random.Random, decision: Decision) -> bytes:
    """Answer with any legal action."""
    answer = Answer(decision_id=decision.decision_id, action=rng.choice(decision.legal_actions))
    return PlayRequest(answer=answer).SerializeToString()


def from_newer_sdk(rng: random.Random, decision: Decision) -> bytes:
    """Add fields that nobody knows, at any level."""
    action = rng.choice(decision.legal_actions).SerializeToString() + unknown(rng)
    answer = number_field(1, decision.decision_id) + bytes_field(2, action) + unknown(rng)
    return unknown(rng) + bytes_field(2, answer) + unknown(rng)


def strangely_encoded(rng: random.Random, decision: Decision) -> bytes:
    """Write the fields in another order, numbers longer than need be, and a message in parts."""
    action = bytes_field(2, rng.choice(decision.legal_actions).SerializeToString())
    number = b"\x08" + varint(decision.decision_id, rng.randint(1, 9))
    first, second = rng.sample([action, number], 2)
    if rng.random() < 0.5:
        return bytes_field(2, first + second)
    return bytes_field(2, first) + unknown(rng) + bytes_field(2, second)


def another_action(rng: random.Random, decision: Decision) -> bytes:
    """Answer with any action that the grammar allows, legal or not."""
    answer = Answer(decision_id=decision.decision_id, action=any_action(rng))
    return PlayRequest(answer=answer).SerializeToString()


def another_decision(rng: random.Random, decision: Decision) -> bytes:
    """Answer a decision that is past, or to come, or never will be."""
    stale = max(0, decision.decision_id - rng.randint(1, 5))
    number = rng.choice([stale, decision.decision_id + 1, *ODD_NUMBERS])
    answer = Answer(decision_id=number, action=rng.choice(decision.legal_actions))
    return PlayRequest(answer=answer).SerializeToString()


def said_twice(rng: random.Random, decision: Decision) -> bytes:
    """Repeat a part, which the grammar merges: an offer's tickets then stand there twice."""
    action = rng.choice(decision.legal_actions).SerializeToString()
    other = rng.choice(decision.legal_actions).SerializeToString()
    number = number_field(1, decision.decision_id)
    return bytes_field(
        2, number + bytes_field(2, action) + bytes_field(2, rng.choice([action, other]))
    )


def nested(rng: random.Random, decision: Decision) -> bytes:
    """Nest groups: few are an unknown field, many are too deep to be read."""
    depth = rng.choice([rng.randint(1, SAFE_DEPTH), rng.randint(SURE_DEPTH, 20_000)])
    number = rng.choice([1, 2, 30])
    groups = varint(number << 3 | GROUP) * depth + varint(number << 3 | END_GROUP) * depth
    return honest(rng, decision) + groups


def truncated(rng: random.Random, decision: Decision) -> bytes:
    """Leave the end out."""
    whole = rng.choice([honest, from_newer_sdk])(rng, decision)
    return whole[: rng.randrange(len(whole))]


def bits_changed(rng: random.Random, decision: Decision) -> bytes:
    """Flip, drop or add a few bits and bytes."""
    message = bytearray(rng.choice([honest, another_action, from_newer_sdk])(rng, decision))
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(message)) if message else 0
        kind = rng.random()
        if kind < 0.6 and message:
            message[at] ^= 1 << rng.randrange(8)
        elif kind < 0.8:
            message.insert(at, rng.randrange(256))
        elif message:
            del message[at]
    return bytes(message)


def spliced(rng: random.Random, decision: Decision) -> bytes:
    """Put the beginning of one message before the end of another."""
    head, tail = honest(rng, decision), another_action(rng, decision)
    return head[: rng.randint(0, len(head))] + tail[rng.randint(0, len(tail)) :]


def wires_changed(rng: random.Random, decision: Decision) -> bytes:
    """Write a known field with the wire type of another."""
    action = rng.choice(decision.legal_actions).SerializeToString()
    wrong = rng.choice(
        [
            bytes_field(1, b"1") + bytes_field(2, action),
            number_field(1, decision.decision_id) + number_field(2, 7),
            number_field(1, decision.decision_id) + varint(2 << 3 | 5) + bytes(4),
            number_field(1, decision.decision_id) + bytes_field(2, number_field(3, 1)),
        ]
    )
    return bytes_field(2, wrong)


def any_bytes(rng: random.Random, decision: Decision) -> bytes:  # noqa: ARG001 - as the others
    """Say anything at all."""
    return rng.randbytes(rng.choice([0, 1, 2, 8, 64, rng.randint(0, 2000)]))


def oversized(rng: random.Random, decision: Decision) -> bytes:
    """Come close to the most bytes of a message, from either side."""
    good = honest(rng, decision)
    room = OVERSIZED - len(good) - 6  # the field's own tag and length, of 2 and 3 bytes
    return good + bytes_field(100, bytes(room + rng.randint(-3, 3)))


def greeting_again(rng: random.Random, decision: Decision) -> bytes:
    """Greet in the middle of a game, by itself or in one message with an answer."""
    hello = PlayRequest(hello=Hello(token="a guess", api_version="1.0.0")).SerializeToString()
    return rng.choice([hello, hello + honest(rng, decision), honest(rng, decision) + hello])


MUTATIONS: Sequence[tuple[Mutation, int]] = (
    (from_newer_sdk, 120),
    (strangely_encoded, 120),
    (honest, 60),
    (another_action, 30),
    (another_decision, 15),
    (said_twice, 30),
    (nested, 15),
    (truncated, 15),
    (bits_changed, 40),
    (spliced, 20),
    (wires_changed, 10),
    (any_bytes, 15),
    (greeting_again, 6),
    (oversized, 1),
)
"""With weights; in the middle of them an answer that may stand is about seven times as likely."""


def mutate(rng: random.Random, decision: Decision) -> tuple[str, bytes]:
    """Return a message, and what was done to it."""
    if rng.randrange(10) < HONEST:
        return honest.__name__, honest(rng, decision)
    mutations = [mutation for mutation, _ in MUTATIONS]
    weights = [weight for _, weight in MUTATIONS]
    (mutation,) = rng.choices(mutations, weights)
    return mutation.__name__, mutation(rng, decision)


def any_action(rng: random.Random) -> action_pb2.Action:
    """Return an action with any numbers in it."""

    def number() -> int:
        return rng.choice([rng.randint(0, 40), rng.choice(ODD_NUMBERS) & 0xFFFF_FFFF])

    kind = rng.choice(action_pb2.Action.DESCRIPTOR.fields)
    action = action_pb2.Action()
    body = getattr(action, kind.name)
    body.SetInParent()
    for field in body.DESCRIPTOR.fields:
        if field.is_repeated:
            getattr(body, field.name).extend(number() for _ in range(rng.randint(0, 4)))
        elif field.enum_type is not None:
            setattr(body, field.name, rng.choice([0, 1, 8, 9, 10, 77, 2**31 - 1, -1]))
        elif rng.random() < 0.8:
            setattr(body, field.name, number())
    return action


def unknown(rng: random.Random) -> bytes:
    """Return no field, or one that no reader knows."""
    number = rng.choice(UNKNOWN_FIELDS)
    return rng.choice(
        [
            b"",
            number_field(number, rng.choice(ODD_NUMBERS)),
            bytes_field(number, rng.randbytes(rng.randint(0, 40))),
            varint(number << 3 | 1) + rng.randbytes(8),
            varint(number << 3 | 5) + rng.randbytes(4),
            varint(number << 3 | GROUP) + number_field(7, 7) + varint(number << 3 | END_GROUP),
        ]
    )


def number_field(number: int, value: int) -> bytes:
    """Return a field with a number."""
    return varint(number << 3 | VARINT) + varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """Return a field with bytes, which may be a message."""
    return varint(number << 3 | LENGTH) + varint(len(value)) + value


def varint(value: int, least: int = 1) -> bytes:
    """Return a number in so many bytes at least."""
    out = bytearray()
    while value >= 0x80 or len(out) + 1 < least:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
