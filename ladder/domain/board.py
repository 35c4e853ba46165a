"""The names of boards: what is fitted together, and ranked."""

import re

from ladder.errors import InvalidError

JOINT = "all"
"""All editions and table sizes, with one strength for each bot."""
_BOARD = re.compile(r"(?P<edition>[a-z0-9-]{1,32})/(?P<tables>[2-5]|multi)", re.ASCII)


def require_board(board: str) -> None:
    """Check the name of a board, whether or not it has been fitted.

    Raises:
        InvalidError: it is none.
    """
    if board != JOINT and not _BOARD.fullmatch(board):
        raise InvalidError(
            f"{board!r} is not a board; write EDITION/2 to EDITION/5, EDITION/multi, such as "
            f"classic/multi, or {JOINT}."
        )


def pool_of_board(board: str) -> str | None:
    """Return the pool whose live Elo stands beside a board; None for the joint one.

    >>> pool_of_board("classic/2"), pool_of_board("classic/4"), pool_of_board("all")
    ('classic/2', 'classic/multi', None)
    """
    match = _BOARD.fullmatch(board)
    if match is None:
        return None
    return f"{match['edition']}/{'2' if match['tables'] == '2' else 'multi'}"


def boards_of(edition: str, sizes: set[int]) -> dict[str, tuple[int, ...]]:
    """Return the boards of an edition that has been played at tables of some sizes.

    >>> boards_of("classic", {2, 4})
    {'classic/2': (2,), 'classic/4': (4,), 'classic/multi': (4,)}
    """
    boards: dict[str, tuple[int, ...]] = {f"{edition}/{size}": (size,) for size in sorted(sizes)}
    larger = tuple(sorted(sizes - {2}))
    if larger:
        boards[f"{edition}/multi"] = larger
    return boards
