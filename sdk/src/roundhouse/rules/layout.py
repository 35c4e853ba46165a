"""What a state is made of. `State` adds what is done with it."""

from roundhouse.rules.actions import KeepTickets
from roundhouse.rules.phase import Phase
from roundhouse.rules.ruleset import RuleSet
from roundhouse.rules.tables import Tables


class Layout:
    """Lay out the attributes of a state for speed.

    They are read by the modules of this package; nobody else should write them.

    ============== ============================================================================
    `deck`         cards from the bottom to the top: the end of a list is cheap to take
    `discard`      counts by card: the order of the pile decides nothing
    `pool`         counts of the deck at its last shuffle, less what was revealed from it since
    `blind`        [seat * 9 + card] drawn blind since the last shuffle
    `known`        [seat * 9 + card] everybody knows to be in the hand
    `display`      five cards, -1 in an empty slot
    `ticket_deck`  ticket ids from the top to the bottom
    `returned_by`  by ticket id: the seat that gave it back and so knows where it lies, or -1;
                   as many as there are seats when all of them know (V-1, V-5)
    `tickets`      by seat: ids kept
    `offers`       by seat: ids offered and not settled
    `answers`      by seat: the opening answer that waits for the others (R-02)
    `leaving`      seats, as bits, whose forfeit waits for the others in the opening
    `owners`       by route id: the seat, or None
    `open_routes`  [seat * groups + group] the routes of a group of payments that R-13 leaves open
                   to the seat, as bits: small numbers, which are looked up as they are
    `forfeits`     by seat: 0, or the order of leaving from 1
    `final_seat`   the seat that triggered the final round, or -1
    `passes`       forced passes in a row
    `market`       V-3: tickets face up, -1 in an empty slot; empty without a market
    `shown`        V-3: tickets of the pending offer that were taken from the market
    `mixed`        where shuffled rejects lie in the ticket deck: first place, place after the last
    `turns`        V-4: turns finished, by seat; empty where nobody counts them
    ============== ============================================================================
    """

    __slots__ = (
        "answers",
        "blind",
        "deck",
        "discard",
        "display",
        "final_seat",
        "forfeits",
        "hands",
        "known",
        "leaving",
        "market",
        "mixed",
        "offers",
        "open_routes",
        "owners",
        "passes",
        "phase",
        "points",
        "pool",
        "returned_by",
        "rules",
        "seats",
        "seed",
        "shown",
        "shuffles",
        "tables",
        "ticket_deck",
        "tickets",
        "trains",
        "turn_number",
        "turn_seat",
        "turns",
    )

    rules: RuleSet
    tables: Tables
    seats: int
    seed: bytes
    phase: Phase
    turn_seat: int
    turn_number: int
    passes: int
    final_seat: int
    shuffles: int
    leaving: int
    hands: list[list[int]]
    known: list[int]
    blind: list[int]
    pool: list[int]
    deck: list[int]
    discard: list[int]
    display: list[int]
    ticket_deck: list[int]
    returned_by: list[int]
    tickets: list[tuple[int, ...]]
    offers: list[tuple[int, ...]]
    answers: list[KeepTickets | None]
    trains: list[int]
    points: list[int]
    owners: list[int | None]
    open_routes: list[int]
    forfeits: list[int]
    market: tuple[int, ...]
    shown: tuple[int, ...]
    mixed: tuple[int, int]
    turns: tuple[int, ...]
