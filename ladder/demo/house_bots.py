"""The house bots, submitted as everybody's are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.errors import LadderError
from roundhouse.package import pack

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSE_BOTS = ("random", "greedy", "hoarder", "planner")
CLONE_EXAMPLES = Path(__file__).parents[2] / "sdk" / "examples"


@dataclass(frozen=True, slots=True)
class HouseBot:
    """One of them, packed for submission."""

    name: str
    archive: bytes


def packed(folder: Path) -> Iterator[HouseBot]:
    """Yield the house bots out of a folder that holds a folder for each.

    Raises:
        LadderError: one is not there; the wheels do not carry them.
        PackageError: one can't be packed.
    """
    for name in HOUSE_BOTS:
        if not (folder / name).is_dir():
            raise LadderError(
                f"The house bot {name} is not in {folder}; run the demo from a clone, or say with "
                "--examples where its sdk/examples are."
            )
        yield HouseBot(name, pack(folder / name))
