"""A sweep takes what dead referees left, and lets alone what it cannot tell."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from referee.sandbox.cgroup import FILLED_SECONDS, sweep
from referee.sandbox.hierarchy import Hierarchy
from referee.sandbox.owner import Owner

if TYPE_CHECKING:
    from pathlib import Path

THIS = Owner.this()
DEAD = replace(THIS, started=1)
FAR = replace(THIS, pid=2**22 + 1, namespace=7)
"""A referee in another container: its pid means nothing to us."""


@pytest.mark.parametrize(
    ("owner", "age", "is_full", "stays"),
    [
        (THIS, 3600, False, True),
        (DEAD, 0, False, False),
        (FAR, 0, False, True),
        (FAR, FILLED_SECONDS + 60, False, False),
        (FAR, FILLED_SECONDS + 60, True, True),
    ],
)
def test_groups_are_swept_by_what_is_known_of_their_owner(
    tmp_path: Path, owner: Owner, age: float, *, is_full: bool, stays: bool
) -> None:
    hierarchy = Hierarchy(version=2, folders={"memory": tmp_path}, unified=tmp_path)
    group = tmp_path / owner.stamp("x")
    group.mkdir()
    if is_full:  # the kernel refuses to remove a group with processes, as a folder with files
        (group / "process").touch()
    made = group.stat().st_mtime - age
    os.utime(group, (made, made))

    sweep(hierarchy)

    assert group.exists() == stays


def test_other_folders_are_let_alone(tmp_path: Path) -> None:
    (tmp_path / "rh-somebody").mkdir()
    sweep(Hierarchy(version=2, folders={"memory": tmp_path}, unified=tmp_path))
    assert (tmp_path / "rh-somebody").exists()
