"""The published answers of fastchess and fishtest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from roundhouse.statistics import GroupScores

FOLDER = Path(__file__).parents[2] / "data" / "ratings"


def load(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return content


def scores_of(counts: list[int]) -> GroupScores:
    """Three counts are single games, five are pairs."""
    return GroupScores(tuple(counts), games=1 if len(counts) == 3 else 2)
