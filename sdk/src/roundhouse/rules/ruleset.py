"""What a game is played by: one value that holds all that editions and variants differ in."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from roundhouse.rules.board import Board, Ticket, load_board, load_tickets
from roundhouse.rules.cards import CardCounts
from roundhouse.rules.errors import ErrorCode, RulesError


class OpeningRejects(StrEnum):
    """Say where the tickets go that the seats reject at the opening."""

    SEAT_ORDER = "seat order"
    """Under the deck, seat by seat, each in the seat's own order."""
    SHUFFLED = "shuffled"
    """Shuffled together, then under the deck."""


class FaceUpLocomotive(StrEnum):
    """Say what taking a face-up locomotive as the first card means (R-04)."""

    ENDS_TURN = "ends the turn"
    BLIND_SECOND = "a second card may be drawn, blind only"
    """R-23."""
    ORDINARY = "counts as one of two draws"
    """V-2 `relaxed_locomotives`."""


class TieBreak(StrEnum):
    """Name what decides between equal totals; after the last one the placement is shared (R-20)."""

    TICKETS_COMPLETED = "tickets completed"
    LONGEST_PATH = "longest-path bonus"
    ROUTES_CLAIMED = "routes claimed"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """State the rules of one game: the edition table, and the variants V-1 to V-8.

    `quick` (V-5) and `long` (V-6) need no field: they are `trains` and `final_round_trains`.
    A value with a field that this version does not play yet is refused by `start_game`.
    """

    edition: str
    board: Board
    tickets: tuple[Ticket, ...]
    opening_offer: int = 3
    opening_keep: int = 2
    opening_rejects: OpeningRejects = OpeningRejects.SEAT_ORDER
    later_offer: int = 3
    later_keep: int = 1
    face_up_locomotive: FaceUpLocomotive = FaceUpLocomotive.ENDS_TURN
    tie_breaks: tuple[TieBreak, ...] = (TieBreak.TICKETS_COMPLETED, TieBreak.LONGEST_PATH)
    longest_path_bonus: int = 10
    most_tickets_bonus: int = 0
    min_seats: int = 2
    max_seats: int = 5
    card_counts: CardCounts = (12, 12, 12, 12, 12, 12, 12, 12, 14)
    opening_hand: int = 4
    trains: int = 45
    final_round_trains: int = 2
    open_tickets: bool = False
    unfinished_tickets_score_zero: bool = False
    ticket_market: bool = False
    route_protection: bool = False
    opening_exchange: bool = False
    teams: bool = False
    shared_network: bool = False
    solo: bool = False

    def __hash__(self) -> int:
        return hash(self.edition)  # the other fields decide equality; hashing 130 values is slow

    @property
    def variants(self) -> tuple[str, ...]:
        """Name the variants in force, in alphabetical order."""
        flags = [name for name in _VARIANT_FLAGS if getattr(self, name)]
        if self.face_up_locomotive is FaceUpLocomotive.ORDINARY:
            flags.append("relaxed_locomotives")
        return tuple(sorted(flags))

    def require_supported(self) -> None:
        """Raise `RulesError` (UNSUPPORTED_RULES) unless this version plays by exactly these rules.

        Playing something near to them instead would be a wrong game, and nobody would notice.
        """
        for name, only in _SUPPORTED.items():
            value = getattr(self, name)
            if value != only:
                raise RulesError(
                    ErrorCode.UNSUPPORTED_RULES,
                    f"This version does not play {name} = {_show(value)} "
                    f"(edition {self.edition}); it plays {_show(only)} only.",
                )

    def require_seats(self, seats: int) -> None:
        """Raise `RulesError` (BAD_SET_UP) unless that many seats can play."""
        if not self.min_seats <= seats <= self.max_seats:
            raise RulesError(
                ErrorCode.BAD_SET_UP,
                f"The edition {self.edition} is for {self.min_seats} to {self.max_seats} players, "
                f"not {seats}.",
            )


_SUPPORTED: Mapping[str, object] = MappingProxyType(
    {
        "opening_rejects": OpeningRejects.SEAT_ORDER,
        "face_up_locomotive": FaceUpLocomotive.ENDS_TURN,
        "most_tickets_bonus": 0,
        "open_tickets": False,
        "unfinished_tickets_score_zero": False,
        "ticket_market": False,
        "route_protection": False,
        "opening_exchange": False,
        "teams": False,
        "shared_network": False,
        "solo": False,
    }
)

_VARIANT_FLAGS = tuple(field.name for field in fields(RuleSet) if field.type in {bool, "bool"})


def _show(value: object) -> str:
    return str(value) if isinstance(value, StrEnum) else repr(value)


def _classic() -> RuleSet:
    return RuleSet("classic", load_board("usa"), load_tickets("usa", "classic"))


def _tiny() -> RuleSet:
    return RuleSet(
        "tiny",
        load_board("tiny"),
        load_tickets("tiny", "tiny"),
        opening_offer=2,
        opening_keep=1,
        later_offer=2,
        max_seats=3,
        card_counts=(4, 4, 4, 4, 4, 4, 4, 4, 5),
        trains=10,
    )


EDITIONS: tuple[str, ...] = ("classic", "tiny")
"""The editions that this version plays. `tiny`, on a board of six cities, is for teaching."""

KNOWN_EDITIONS: tuple[str, ...] = ("refresh-2025", "family-3", "usa-1910", "mega", "big-cities")
"""Editions that exist, but that this version refuses."""

_MAKERS = MappingProxyType({"classic": _classic, "tiny": _tiny})


@cache
def edition(name: str) -> RuleSet:
    """Return the rules of an edition; the same value every time.

    >>> edition("classic").opening_keep
    2
    """
    if name in _MAKERS:
        return _MAKERS[name]()
    if name in KNOWN_EDITIONS:
        raise RulesError(
            ErrorCode.UNSUPPORTED_RULES,
            f"The edition {name} is not played by this version; it plays {', '.join(EDITIONS)}.",
        )
    raise RulesError(
        ErrorCode.UNKNOWN_EDITION,
        f"There is no edition {name!r}; the editions are {', '.join(EDITIONS)}.",
    )
