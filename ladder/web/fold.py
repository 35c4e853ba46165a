"""A replay as a row of frames: what lies on the table after each event.

Folding the events of the log, which hide nothing, is enough: no rules are needed to show a game,
and a mistake of the engine could not hide itself by being replayed.
"""

from collections.abc import Iterator
from dataclasses import replace

from ladder.web.counts import added, plus, with_slot
from ladder.web.deeds import Deeds
from ladder.web.frames import Frame, PlayerFrame
from roundhouse.rules import (
    NO_CARDS,
    CardDiscarded,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    Event,
    GameEnded,
    MarketFilled,
    RuleSet,
    describe_cards,
)


class Fold:
    """Turn the events of one game into frames, one after another."""

    def __init__(self, rules: RuleSet, bots: tuple[str, ...]) -> None:
        """Begin with the box closed: no card is dealt, every train is in the supply."""
        self._bots = bots
        self._deeds = Deeds(rules, bots)
        self.frame = Frame(
            caption="",
            turn=0,
            seat=None,
            display=(None,) * 5,
            deck=sum(rules.card_counts),
            discard=NO_CARDS,
            ticket_deck=len(rules.tickets),
            players=tuple(PlayerFrame(NO_CARDS, rules.trains) for _ in bots),
            market=(None,) * 3 if rules.ticket_market else (),  # V-3
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
                    display=with_slot(frame.display, slot, card),
                    deck=frame.deck - 1,
                    caption=f"A {card.word} card is revealed",
                )
            case DisplayCleared(cards=cards):
                return replace(
                    frame,
                    display=(None,) * 5,
                    discard=added(frame.discard, cards),
                    caption=f"The display is discarded: {describe_cards(cards)}",
                )
            case CardDiscarded(slot=slot, card=card):
                return replace(
                    frame,
                    display=with_slot(frame.display, slot, None),
                    discard=plus(frame.discard, (card,)),
                    caption=f"The leftmost card of the display, {card.word}, is discarded",
                )
            case MarketFilled(slot=slot, ticket=ticket):
                return replace(
                    frame,
                    market=with_slot(frame.market, slot, ticket),
                    ticket_deck=frame.ticket_deck - 1,
                    caption=f"The ticket market shows {self._deeds.names((ticket,))}",
                )
            case GameEnded(standings=standings):
                return self._ended(frame, {s.seat: (s.placement, s.total) for s in standings})
            case _:
                return self._deeds.after(frame, event)

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
