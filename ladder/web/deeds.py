"""What a deed of one seat makes of the table that a replay shows."""

from dataclasses import replace
from typing import TypeAlias, assert_never

from ladder.web.counts import added, plus, with_slot
from ladder.web.frames import Frame, PlayerFrame
from roundhouse.rules import (
    NO_CARDS,
    Card,
    CardDrawn,
    CardsDealt,
    CardTaken,
    FinalRound,
    RouteClaimed,
    RuleSet,
    SeatForfeited,
    TicketChosen,
    TicketExchanged,
    TicketsKept,
    TicketsOffered,
    TicketsShown,
    TurnPassed,
    describe_cards,
)

SeatEvent: TypeAlias = (
    CardsDealt
    | CardDrawn
    | CardTaken
    | TicketsOffered
    | TicketsKept
    | RouteClaimed
    | TurnPassed
    | FinalRound
    | SeatForfeited
    | TicketsShown
    | TicketChosen
    | TicketExchanged
)
"""An event that is about one seat."""


class Deeds:
    """Turn the events that are about one seat into frames."""

    def __init__(self, rules: RuleSet, bots: tuple[str, ...]) -> None:
        """Take the names of the bots by seat, for the captions."""
        self._rules = rules
        self._bots = bots
        self._tickets = {ticket.id: ticket for ticket in rules.tickets}

    def after(self, frame: Frame, event: SeatEvent) -> Frame:  # noqa: C901 - one case a kind
        """Return the frame after an event that is about one seat."""
        player = frame.players[event.seat]
        match event:
            case CardsDealt(cards=cards):
                return self._drew(frame, event.seat, cards or (), "is dealt")
            case CardDrawn(card=card):
                return self._drew(frame, event.seat, () if card is None else (card,), "draws")
            case CardTaken(slot=slot, card=card):
                frame = replace(frame, display=with_slot(frame.display, slot, None))
                deed, player = (
                    f"takes a face-up {card.word} card",
                    replace(player, hand=plus(player.hand, (card,))),
                )
            case TicketsOffered(tickets=tickets, count=count):
                frame = replace(frame, ticket_deck=frame.ticket_deck - count)
                deed, player = (
                    f"is offered {self.names(tickets)}",
                    replace(player, offer=tickets or ()),
                )
            case TicketsKept(kept=kept, given_back_count=back):
                frame = replace(frame, ticket_deck=frame.ticket_deck + back)
                deed, player = (
                    f"keeps {self.names(kept)}" + (f", gives back {back}" if back else ""),
                    replace(player, tickets=player.tickets + (kept or ()), offer=()),
                )
            case RouteClaimed():
                return self._claimed(frame, event)
            case TicketsShown(tickets=shown):
                deed = f"plays with open tickets: {self.names(shown)}"
            case TicketChosen() | TicketExchanged():
                frame, deed, player = self._changed_ticket(frame, player, event)
            case TurnPassed():
                deed = "can do nothing and passes"
            case FinalRound():
                deed = "has few trains left: everybody has one more turn"
            case SeatForfeited():
                # A pending offer goes under the ticket deck.
                frame = replace(frame, ticket_deck=frame.ticket_deck + len(player.offer))
                deed, player = "forfeits", replace(player, offer=(), forfeited=True)
            case _:
                assert_never(event)
        return self._with_player(frame, event.seat, deed, player)

    def _drew(self, frame: Frame, seat: int, cards: tuple[Card, ...], verb: str) -> Frame:
        player = frame.players[seat]
        return self._with_player(
            replace(frame, deck=frame.deck - len(cards)),
            seat,
            f"{verb} {describe_cards(plus(NO_CARDS, cards))}",
            replace(player, hand=plus(player.hand, cards)),
        )

    def _claimed(self, frame: Frame, event: RouteClaimed) -> Frame:
        player = frame.players[event.seat]
        route = self._rules.board.route(event.route_id)
        moved = replace(
            frame,
            discard=added(frame.discard, event.payment),
            owners=frame.owners | {event.route_id: event.seat},
            fresh_route=event.route_id,
        )
        return self._with_player(
            moved,
            event.seat,
            f"claims {route.city_a} – {route.city_b} with {describe_cards(event.payment)}: "
            f"{event.points} point{'s' if event.points != 1 else ''}",
            replace(
                player,
                hand=tuple(a - b for a, b in zip(player.hand, event.payment, strict=True)),
                trains=player.trains - route.length,
                points=player.points + event.points,
            ),
        )

    def _changed_ticket(
        self, frame: Frame, player: PlayerFrame, event: TicketChosen | TicketExchanged
    ) -> tuple[Frame, str, PlayerFrame]:
        """Return the frame, the deed and the player after one ticket came to the player."""
        match event:
            case TicketChosen(slot=slot, ticket=ticket):
                chosen = () if ticket is None else (ticket,)
                place = "the top of the deck" if slot is None else "the market"
                return (
                    replace(frame, ticket_deck=frame.ticket_deck - 1)
                    if slot is None
                    else replace(frame, market=with_slot(frame.market, slot, None)),
                    f"chooses {self.names(chosen)} from {place}",
                    replace(player, offer=player.offer + chosen),
                )
            case TicketExchanged(given_back=given_back, taken=taken):
                if given_back is None or taken is None:
                    return frame, "exchanges a ticket", player
                return (
                    frame,
                    f"exchanges {self.names((given_back,))} for {self.names((taken,))}",
                    replace(
                        player,
                        tickets=tuple(taken if t == given_back else t for t in player.tickets),
                    ),
                )
            case _:
                assert_never(event)

    def _with_player(self, frame: Frame, seat: int, deed: str, player: PlayerFrame) -> Frame:
        players = (*frame.players[:seat], player, *frame.players[seat + 1 :])
        return replace(frame, players=players, seat=seat, caption=f"{self._bots[seat]} {deed}")

    def names(self, tickets: tuple[int, ...] | None) -> str:
        """Name tickets in a caption."""
        return ", ".join(
            f"{self._tickets[t].city_a} – {self._tickets[t].city_b} ({self._tickets[t].value})"
            for t in tickets or ()
        )
