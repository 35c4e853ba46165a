"""Where a listing goes on: a token that names the last item shown, so that no page is recounted."""

import base64
import binascii

from ladder.errors import InvalidError

DEFAULT_LIMIT = 50
MAX_LIMIT = 500


def clamp_limit(limit: int) -> int:
    """Return how many items a page has: 0 or less means the default, too many the maximum."""
    return min(limit, MAX_LIMIT) if limit > 0 else DEFAULT_LIMIT


def encode_token(listing: str, position: str) -> str:
    """Name the last item of a page. The result is safe in URLs, and opaque to callers."""
    return base64.urlsafe_b64encode(f"{listing}:{position}".encode()).decode().rstrip("=")


def decode_token(listing: str, token: str) -> str:
    """Return the position in a token of this listing, or "" for the empty token.

    Raises:
        InvalidError: the token is not one of this listing's.
    """
    if not token:
        return ""
    try:
        text = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
    except (binascii.Error, ValueError):
        text = ""
    kind, _, position = text.partition(":")
    if kind != listing or not position:
        raise InvalidError(
            f"{token!r} is not a page token of this listing; pass the one of the page before, "
            "or none for the first page."
        )
    return position


def decode_number(listing: str, token: str) -> int | None:
    """Return the position in a token of a listing that counts, or None for the empty token.

    Raises:
        InvalidError: the token is not one of this listing's.
    """
    position = decode_token(listing, token)
    if not position:
        return None
    if not (position.isascii() and position.isdigit() and len(position) < 19):
        raise InvalidError(f"{token!r} is not a page token of this listing.")
    return int(position)
