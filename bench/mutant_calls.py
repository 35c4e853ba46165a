"""Which functions of the rules a test calls: no other test can notice what breaks them."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import CodeType, FrameType

FOLDER = "/roundhouse/rules/"
ENOUGH = 300_000
"""Calls without a new function after which a test is listened to no longer: a matter of time."""


class Calls:
    """Listen to calls, by the interpreter's hook for profilers.

    `loading` names what was called while modules were loaded.
    """

    def __init__(self) -> None:
        self.loading: set[str] = set()
        self._names: dict[int, str] = {}  # by the id of the code: hashing code is slow
        self._codes: list[CodeType] = []  # they live on, so that no id comes twice
        self._heard: set[int] = set()
        self._quiet = 0

    def listen(self) -> None:
        """Begin."""
        self._quiet = 0
        sys.setprofile(self._hear)

    def take(self, *, is_loading: bool = False) -> set[str]:
        """Stop, and return the names of what was called since the last time."""
        sys.setprofile(None)
        names = {self._names[code] for code in self._heard} - {""}
        self._heard.clear()
        if is_loading:
            self.loading |= names
        return names

    def _hear(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        number = id(frame.f_code)
        if number in self._heard:
            self._quiet += 1
            if self._quiet > ENOUGH:
                sys.setprofile(None)
            return
        self._heard.add(number)
        self._quiet = 0
        if number not in self._names:
            self._names[number] = name_of(frame.f_code)
            self._codes.append(frame.f_code)


def name_of(code: CodeType) -> str:
    """Name a function of the rules with its module; what is defined in it goes by its name."""
    if FOLDER not in code.co_filename:
        return ""
    return f"{PurePath(code.co_filename).stem}:{code.co_qualname.split('.<locals>')[0]}"
