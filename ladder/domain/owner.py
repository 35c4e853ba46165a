"""Who may see the evidence against a bot: whoever knows the key with which it was submitted."""

import hashlib

from ladder.errors import InvalidError

_SHORTEST_KEY = 16
_LONGEST_KEY = 256


def owner_of(key: str) -> str | None:
    """Return the owner that a key stands for; None for an empty one, which is nobody's.

    An owner is the key's SHA-256, so that who reads the database cannot show the key. A key is long
    and random, unlike a password, and needs no slow hash.

    Raises:
        InvalidError: the key is too short to be a secret, or too long.
    """
    if not key:
        return None
    if not _SHORTEST_KEY <= len(key) <= _LONGEST_KEY:
        raise InvalidError(
            f"An owner key has {_SHORTEST_KEY} to {_LONGEST_KEY} characters, not {len(key)}."
        )
    return hashlib.sha256(key.encode()).hexdigest()
