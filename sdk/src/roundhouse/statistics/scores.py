"""The score of a deal group: one number between 0 and 1, on an even grid."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_UNSEEN = 1e-3
"""Weight of a score that has not occurred (fishtest's). Without it a likelihood ratio would take
what was not seen in a handful of groups for impossible."""


@dataclass(frozen=True, slots=True)
class GroupScores:
    """How often each score of a deal group occurred, from 0 to 1 in even steps.

    With 2 players these are the five counts of the pentanomial model, from two losses to two wins;
    three counts with `games` 1 are losses, draws and wins of single games.

    >>> scores = GroupScores((0, 1, 1, 2, 0), games=2)
    >>> scores.groups, scores.mean
    (4, 0.5625)
    """

    counts: tuple[int, ...]
    games: int
    """Games in one group."""

    @classmethod
    def empty(cls, seats: int) -> "GroupScores":
        """Return the scores of no group yet, for tables of so many seats.

        In each of n games a bot is compared with n-1 others, in half points: 2n(n-1) steps.
        """
        return cls((0,) * (2 * seats * (seats - 1) + 1), seats)

    def with_group(self, points: int) -> "GroupScores":
        """Return these with one group more, in which the bot had so many half points."""
        counts = list(self.counts)
        counts[points] += 1
        return GroupScores(tuple(counts), self.games)

    @property
    def groups(self) -> int:
        """Return the number of groups."""
        return sum(self.counts)

    @property
    def values(self) -> tuple[float, ...]:
        """Return the possible scores."""
        steps = len(self.counts) - 1
        return tuple(number / steps for number in range(steps + 1))

    @property
    def mean(self) -> float:
        """Return the mean score of a group; needs at least one."""
        steps = len(self.counts) - 1
        total = math.fsum(number * count for number, count in enumerate(self.counts))
        return total / (steps * self.groups)

    def weights(self) -> tuple[float, ...]:
        """Return the counts, with a small weight for every score that has not occurred."""
        return tuple(float(count) or _UNSEEN for count in self.counts)


def half_points(placements: Sequence[int], seat: int) -> int:
    """Return the half points of a seat in one game: two for each seat below it, one for a tie.

    Divided by 2(n-1) that is the normalised rank, 1 for the first and 0 for the last of n.

    >>> [half_points((1, 2, 2, 4), seat) for seat in range(4)]
    [6, 3, 3, 0]
    """
    own = placements[seat]
    below = sum(other > own for other in placements)
    return 2 * below + placements.count(own) - 1
