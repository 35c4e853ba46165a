"""Actions and events as plain JSON values that name cards, cities and tickets in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, assert_never

from roundhouse.rules import (
    Action,
    Card,
    CardCounts,
    CardDiscarded,
    CardDrawn,
    CardsDealt,
    CardTaken,
    ChooseTicket,
    ClaimRoute,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    DrawCard,
    DrawTickets,
    Event,
    ExchangeTicket,
    FinalRound,
    GameEnded,
    KeepTickets,
    MarketFilled,
    Pass,
    RouteClaimed,
    RuleSet,
    SeatForfeited,
    Standing,
    TakeCard,
    TicketChosen,
    TicketExchanged,
    TicketsKept,
    TicketsOffered,
    TicketsShown,
    TurnPassed,
)

Json: TypeAlias = dict[str, object]


class Naming:
    """Name what a game by certain rules is made of.

    All methods raise `LookupError` or `RulesError` for a route or ticket that these rules do not
    have.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._board = rules.board
        self._has_teams = rules.teams
        self._tickets = {ticket.id: ticket for ticket in rules.tickets}

    def route(self, route_id: int) -> Json:
        """Name a route by its two cities and its lane."""
        route = self._board.route(route_id)
        return {
            "id": route.id,
            "city_a": route.city_a,
            "city_b": route.city_b,
            "lane": route.lane,
            "length": route.length,
            "colour": card_word(route.colour),
        }

    def ticket(self, ticket_id: int) -> Json:
        """Name a ticket by its two cities and its value."""
        ticket = self._tickets[ticket_id]
        return {
            "id": ticket.id,
            "city_a": ticket.city_a,
            "city_b": ticket.city_b,
            "value": ticket.value,
        }

    def hidden_ticket(self, ticket_id: int | None) -> Json | None:
        """Name a ticket; None stands for a hidden one, or for none."""
        return None if ticket_id is None else self.ticket(ticket_id)

    def tickets(self, ticket_ids: Iterable[int] | None) -> list[Json] | None:
        """Name tickets; None stands for hidden ones."""
        return None if ticket_ids is None else [self.ticket(number) for number in ticket_ids]

    def standing(self, standing: Standing) -> Json:
        """State how a seat ended, with the parts of its score."""
        return {
            "seat": standing.seat,
            "placement": standing.placement,
            "total": standing.total,
            "route_points": standing.route_points,
            "ticket_points": standing.ticket_points,
            "longest_path_bonus": standing.longest_bonus,
            "tickets_bonus": standing.tickets_bonus,
            "team_total": standing.team_total if self._has_teams else None,
            "longest_path": standing.longest_path,
            "tickets_completed": standing.tickets_completed,
            "tickets_failed": standing.tickets_failed,
            "routes_claimed": standing.routes_claimed,
            "trains_left": standing.trains_left,
            "forfeited": standing.forfeited,
            "tickets": self.tickets(standing.tickets),
        }

    def action(self, action: Action) -> Json:  # noqa: PLR0911 - one case a kind
        """Describe an action; `action` is its kind."""
        match action:
            case TakeCard(slot):
                return {"action": "take_card", "slot": slot}
            case DrawCard():
                return {"action": "draw_card"}
            case DrawTickets():
                return {"action": "draw_tickets"}
            case KeepTickets(keep, give_back):
                return {
                    "action": "keep_tickets",
                    "keep": self.tickets(keep),
                    "give_back": self.tickets(give_back),
                }
            case ClaimRoute(route_id, colour, locomotives):
                return {
                    "action": "claim_route",
                    "route": self.route(route_id),
                    "colour": card_word(colour),
                    "locomotives": locomotives,
                }
            case Pass():
                return {"action": "pass"}
            case ChooseTicket(slot_or_deck):
                return {"action": "choose_ticket", "slot": slot_or_deck}
            case ExchangeTicket(ticket_id):
                return {"action": "exchange_ticket", "ticket": self.hidden_ticket(ticket_id)}
            case _:
                assert_never(action)

    def event(self, event: Event) -> Json:  # noqa: C901, PLR0911, PLR0912 - one case a kind
        """Describe an event; `event` is its kind; `seat` is None where the table itself acts."""
        match event:
            case DeckShuffled() | DisplayFilled() | DisplayCleared() | GameEnded():
                return self._event_of_table(event)
            case MarketFilled() | CardDiscarded():
                return self._event_of_variant(event)
            case TicketsShown(seat, shown):
                return _event("tickets_shown", seat, tickets=self.tickets(shown))
            case TicketChosen(seat, place, ticket):
                return _event("ticket_chosen", seat, slot=place, ticket=self.hidden_ticket(ticket))
            case TicketExchanged(seat, given_back, taken):
                return _event(
                    "ticket_exchanged",
                    seat,
                    given_back=self.hidden_ticket(given_back),
                    taken=self.hidden_ticket(taken),
                )
            case TicketsOffered(seat, tickets, count):
                named = self.tickets(tickets)
                return _event("tickets_offered", seat, tickets=named, count=count)
            case TicketsKept():
                return _event(
                    "tickets_kept",
                    event.seat,
                    kept=self.tickets(event.kept),
                    given_back=self.tickets(event.given_back),
                    kept_count=event.kept_count,
                    given_back_count=event.given_back_count,
                )
            case RouteClaimed(seat, route_id, payment, points):
                route, paid = self.route(route_id), count_words(payment)
                return _event("route_claimed", seat, route=route, payment=paid, points=points)
            case CardsDealt(seat, cards, count):
                words = None if cards is None else card_words(cards)
                return _event("cards_dealt", seat, cards=words, count=count)
            case CardTaken(seat, slot, card):
                return _event("card_taken", seat, slot=slot, card=card.word)
            case CardDrawn(seat, hidden):
                return _event("card_drawn", seat, card=card_word(hidden))
            case TurnPassed(seat):
                return _event("turn_passed", seat)
            case FinalRound(seat):
                return _event("final_round", seat)
            case SeatForfeited(seat):
                return _event("seat_forfeited", seat)
            case _:
                assert_never(event)

    def _event_of_table(
        self, event: DeckShuffled | DisplayFilled | DisplayCleared | GameEnded
    ) -> Json:
        match event:
            case DeckShuffled(count, cards):
                return _event("deck_shuffled", None, count=count, cards=cards)
            case DisplayFilled(slot, card):
                return _event("display_filled", None, slot=slot, card=card.word)
            case DisplayCleared(counts):
                return _event("display_cleared", None, cards=count_words(counts))
            case GameEnded(standings, hands):
                return _event(
                    "game_ended",
                    None,
                    standings=[self.standing(standing) for standing in standings],
                    hands=[count_words(hand) for hand in hands],
                )
            case _:
                assert_never(event)

    def _event_of_variant(self, event: MarketFilled | CardDiscarded) -> Json:
        match event:
            case MarketFilled(slot, ticket):
                return _event("market_filled", None, slot=slot, ticket=self.ticket(ticket))
            case CardDiscarded(slot, card):
                return _event("card_discarded", None, slot=slot, card=card.word)
            case _:
                assert_never(event)


def card_word(card: Card | None) -> str | None:
    """Name a card; None stands for no card, a hidden one, or gray."""
    return None if card is None else card.word


def card_words(cards: Sequence[Card]) -> list[str]:
    """Name cards in order."""
    return [card.word for card in cards]


def count_words(counts: CardCounts) -> Mapping[str, int]:
    """Count cards by name; kinds without a card are left out."""
    return {card.word: counts[card] for card in Card if counts[card]}


def _event(kind: str, seat: int | None, **parts: object) -> Json:
    return {"event": kind, "seat": seat, **parts}
