"""What a game is played by: one value that holds all that editions and variants differ in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256

from roundhouse.rules.board import Board, Ticket
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
    BLIND_SECOND = "a second card must be drawn, blind only"
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
    """State the rules of one game. `edition` makes one; every edition and variant is such a value.

    `variants` names the variants in force, in alphabetical order; what they change is in the other
    fields. `notice` is what a player must be told where the edition is offered.
    """

    edition: str
    board: Board
    tickets: tuple[Ticket, ...]
    variants: tuple[str, ...] = ()
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
    has_own_tickets: bool = False
    notice: str = ""

    def __hash__(self) -> int:
        # The other fields decide equality; hashing 130 values would be slow.
        return hash((self.edition, self.variants))

    @property
    def label(self) -> str:
        """Name edition and variants in one word.

        >>> from roundhouse.rules import edition
        >>> edition("classic").label
        'classic'
        """
        return "+".join((self.edition, *self.variants))

    @property
    def identity(self) -> str:
        """Name the rules so that two that differ have different names, as the digest needs it."""
        if not self.has_own_tickets:
            return self.label
        return f"{self.label}+tickets:{_fingerprint(self.tickets)}"

    def with_tickets(self, tickets: Sequence[Ticket]) -> "RuleSet":
        """Return these rules with the tickets of another box; `load_tickets_csv` reads them.

        Raise `RulesError` (BAD_SET_UP) when numbers repeat, when a ticket does not name two cities
        of the board and a value above zero, or when there are too few for the opening offers.
        """
        own = tuple(sorted(tickets, key=lambda ticket: ticket.id))
        needed = self.opening_offer * self.max_seats
        if len(own) < needed:
            raise RulesError(
                ErrorCode.BAD_SET_UP,
                f"{len(own)} tickets are too few: the opening offers of {self.edition} take "
                f"{needed}.",
            )
        if len({ticket.id for ticket in own}) < len(own):
            raise RulesError(ErrorCode.BAD_SET_UP, "Two tickets have the same number.")
        cities = {city.name for city in self.board.cities}
        for ticket in own:
            named = {ticket.city_a, ticket.city_b}
            is_sound = named <= cities and len(named) == 2
            if not is_sound or not 0 < ticket.id < _LIMIT or not 0 < ticket.value < _LIMIT:
                raise RulesError(
                    ErrorCode.BAD_SET_UP,
                    f"Ticket {ticket.id}, {ticket}, does not name two cities of the board "
                    f"{self.board.name}, with a number and a value of 1 to {_LIMIT - 1}.",
                )
        return replace(self, tickets=own, has_own_tickets=True, notice="")

    def require_supported(self) -> None:
        """Raise `RulesError` (UNSUPPORTED_RULES) unless `variants` names what the fields say.

        Rules that carry the wrong name would be a wrong game, and nobody would notice.
        """
        in_force = [name for name in _FLAGS if getattr(self, name)]
        if self.face_up_locomotive is FaceUpLocomotive.ORDINARY:
            in_force.append("relaxed_locomotives")
        named = [name for name in self.variants if name not in _WITHOUT_FLAG]
        if sorted(in_force) != named:
            raise RulesError(
                ErrorCode.UNSUPPORTED_RULES,
                f"The rules {self.label} name other variants than they play by: "
                f"{', '.join(sorted(in_force)) or 'none'}; `edition` makes them right.",
            )

    def require_seats(self, seats: int) -> None:
        """Raise `RulesError` (BAD_SET_UP) unless that many seats can play."""
        if not self.min_seats <= seats <= self.max_seats:
            least, most = self.min_seats, self.max_seats
            players = f"{least} to {most} players" if least < most else _exactly(least)
            raise RulesError(
                ErrorCode.BAD_SET_UP,
                f"The edition {self.label} is for {players}, not {seats}.",
            )


_LIMIT = 1000  # numbers and values of tickets are below it: three digits, as in the notation
_FLAGS = (
    "open_tickets",
    "unfinished_tickets_score_zero",
    "ticket_market",
    "route_protection",
    "opening_exchange",
    "teams",
    "shared_network",
    "solo",
)
_WITHOUT_FLAG = ("long", "quick")  # V-5 and V-6 are `trains` and `final_round_trains`


def _exactly(seats: int) -> str:
    return "1 player" if seats == 1 else f"{seats} players"


def _fingerprint(tickets: Sequence[Ticket]) -> str:
    """Return 16 hexadecimal digits that tell one deck of tickets from another."""
    lines = "".join(f"{t.id},{t.city_a},{t.city_b},{t.value}\n" for t in tickets)
    return sha256(lines.encode()).hexdigest()[:16]
