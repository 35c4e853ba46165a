"""What lies on the table at one moment of a replay."""

from dataclasses import dataclass, field

from roundhouse.rules import Card


@dataclass(frozen=True, slots=True)
class PlayerFrame:
    """What one seat holds. `tickets` and `offer` are ticket numbers."""

    hand: tuple[int, ...]
    trains: int
    points: int = 0
    tickets: tuple[int, ...] = ()
    offer: tuple[int, ...] = ()
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after one event.

    `turn` is the number of the log entry that caused the event, 0 at set-up; `seat` is the seat
    that the event is about. `owners` maps the numbers of claimed routes to seats. `market` holds
    the numbers of the tickets that lie face up, None in an empty slot, and is empty without a
    market. After `GameEnded` the points are the final totals.
    """

    caption: str
    turn: int
    seat: int | None
    display: tuple[Card | None, ...]
    deck: int
    discard: tuple[int, ...]
    ticket_deck: int
    players: tuple[PlayerFrame, ...]
    owners: dict[int, int] = field(default_factory=dict)
    fresh_route: int | None = None
    market: tuple[int | None, ...] = ()
