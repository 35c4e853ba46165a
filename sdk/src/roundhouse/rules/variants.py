"""The variants, one row of a table each, and what they make of an edition's rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NoReturn

from roundhouse.rules.errors import ErrorCode, RulesError
from roundhouse.rules.ruleset import FaceUpLocomotive, RuleSet

FULL_TRAINS = 45
"""The trains of a box: what `quick` cuts and `long` plays out."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One row: the ruling, what it means, and the fields of `RuleSet` that it changes.

    `needs` names the variant that it is an option of. `excludes` names what it contradicts; the
    other row need not say so too.
    """

    name: str
    ruling: str
    meaning: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    needs: str = ""
    excludes: tuple[str, ...] = ()


_ROWS: tuple[Variant, ...] = (
    Variant("open_tickets", "V-1", "Kept tickets are public.", {"open_tickets": True}),
    Variant(
        "unfinished_tickets_score_zero",
        "V-1",
        "A ticket that is not completed scores nothing: there is no subtraction.",
        {"unfinished_tickets_score_zero": True},
    ),
    Variant(
        "relaxed_locomotives",
        "V-2",
        "A face-up locomotive counts as one of two draws, first or second.",
        {"face_up_locomotive": FaceUpLocomotive.ORDINARY},
    ),
    Variant(
        "ticket_market",
        "V-3",
        "Three tickets lie face up; an offer is chosen from them and the top of the deck, ticket "
        "by ticket, and the market is refilled after the action.",
        {"ticket_market": True},
    ),
    Variant(
        "route_protection",
        "V-4",
        "Until every player has finished two turns, nobody may own routes to both neighbours of a "
        "city that has just two.",
        {"route_protection": True},
    ),
    Variant(
        "quick",
        "V-5",
        "30 trains each; the final round begins at 2 or fewer.",
        {"trains": 30, "final_round_trains": 2},
        excludes=("long",),
    ),
    Variant(
        "opening_exchange",
        "V-5",
        "Before the first turn each player in turn may put one kept ticket under the deck and take "
        "the top one.",
        {"opening_exchange": True},
        needs="quick",
    ),
    Variant(
        "long",
        "V-6",
        "45 trains each; the final round begins at 1 or fewer.",
        {"trains": 45, "final_round_trains": 1},
    ),
    Variant(
        "teams",
        "V-7",
        "4 players, seats 0 and 2 against 1 and 3, with hands, trains and turns of their own; the "
        "team's score is the sum, and ranks are by team.",
        {"teams": True, "min_seats": 4, "max_seats": 4},
    ),
    Variant(
        "shared_network",
        "V-7",
        "Partners' routes count together for tickets.",
        {"shared_network": True},
        needs="teams",
    ),
    Variant(
        "solo",
        "V-8",
        "1 player with five tickets, all kept, and no others; after each turn the leftmost card of "
        "the display is discarded; the game ends too when all five are completed.",
        {
            "solo": True,
            "min_seats": 1,
            "max_seats": 1,
            "opening_offer": 5,
            "opening_keep": 5,
            "later_offer": 0,
            "later_keep": 0,
        },
        # There is nobody to show tickets to, to protect routes for or to play with; and all five
        # tickets are kept, and no further ones drawn.
        excludes=("open_tickets", "opening_exchange", "route_protection", "teams", "ticket_market"),
    ),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({row.name: row for row in _ROWS})
"""The variants by name."""


def apply_variants(rules: RuleSet, names: Sequence[str]) -> RuleSet:
    """Return the rules with these variants in force, which are in alphabetical order.

    Raise `RulesError` when there is no such variant (UNKNOWN_VARIANT), or when they contradict each
    other or the edition (CONTRADICTION).
    """
    for name in names:
        if name not in VARIANTS:
            raise RulesError(
                ErrorCode.UNKNOWN_VARIANT,
                f"There is no variant {name!r}; the variants are {', '.join(VARIANTS)}.",
            )
    rows = [VARIANTS[name] for name in names]
    for row in rows:
        _check(rules, row, names)
    changes = {key: value for row in rows for key, value in row.changes.items()}
    return replace(rules, variants=tuple(names), **changes)


def _check(rules: RuleSet, row: Variant, names: Sequence[str]) -> None:
    if row.needs and row.needs not in names:
        _refuse(f"The variant {row.name} is an option of {row.needs}; name both.")
    for other in row.excludes:
        if other in names:
            _refuse(f"The variants {row.name} and {other} contradict each other ({row.ruling}).")
    if "trains" in row.changes and rules.trains != FULL_TRAINS:
        _refuse(
            f"The variant {row.name} is for {FULL_TRAINS} trains ({row.ruling}); the edition "
            f"{rules.edition} has {rules.trains}."
        )
    seats = row.changes.get("min_seats", rules.max_seats)
    if seats > rules.max_seats:
        _refuse(
            f"The variant {row.name} is for {seats} players ({row.ruling}); the edition "
            f"{rules.edition} is for {rules.max_seats} at most."
        )


def _refuse(sentence: str) -> NoReturn:
    raise RulesError(ErrorCode.CONTRADICTION, sentence)
