"""A page of a listing."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items in order, and where to go on."""

    items: tuple[T, ...]
    next_token: str
    """Pass it to get the next page; empty on the last one."""
