"""The canonical encoding of a state, for its digest. `docs/notation.md` specifies it.

Every number is written as two bytes, the most significant first, and -1 (nobody, nothing) as 65535;
every list is written as its length and its items. The name of the rules and the seed come first.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import pack
from typing import TYPE_CHECKING

from roundhouse.rules.ruleset import OpeningRejects

if TYPE_CHECKING:
    from roundhouse.rules.state import State

FORMAT = b"roundhouse state 1\n"
"""What every encoding begins with. The number changes with the format."""

NOTHING = 0xFFFF
"""How -1 and None are written."""


def digest_of(state: "State") -> bytes:
    """Return SHA-256 of the encoding."""
    return sha256(encode_state(state)).digest()


def encode_state(state: "State") -> bytes:
    """Return the encoding: equal bytes mean equal states."""
    numbers: list[int] = [
        state.seats,
        state.phase,
        state.turn_seat,
        state.turn_number,
        state.passes,
        state.final_seat,
        state.shuffles,
        state.leaving,
    ]

    def add(items: Sequence[int]) -> None:
        numbers.append(len(items))
        numbers.extend(items)

    for hand in state.hands:
        add(hand)
    add(state.known)
    add(state.blind)
    add(state.pool)
    add(state.deck[::-1])  # the top first, as the ticket deck
    add(state.discard)
    add(state.display)
    add(state.ticket_deck)
    add(state.returned_by)
    for seat in range(state.seats):
        add(state.tickets[seat])
        add(state.offers[seat])
        answer = state.answers[seat]
        add(() if answer is None else answer.keep)
        add(() if answer is None else answer.give_back)
    add(state.trains)
    add(state.points)
    add([NOTHING if owner is None else owner for owner in state.owners])
    add(state.forfeits)
    # What only some rules need comes last, so that the others' encoding does not know of it.
    rules = state.rules
    if rules.opening_rejects is OpeningRejects.SHUFFLED:
        add(state.mixed)
    if rules.ticket_market:
        add(state.market)
        add(state.shown)
    if rules.route_protection:
        add(state.turns)
    # `open_routes` follows from the owners, and `tables` from the rules.
    words = [NOTHING if number < 0 else number for number in numbers]
    identity = rules.identity.encode()
    return b"".join(
        (FORMAT, bytes((len(identity),)), identity, state.seed, pack(f">{len(words)}H", *words))
    )
