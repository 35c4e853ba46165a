"""A replay as a row of frames: what lies on the table after each event.

Folding the events of the log, which hide nothing, is enough: no rules are needed to show a game,
and a mistake of the engine could not hide itself by being replayed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from roundhouse.rules import (
    NO_CARDS,
    Card,
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
    that the event is about. `owners` maps the numbers of claimed routes to seats. After `GameEnded`
    the points are the final totals.
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


class Fold:
    """Turn the events of one game into frames, one after another."""

    def __init__(self, rules: RuleSet, bots: tuple[str, ...]) -> None:
        """Begin with the box closed: no card is dealt, every train is in the supply."""
        self._rules = rules
        self._bots = bots
        self._tickets = {ticket.id: ticket for ticket in rules.tickets}
        self.frame = Frame(
            caption="",
            turn=0,
            seat=None,
            display=(None,) * 5,
            deck=sum(rules.card_counts),
            discard=NO_CARDS,
            ticket_deck=len(rules.tickets),
            players=tuple(PlayerFrame(NO_CARDS, rules.trains) for _ in bots),
        )

    def steps(self, turn: int, events: tuple[Event, ...]) -> Iterator[Frame]:
        """Yield the frame after each of the events that log entry `turn` caused."""
        for event in events:
            self.frame = replace(self._after(event), turn=turn)
            yield self.frame

    def _after(self, event: Event) -> Frame:  # noqa: PLR0911 - one case a kind
        frame = replace(self.frame, seat=None, fresh_route=None)
        match event:
            case DeckShuffled(cards=cards):
                again = "" if sum(frame.discard) == 0 else "The discard pile becomes the deck: "
                return replace(
                    frame,
                    deck=cards,
                    discard=NO_CARDS,
                    caption=f"{again}{cards} cards are shuffled",
                )
            case DisplayFilled(slot=slot, card=card):
                return replace(
                    frame,
                    display=_with(frame.display, slot, card),
                    deck=frame.deck - 1,
                    caption=f"A {card.word} card is revealed",
                )
            case DisplayCleared(cards=cards):
                return replace(
                    frame,
                    display=(None,) * 5,
                    discard=_sum(frame.discard, cards),
                    caption=f"The display is discarded: {describe_cards(cards)}",
                )
            case CardDiscarded(slot=slot, card=card):
                return replace(
                    frame,
                    display=_with(frame.display, slot, None),
                    discard=_plus(frame.discard, (card,)),
                    caption=f"The leftmost card of the display, {card.word}, is discarded",
                )
            case MarketFilled(ticket=ticket):
                return replace(
                    frame,
                    ticket_deck=frame.ticket_deck - 1,
                    caption=f"The ticket market shows {self._names((ticket,))}",
                )
            case GameEnded(standings=standings):
                return self._ended(frame, {s.seat: (s.placement, s.total) for s in standings})
            case _:
                return self._after_deed(frame, event)

    def _after_deed(self, frame: Frame, event: SeatEvent) -> Frame:  # noqa: C901 - one case a kind
        """Return the frame after an event that is about one seat."""
        player = frame.players[event.seat]
        match event:
            case CardsDealt(cards=cards):
                return self._drew(frame, event.seat, cards or (), "is dealt")
            case CardDrawn(card=card):
                return self._drew(frame, event.seat, () if card is None else (card,), "draws")
            case CardTaken(slot=slot, card=card):
                frame = replace(frame, display=_with(frame.display, slot, None))
                deed, player = (
                    f"takes a face-up {card.word} card",
                    replace(player, hand=_plus(player.hand, (card,))),
                )
            case TicketsOffered(tickets=tickets, count=count):
                frame = replace(frame, ticket_deck=frame.ticket_deck - count)
                deed, player = (
                    f"is offered {self._names(tickets)}",
                    replace(player, offer=tickets or ()),
                )
            case TicketsKept(kept=kept, given_back_count=back):
                frame = replace(frame, ticket_deck=frame.ticket_deck + back)
                deed, player = (
                    f"keeps {self._names(kept)}" + (f", gives back {back}" if back else ""),
                    replace(player, tickets=player.tickets + (kept or ()), offer=()),
                )
            case RouteClaimed():
                return self._claimed(frame, event)
            case TicketsShown(tickets=shown):
                deed = f"plays with open tickets: {self._names(shown)}"
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
            f"{verb} {describe_cards(_plus(NO_CARDS, cards))}",
            replace(player, hand=_plus(player.hand, cards)),
        )

    def _claimed(self, frame: Frame, event: RouteClaimed) -> Frame:
        player = frame.players[event.seat]
        route = self._rules.board.route(event.route_id)
        moved = replace(
            frame,
            discard=_sum(frame.discard, event.payment),
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
                drawn = 1 if slot is None else 0
                return (
                    replace(frame, ticket_deck=frame.ticket_deck - drawn),
                    f"chooses {self._names(chosen)} from {place}",
                    replace(player, offer=player.offer + chosen),
                )
            case TicketExchanged(given_back=given_back, taken=taken):
                if given_back is None or taken is None:
                    return frame, "exchanges a ticket", player
                return (
                    frame,
                    f"exchanges {self._names((given_back,))} for {self._names((taken,))}",
                    replace(
                        player,
                        tickets=tuple(taken if t == given_back else t for t in player.tickets),
                    ),
                )
            case _:
                assert_never(event)

    def _ended(self, frame: Frame, results: dict[int, tuple[int, int]]) -> Frame:
        # A game that ends in the opening leaves offers open, which go back under the ticket deck.
        open_offers = sum(len(player.offer) for player in frame.players)
        players = tuple(
            replace(player, points=results[seat][1], offer=())
            for seat, player in enumerate(frame.players)
        )
        firsts = [self._bots[s] for s, (placement, _) in sorted(results.items()) if placement == 1]
        best = max(total for placement, total in results.values() if placement == 1)
        verb = "wins" if len(firsts) == 1 else "share the victory"
        return replace(
            frame,
            players=players,
            ticket_deck=frame.ticket_deck + open_offers,
            caption=f"{' and '.join(firsts)} {verb} with {best} points",
        )

    def _with_player(self, frame: Frame, seat: int, deed: str, player: PlayerFrame) -> Frame:
        players = (*frame.players[:seat], player, *frame.players[seat + 1 :])
        return replace(frame, players=players, seat=seat, caption=f"{self._bots[seat]} {deed}")

    def _names(self, tickets: tuple[int, ...] | None) -> str:
        return ", ".join(
            f"{self._tickets[t].city_a} – {self._tickets[t].city_b} ({self._tickets[t].value})"
            for t in tickets or ()
        )


def _plus(counts: tuple[int, ...], cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(count + cards.count(kind) for kind, count in zip(Card, counts, strict=True))


def _sum(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _with(
    display: tuple[Card | None, ...], slot: int, card: Card | None
) -> tuple[Card | None, ...]:
    return (*display[:slot], card, *display[slot + 1 :])
