"""Why luck is not held against what a spectator would guess: how far off that guess is.

    python -m bench.spectator [--deals N] [--seed S]

A spectator sees the display, the discard pile, what is taken face up and what is paid, and may hold
every card that he has not seen for equally likely to be the next one. That would be so if players
did not choose. For house bots this prints by how much the expectation from the content of the deck,
which is exact, is above his: the mean per game, with its error, of how far luck would be from 0.
"""

from __future__ import annotations

import argparse
import math
import statistics
from typing import TYPE_CHECKING

from bench.luck import PAIRS
from roundhouse.arena import Entrant, play_match
from roundhouse.cli.folders import find_bots, load_bot
from roundhouse.codec import decode_event, decode_rules
from roundhouse.luck import Draws, Term
from roundhouse.rules import (
    Card,
    CardDrawn,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayFilled,
    Event,
    RouteClaimed,
    RuleSet,
)

if TYPE_CHECKING:
    from roundhouse.api.game.v1.log_pb2 import GameLog

TERMS = (Term.LOCOMOTIVES, Term.MATCHES, Term.SHOWN_LOCOMOTIVES, Term.SHOWN_MATCHES)
"""What a spectator can value: locomotives, and what matches the cards a hand is known to hold."""
_MOST_OF_A_COLOUR = 6


class Spectator(Draws):
    """Follows a game twice: as the log knows it, and as somebody who sees the table alone."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        super().__init__(rules, seats)
        self.off = [dict.fromkeys(TERMS, 0.0) for _ in range(seats)]
        self._pool = [0.0] * 9  # what may lie in the deck, for all that was seen
        self._known = [[0] * 9 for _ in range(seats)]
        self._old = [0.0] * seats  # hidden cards from before the last shuffle
        self._new = [0.0] * seats

    def follow(self, event: Event) -> None:
        """Take the next event of the game."""
        super().follow(event)
        match event:
            case DeckShuffled():
                self._pool = [float(count) for count in self._deck]
                self._old = [a + b for a, b in zip(self._old, self._new, strict=True)]
                self._new = [0.0] * self._seats
            case CardsDealt(seat=seat, count=count):
                self._new[seat] += count
            case CardDrawn(seat=seat):
                self._new[seat] += 1
            case CardTaken(seat=seat, card=card):
                self._known[seat][card] += 1
            case DisplayFilled(card=card):
                self._pool[card] -= 1
            case RouteClaimed(seat=seat, payment=payment):
                for kind, paid in enumerate(payment):
                    self._pay(seat, kind, paid)
            case _:
                pass

    def _pay(self, seat: int, kind: int, paid: int) -> None:
        """Take what was paid beyond the known cards off the pool, so far as it came from there."""
        hidden = max(paid - self._known[seat][kind], 0)
        self._known[seat][kind] = max(self._known[seat][kind] - paid, 0)
        held = self._old[seat] + self._new[seat]
        if not hidden or not held:
            return
        share = self._new[seat] / held
        self._pool[kind] -= min(hidden * share, self._pool[kind])
        self._new[seat] -= hidden * share
        self._old[seat] -= hidden * (1 - share)

    def _draw(self, seat: int, card: Card, into: tuple[Term, Term, Term]) -> None:
        known = [min(count, _MOST_OF_A_COLOUR) for count in self._known[seat][:8]]
        for term, worth in zip(into[:2], ([0] * 8 + [1], [*known, 0]), strict=True):
            exact, guess = (
                sum(a * b for a, b in zip(worth, counts, strict=True)) / sum(counts)
                for counts in (self._deck, self._pool)
            )
            self.off[seat][term] += exact - guess
        super()._draw(seat, card, into)


def watch(log: GameLog) -> list[dict[Term, float]]:
    """Return by how much a spectator's expectations were off, for each seat and term."""
    spectator = Spectator(decode_rules(log.rules), len(log.seats))
    for events in (log.set_up, *(entry.events for entry in log.entries)):
        for message in events:
            event = decode_event(message)
            if event is not None:
                spectator.follow(event)
    return spectator.off


def main() -> None:
    """Play the pairs and print a line for each bot."""
    parser = argparse.ArgumentParser(description="Measure how far off a spectator's guess is.")
    parser.add_argument("--deals", type=int, default=75, help="deal groups for each pair")
    parser.add_argument("--seed", default="spectator")
    options = parser.parse_args()
    print("in a game, the deck holds more than a spectator expects: " + ", ".join(TERMS_SHOWN))
    for names in PAIRS:
        entrants = [Entrant(bot.name, load_bot(bot)) for bot in find_bots(names)]
        off: list[list[dict[Term, float]]] = [[], []]
        for result in play_match(entrants, games=2 * options.deals, seed=options.seed):
            seen = watch(result.log)
            for bot in (0, 1):
                off[bot].append(seen[result.entrants.index(bot)])
        for bot in (0, 1):
            cells = []
            for term in TERMS:
                values = [one[term] for one in off[bot]]
                error = statistics.stdev(values) / math.sqrt(len(values))
                cells.append(f"{statistics.fmean(values):+.2f} +- {error:.2f}")
            print(f"{names[bot]:8} against {names[1 - bot]:8} {'   '.join(cells)}", flush=True)


TERMS_SHOWN = tuple(term.name.lower().replace("_", " ") for term in TERMS)


if __name__ == "__main__":
    main()
