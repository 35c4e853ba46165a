"""Every draw of a game, held against what was to be expected before it.

A draw's term is the value of what came less the expectation of that value over everything that
could have come. Before each draw all hands, the discard pile and so the content of the deck are
known to the log, but its order to nobody: the next card is any card of the deck with equal chance.
So each term has the mean 0 given all that happened before it, whoever played and however.
"""

from collections.abc import Sequence
from enum import IntEnum

from roundhouse.errors import LogError
from roundhouse.luck.worth import Network, expected_best, needed_cards, opening_offers, ticket_worth
from roundhouse.rules import (
    Card,
    CardDrawn,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayCleared,
    DisplayFilled,
    Event,
    RouteClaimed,
    RuleSet,
    SeatForfeited,
    TicketsKept,
    TicketsOffered,
)

LOCOMOTIVE = Card.LOCOMOTIVE
_MOST_OF_A_COLOUR = 6
"""The longest route: more cards of a colour than that serve a second one."""


class Term(IntEnum):
    """Name what a draw can be lucky in."""

    LOCOMOTIVES = 0
    """Locomotives dealt, or drawn blind."""
    MATCHES = 1
    """Cards of colours that were in the hand, dealt or drawn blind."""
    NEEDED = 2
    """Cards of colours that its tickets' shortest ways still need, dealt or drawn blind."""
    SHOWN_LOCOMOTIVES = 3
    """Locomotives revealed for the seat that chooses next."""
    SHOWN_MATCHES = 4
    """Cards of colours in its hand revealed for the seat that chooses next."""
    SHOWN_NEEDED = 5
    """Cards of needed colours revealed for the seat that chooses next."""
    OPENING = 6
    """The best two tickets of the opening offer."""
    OFFERS = 7
    """The best ticket of a later offer."""


_OWN = (Term.LOCOMOTIVES, Term.MATCHES, Term.NEEDED)
_SHOWN = (Term.SHOWN_LOCOMOTIVES, Term.SHOWN_MATCHES, Term.SHOWN_NEEDED)
_IS_LOCOMOTIVE = (0, 0, 0, 0, 0, 0, 0, 0, 1)


class Draws:
    """Follow a game event by event, and sum the terms of each seat."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self.terms = [[0.0] * len(Term) for _ in range(seats)]
        self._rules = rules
        self._seats = seats
        self._deck = [0] * 9
        self._discard = [0] * 9
        self._hands = [[0] * 9 for _ in range(seats)]
        self._tickets = {ticket.id: ticket for ticket in rules.tickets}
        self._unseen = set(self._tickets)  # on top of those that were given back, in unknown order
        self._has_been_offered = [False] * seats
        self._networks: list[Network] = [frozenset()] * seats
        self._has_left = [False] * seats
        self._drawing: int | None = None  # the seat that has one card of its two
        self._kept: list[tuple[int, ...]] = [()] * seats
        self._needs: list[tuple[int, ...] | None] = [None] * seats  # None: to be found again
        self._chooser = 0  # who picks from the display next, as is known before a card is revealed

    def follow(self, event: Event) -> None:  # noqa: C901 - one case a kind of event
        """Take the next event of the game."""
        match event:
            case DeckShuffled(count=count):
                self._deck = list(self._rules.card_counts) if count == 0 else self._discard
                self._discard = [0] * 9
            case CardsDealt(seat=seat, cards=cards) if cards is not None:
                for card in cards:
                    self._draw_to_hand(seat, card)
            case CardDrawn(seat=seat, card=card) if card is not None:
                self._draw_to_hand(seat, card)
                self._turn_to(seat, ends_turn=self._drawing == seat)
            case CardTaken(seat=seat, card=card):
                self._hands[seat][card] += 1
                self._turn_to(seat, ends_turn=self._drawing == seat or card is LOCOMOTIVE)
            case DisplayFilled(card=card):
                self._draw(self._chooser, card, _SHOWN)
            case DisplayCleared(cards=cards):
                self._discard = [a + b for a, b in zip(self._discard, cards, strict=True)]
            case RouteClaimed(seat=seat, route_id=route, payment=payment):
                self._networks[seat] |= {route}
                self._hands[seat] = [a - b for a, b in zip(self._hands[seat], payment, strict=True)]
                self._discard = [a + b for a, b in zip(self._discard, payment, strict=True)]
                self._turn_to(seat, ends_turn=True)
                self._needs = [None] * self._seats
            case TicketsKept(seat=seat, kept=kept) if kept is not None:
                self._kept[seat] += kept
                self._needs[seat] = None
            case TicketsOffered(seat=seat, tickets=tickets) if tickets is not None:
                self._offer(seat, tickets)
            case SeatForfeited(seat=seat):
                self._has_left[seat] = True
            case _:
                pass  # nothing that chance has decided

    def _turn_to(self, seat: int, *, ends_turn: bool) -> None:
        """Note who picks from the display next."""
        self._drawing = None if ends_turn else seat
        self._chooser = self._after(seat) if ends_turn else seat

    def _after(self, seat: int) -> int:
        """Return the seat whose turn comes next."""
        order = ((seat + step) % self._seats for step in range(1, self._seats + 1))
        return next((other for other in order if not self._has_left[other]), seat)

    def _draw_to_hand(self, seat: int, card: Card) -> None:
        self._draw(seat, card, _OWN)
        self._hands[seat][card] += 1

    def _draw(self, seat: int, card: Card, into: tuple[Term, Term, Term]) -> None:
        """Take a card off the deck, in favour of a seat, and add its terms."""
        deck = self._deck
        cards = sum(deck)
        if deck[card] < 1:
            raise LogError(
                f"The log draws a {card.word} card when the deck holds none; "
                "`roundhouse verify` names the first difference."
            )
        hand = self._hands[seat]
        worths: tuple[Sequence[int], ...] = (
            _IS_LOCOMOTIVE,
            [min(count, _MOST_OF_A_COLOUR) for count in hand[:LOCOMOTIVE]] + [0],
            [need > count for need, count in zip(self._need(seat), hand, strict=True)],
        )
        for term, worth in zip(into, worths, strict=True):
            expected = sum(a * b for a, b in zip(worth, deck, strict=True)) / cards
            self.terms[seat][term] += worth[card] - expected
        deck[card] -= 1

    def _need(self, seat: int) -> tuple[int, ...]:
        """Return how many cards of each colour the open tickets of a seat still need."""
        found = self._needs[seat]
        if found is None:
            tickets = [self._tickets[ticket] for ticket in self._kept[seat]]
            found = needed_cards(
                tickets, self._rules.board, self._networks[seat], self._taken_by_others(seat)
            )
            self._needs[seat] = found
        return found

    def _offer(self, seat: int, tickets: Sequence[int]) -> None:
        """Hold an offer against the others that it could have been."""
        fresh = [ticket for ticket in tickets if ticket in self._unseen]
        opening = None if self._has_been_offered[seat] else opening_offers(self._rules)
        self._has_been_offered[seat] = True
        if not fresh:
            return  # all were given back earlier: where they lay was known
        if opening is not None and len(fresh) == self._rules.opening_offer:
            luck = opening.worth(fresh) - opening.expected_worth(list(self._unseen), len(fresh))
            self.terms[seat][Term.OPENING] += luck
        else:
            worths = {ticket: self._worth(seat, ticket) for ticket in self._unseen}
            luck = max(worths[ticket] for ticket in fresh) - expected_best(
                list(worths.values()), len(fresh)
            )
            self.terms[seat][Term.OFFERS] += luck
        self._unseen.difference_update(fresh)

    def _worth(self, seat: int, ticket: int) -> float:
        return ticket_worth(
            self._tickets[ticket],
            self._rules.board,
            self._networks[seat],
            self._taken_by_others(seat),
        )

    def _taken_by_others(self, seat: int) -> Network:
        others = (network for other, network in enumerate(self._networks) if other != seat)
        return frozenset[int]().union(*others)
