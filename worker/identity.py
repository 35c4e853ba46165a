"""Names and seeds, derived from a tournament's secret seed. `docs/worker.md` specifies them.

Everything is HMAC-SHA-256 under the tournament's seed, so a plan that is made twice names the same
games and deals the same cards, and nobody without the seed can foretell either. No label begins
with another and none is used by `roundhouse.rules.chance`, so no two uses share a message.
"""

from __future__ import annotations

import base64
import hmac

from roundhouse.rules.chance import shuffle

DEAL_LABEL = b"roundhouse deal"
GAME_LABEL = b"roundhouse game"
TABLE_LABEL = b"roundhouse table"
GAME_ID_BYTES = 10
"""80 bits are 16 letters; among a million games two share a name with a chance of 1 in 10**12."""


def deal_seed(seed: bytes, pairing: int, deal: int) -> bytes:
    """Return the seed of a deal, 32 bytes. It is the same in every rotation of the deal."""
    return _derive(seed, DEAL_LABEL, pairing, deal)


def game_id(seed: bytes, pairing: int, deal: int, rotation: int) -> str:
    """Return the name of a game: 16 letters and digits, safe in URLs and file names."""
    digest = _derive(seed, GAME_LABEL, pairing, deal, rotation)
    return base64.b32encode(digest[:GAME_ID_BYTES]).decode("ascii").lower()


def chunk_id(tournament_id: str, pairing: int, rotation: int, chunk: int) -> str:
    """Return the name of a chunk of a lane.

    >>> chunk_id("t-ab12cd", 3, 1, 0)
    't-ab12cd-p003-r1-c0'
    """
    return f"{tournament_id}-p{pairing:03d}-r{rotation}-c{chunk}"


def seat_table(seed: bytes, pairing: int, table: tuple[str, ...]) -> tuple[str, ...]:
    """Return the table in the seat order of rotation 0.

    The order is drawn and not, say, alphabetical, because rotation alone keeps everybody's left
    neighbour: without a draw the same bot would move right after the same other at every table.
    """
    return tuple(shuffle(seed, TABLE_LABEL, pairing, table))


def _derive(seed: bytes, label: bytes, *numbers: int) -> bytes:
    message = label + b"".join(number.to_bytes(4, "big") for number in numbers)
    return hmac.digest(seed, message, "sha256")
