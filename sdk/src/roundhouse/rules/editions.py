"""The editions, one row of a table each, and `edition`, which makes their rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from roundhouse.rules.board import load_board, load_tickets
from roundhouse.rules.errors import ErrorCode, RulesError
from roundhouse.rules.ruleset import FaceUpLocomotive, OpeningRejects, RuleSet, TieBreak
from roundhouse.rules.variants import apply_variants


@dataclass(frozen=True, slots=True)
class _Edition:
    """One row: the map, the ticket deck, and what differs from the fields' defaults, `classic`.

    `only` picks tickets out of the deck's file, by a column and its value.
    """

    meaning: str
    board: str
    deck: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    only: tuple[str, str] | None = None
    notice: str = ""

    def rules(self, name: str) -> RuleSet:
        """Return the rules of this row, without variants."""
        return RuleSet(
            name,
            load_board(self.board),
            load_tickets(self.board, self.deck, self.only),
            notice=self.notice,
            **self.changes,
        )


_TABLE: Mapping[str, _Edition] = MappingProxyType(
    {
        "classic": _Edition("the USA box, with 30 tickets", "usa", "classic"),
        "refresh-2025": _Edition(
            "the USA box of 2025, with 33 tickets",
            "usa",
            "2025",
            {
                "opening_offer": 4,
                "opening_keep": 2,
                "opening_rejects": OpeningRejects.SHUFFLED,
            },
            notice="Three of the 33 tickets are stand-ins, since no public source names the new "
            "ones: Las Vegas to Miami (21), Omaha to New Orleans (8) and Washington to Atlanta "
            "(4). Load the tickets of your own box from a CSV file: roundhouse play --tickets FILE "
            "(columns city_a, city_b, value).",
        ),
        "family-3": _Edition(
            "a looser text that circulates and is played",
            "usa",
            "classic",
            {
                "opening_keep": 1,
                "face_up_locomotive": FaceUpLocomotive.BLIND_SECOND,
                "tie_breaks": (
                    TieBreak.TICKETS_COMPLETED,
                    TieBreak.LONGEST_PATH,
                    TieBreak.ROUTES_CLAIMED,
                ),
            },
        ),
        "usa-1910": _Edition(
            "USA 1910: its 35 new tickets, and a bonus for most of them",
            "usa",
            "1910",
            {
                "longest_path_bonus": 0,
                "most_tickets_bonus": 15,
                "tie_breaks": (TieBreak.TICKETS_COMPLETED,),
            },
            only=("set", "1910_new"),
        ),
        "mega": _Edition(
            "USA 1910: all 69 tickets, and both bonuses",
            "usa",
            "1910",
            {
                "opening_offer": 5,
                "opening_keep": 3,
                "later_offer": 4,
                "most_tickets_bonus": 15,
            },
        ),
        "big-cities": _Edition(
            "USA 1910: the 35 tickets between big cities, and no bonus",
            "usa",
            "1910",
            {
                "opening_offer": 4,
                "opening_keep": 2,
                "later_offer": 4,
                "longest_path_bonus": 0,
                "tie_breaks": (TieBreak.TICKETS_COMPLETED,),
            },
            only=("big_cities", "1"),
        ),
        "tiny": _Edition(
            "a board of six cities, for teaching and tests",
            "tiny",
            "tiny",
            {
                "opening_offer": 2,
                "opening_keep": 1,
                "later_offer": 2,
                "max_seats": 3,
                "card_counts": (4, 4, 4, 4, 4, 4, 4, 4, 5),
                "trains": 10,
            },
        ),
    }
)

EDITIONS: tuple[str, ...] = tuple(_TABLE)
"""The editions by name, `classic`, the default, first."""


def edition(name: str, variants: Iterable[str] = ()) -> RuleSet:
    """Return the rules of an edition with variants, in any order; the same value every time.

    Raise `RulesError` when there is no such edition or variant (UNKNOWN_EDITION, UNKNOWN_VARIANT)
    or when they contradict each other (CONTRADICTION).

    >>> edition("classic").opening_keep
    2
    >>> edition("classic", ["quick", "open_tickets"]).label
    'classic+open_tickets+quick'
    """
    return _make(name, tuple(sorted(set(variants))))


def describe_edition(name: str) -> str:
    """Say in a few words what an edition is."""
    return _row(name).meaning


@cache
def _make(name: str, variants: tuple[str, ...]) -> RuleSet:
    rules = _row(name).rules(name)
    return apply_variants(rules, variants) if variants else rules


def _row(name: str) -> _Edition:
    if name not in _TABLE:
        raise RulesError(
            ErrorCode.UNKNOWN_EDITION,
            f"There is no edition {name!r}; the editions are {', '.join(EDITIONS)}.",
        )
    return _TABLE[name]
