"""The house bots, submitted as everybody's are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ladder.errors import LadderError
from roundhouse.cli.folders import HOUSE_BOTS
from roundhouse.package import pack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class HouseBot:
    """One of them, packed for submission."""

    name: str
    archive: bytes


def packed(folder: Path) -> Iterator[HouseBot]:
    """Yield the house bots out of a folder that holds a folder for each.

    Raises:
        LadderError: one is not there.
        PackageError: one can't be packed.
    """
    for name in HOUSE_BOTS:
        if not (folder / name).is_dir():
            raise LadderError(
                f"The house bot {name} is not in {folder}; leave out --examples, or name a folder "
                "that holds the four of them."
            )
        yield HouseBot(name, pack(folder / name))
