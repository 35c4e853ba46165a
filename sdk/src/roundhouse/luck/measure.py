"""The luck of a game: its margin, and the margin with the draws taken out."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundhouse.api.game.v1 import log_pb2
from roundhouse.codec import decode_event, decode_rules
from roundhouse.errors import LogError, ProtocolError
from roundhouse.luck.draws import Draws, Term
from roundhouse.luck.weights import FIXED, Weights
from roundhouse.rules import RulesError

_CARDS = (Term.LOCOMOTIVES, Term.MATCHES, Term.NEEDED)
_DISPLAY = (Term.SHOWN_LOCOMOTIVES, Term.SHOWN_MATCHES, Term.SHOWN_NEEDED)
_TICKETS = (Term.OPENING, Term.OFFERS)


@dataclass(frozen=True, slots=True)
class SeatLuck:
    """What chance gave to a seat, in points, beside what it made of the game."""

    seat: int
    margin: float
    """Its score less the mean of the others'."""
    cards: float
    """Luck in cards dealt and drawn blind."""
    display: float
    """Luck in what was revealed when the seat was to choose: 0 under the fixed weights."""
    tickets: float
    """Luck in the tickets that it was offered: 0 under the fixed weights."""
    others: float
    """The mean of the others' luck."""

    @property
    def luck(self) -> float:
        """Return by how much chance moved the margin."""
        return self.cards + self.display + self.tickets - self.others

    @property
    def adjusted_margin(self) -> float:
        """Return the margin less the luck: the same on average, and less variable."""
        return self.margin - self.luck


def measure_luck(
    log: log_pb2.GameLog, weights: Sequence[Weights] | None = None
) -> tuple[SeatLuck, ...] | None:
    """Measure the luck of each seat of a game; None where that is not defined.

    `weights` has one for each seat; without it the fixed ones serve all.

    It is not defined under variants of the rules, some of which draw otherwise, nor for a game that
    has no standings yet or has one seat.

    Raises:
        LogError: the log draws what cannot be drawn, or names what its board has not.
    """
    totals = [standing.total for standing in log.standings]
    if log.rules.variants or len(totals) != len(log.seats) or len(totals) < 2:
        return None
    chosen = weights or [FIXED] * len(totals)
    terms = list(zip(chosen, sum_terms(log), strict=True))
    cards, display, tickets = (
        [sum(weight[term] * one[term] for term in kind) for weight, one in terms]
        for kind in (_CARDS, _DISPLAY, _TICKETS)
    )
    sums = [sum(parts) for parts in zip(cards, display, tickets, strict=True)]
    others = len(totals) - 1
    return tuple(
        SeatLuck(
            seat=seat,
            margin=total - (sum(totals) - total) / others,
            cards=cards[seat],
            display=display[seat],
            tickets=tickets[seat],
            others=(sum(sums) - sums[seat]) / others,
        )
        for seat, total in enumerate(totals)
    )


def sum_terms(log: log_pb2.GameLog) -> list[list[float]]:
    """Return the terms of each seat, by `Term`, summed over the game.

    Raises:
        LogError: the log draws what cannot be drawn, or names what its board has not.
    """
    try:
        draws = Draws(decode_rules(log.rules), len(log.seats))
        for events in (log.set_up, *(entry.events for entry in log.entries)):
            for message in events:
                event = decode_event(message)
                if event is not None:
                    draws.follow(event)
    except (ProtocolError, RulesError, LookupError, ZeroDivisionError) as error:
        raise LogError(f"The luck of game {log.game_id} cannot be measured: {error}") from error
    return draws.terms
