"""What a fit is made from: who was placed where, as arrays, by kind of table."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Results:
    """The games of one kind of table, an edition and a size; it has seat terms of its own."""

    name: str
    """Such as `classic/4`; tables of one name share their seat terms."""
    bots: Ints
    """Games by seats, in seat order: indices from 0 into the bots of the fit."""
    placements: Ints
    """Games by seats: from 1, ties share one. Only their order counts."""
    groups: Ints
    """One for each game: indices from 0 into the deal groups of the fit."""

    def __post_init__(self) -> None:
        if self.bots.ndim != 2 or self.bots.shape[1] < 2:
            raise ValueError(f"Games have at least two seats, not the shape {self.bots.shape}.")
        if self.placements.shape != self.bots.shape or self.groups.shape != self.bots.shape[:1]:
            raise ValueError(
                f"The results of {self.name} do not fit together: bots {self.bots.shape}, "
                f"placements {self.placements.shape}, groups {self.groups.shape}."
            )

    @property
    def games(self) -> int:
        """How many there are."""
        return len(self.bots)

    @property
    def seats(self) -> int:
        """How many a table has."""
        return int(self.bots.shape[1])

    @classmethod
    def of(
        cls,
        name: str,
        bots: npt.ArrayLike,
        placements: npt.ArrayLike,
        groups: npt.ArrayLike | None = None,
    ) -> "Results":
        """Make results of anything that is like an array; without groups, each game is its own."""
        table = np.asarray(bots, dtype=np.int32)
        return cls(
            name,
            table,
            np.asarray(placements, dtype=np.int32),
            np.arange(len(table), dtype=np.int32)
            if groups is None
            else np.asarray(groups, dtype=np.int32),
        )


def count_groups(results: tuple[Results, ...]) -> int:
    """Return how many deal groups the indices speak of."""
    return max((int(table.groups.max()) + 1 for table in results if table.games), default=0)
