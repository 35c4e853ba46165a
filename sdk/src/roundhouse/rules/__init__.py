"""The rules of the game: one engine for the referee and for bots that search.

Pure: no clock, no I/O but the board files, no random source but the seed. Start with `start_game`:

>>> from roundhouse.rules import edition, start_game
>>> state, events = start_game(edition("classic"), seats=2, seed=bytes(32))
>>> state.seats_to_act()
(0, 1)
>>> len(state.legal_actions(0))
4
"""

from roundhouse.rules.action_index import (
    ACTION_COUNT,
    action_count,
    action_from_index,
    action_index,
)
from roundhouse.rules.actions import (
    Action,
    ChooseTicket,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ExchangeTicket,
    KeepTickets,
    Pass,
    TakeCard,
)
from roundhouse.rules.board import (
    BOARD_NAMES,
    Board,
    City,
    Route,
    Ticket,
    load_board,
    load_tickets,
)
from roundhouse.rules.cards import (
    COLOURS,
    NO_CARDS,
    Card,
    CardCounts,
    count_cards,
    describe_cards,
    spread_cards,
)
from roundhouse.rules.chance import SEED_SIZE, commitment, shuffle, stream
from roundhouse.rules.description import (
    Clause,
    describe_rules,
    describe_summary,
    describe_title,
)
from roundhouse.rules.editions import EDITIONS, describe_edition, edition
from roundhouse.rules.errors import ErrorCode, RulesError
from roundhouse.rules.event_notation import format_event, parse_event
from roundhouse.rules.events import (
    CardDiscarded,
    CardDrawn,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    Event,
    FinalRound,
    GameEnded,
    MarketFilled,
    RouteClaimed,
    SeatForfeited,
    TicketChosen,
    TicketExchanged,
    TicketsKept,
    TicketsOffered,
    TicketsShown,
    TurnPassed,
)
from roundhouse.rules.notation import format_action, parse_action
from roundhouse.rules.observation import (
    FinalRoundStatus,
    KnownTicket,
    MixedTickets,
    Observation,
    PublicPlayer,
)
from roundhouse.rules.own_tickets import load_tickets_csv
from roundhouse.rules.phase import Phase
from roundhouse.rules.position import Position
from roundhouse.rules.ruleset import FaceUpLocomotive, OpeningRejects, RuleSet, TieBreak
from roundhouse.rules.scoring import longest_path
from roundhouse.rules.setup import start_game
from roundhouse.rules.standing import Standing
from roundhouse.rules.state import State
from roundhouse.rules.tables import ROUTE_POINTS
from roundhouse.rules.variants import VARIANTS, Variant

__all__ = [
    "ACTION_COUNT",
    "BOARD_NAMES",
    "COLOURS",
    "EDITIONS",
    "NO_CARDS",
    "ROUTE_POINTS",
    "SEED_SIZE",
    "VARIANTS",
    "Action",
    "Board",
    "Card",
    "CardCounts",
    "CardDiscarded",
    "CardDrawn",
    "CardTaken",
    "CardsDealt",
    "ChooseTicket",
    "City",
    "ClaimRoute",
    "Clause",
    "DeckShuffled",
    "DisplayCleared",
    "DisplayFilled",
    "DrawCard",
    "DrawTickets",
    "ErrorCode",
    "Event",
    "ExchangeTicket",
    "FaceUpLocomotive",
    "FinalRound",
    "FinalRoundStatus",
    "GameEnded",
    "KeepTickets",
    "KnownTicket",
    "MarketFilled",
    "MixedTickets",
    "Observation",
    "OpeningRejects",
    "Pass",
    "Phase",
    "Position",
    "PublicPlayer",
    "Route",
    "RouteClaimed",
    "RuleSet",
    "RulesError",
    "SeatForfeited",
    "Standing",
    "State",
    "TakeCard",
    "Ticket",
    "TicketChosen",
    "TicketExchanged",
    "TicketsKept",
    "TicketsOffered",
    "TicketsShown",
    "TieBreak",
    "TurnPassed",
    "Variant",
    "action_count",
    "action_from_index",
    "action_index",
    "commitment",
    "count_cards",
    "describe_cards",
    "describe_edition",
    "describe_rules",
    "describe_summary",
    "describe_title",
    "edition",
    "format_action",
    "format_event",
    "load_board",
    "load_tickets",
    "load_tickets_csv",
    "longest_path",
    "parse_action",
    "parse_event",
    "shuffle",
    "spread_cards",
    "start_game",
    "stream",
]
